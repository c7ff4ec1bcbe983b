--- What is said to the person, in one form.
local M = {}

---@param level integer
---@param text string
---@param hint? string
local function say(level, text, hint)
  local whole = 'memofs: ' .. text .. (hint and hint ~= '' and ('\n' .. hint) or '')
  if vim.in_fast_event() then
    vim.schedule(function()
      vim.notify(whole, level, { title = 'MemoFS' })
    end)
  else
    vim.notify(whole, level, { title = 'MemoFS' })
  end
end

---@param text string
---@param hint? string
function M.info(text, hint)
  say(vim.log.levels.INFO, text, hint)
end

---@param text string
---@param hint? string
function M.warn(text, hint)
  require('memofs.log').add('warning', text)
  say(vim.log.levels.WARN, text, hint)
end

---@param text string
---@param hint? string
function M.error(text, hint)
  require('memofs.log').add('error', text)
  say(vim.log.levels.ERROR, text, hint)
end

--- Say why a request failed, with what can be done about it.
---@param failure memofs.Failure
function M.failure(failure)
  local data = type(failure.data) == 'table' and failure.data or {}
  M.error(failure.message, type(data.hint) == 'string' and data.hint or nil)
end

return M
