--- What is said to the person, in one form.
---
--- Neovim's own messages hold one line of the screen: one that is longer waits for <Enter>, and takes the keys that are
--- typed meanwhile. So it gets what fits, and `:Memofs! log` has the rest. Plugins that show messages get the whole.
local M = {}

local PREFIX = 'memofs: '
local KINDS = { [vim.log.levels.INFO] = 'info', [vim.log.levels.WARN] = 'warning', [vim.log.levels.ERROR] = 'error' }

--- What the command line's own commands are called here, where that is not the same.
local HERE = { list = 'open', models = 'status' }

--- Whether `vim.notify` is Neovim's own, which writes where commands are typed.
---@return boolean
local function is_plain()
  return debug.getinfo(vim.notify, 'S').source:match('vim/_.*editor%.lua$') ~= nil
end

--- A text cut to so many cells, with … where something is missing.
---@param text string
---@param cells integer
---@return string
function M.cut(text, cells)
  if vim.fn.strdisplaywidth(text) <= cells then
    return text
  end
  local kept = vim.fn.strcharpart(text, 0, math.max(0, cells - 1))
  while kept ~= '' and vim.fn.strdisplaywidth(kept) > cells - 1 do
    kept = vim.fn.strcharpart(kept, 0, vim.fn.strchars(kept) - 1)
  end
  return kept .. '…'
end

--- A message on one line of so many cells: the hint if there is room for all of it, and never at the text's cost.
---@param text string
---@param hint? string
---@param cells integer
---@return string
function M.line(text, hint, cells)
  text = PREFIX .. (text:gsub('%s*%c%s*', ' '))
  hint = hint and hint ~= '' and (hint:gsub('%s*%c%s*', ' ')) or nil
  local whole = hint and ('%s (%s)'):format(text, hint) or text
  if not hint or vim.fn.strdisplaywidth(whole) <= cells then
    return M.cut(whole, cells)
  end
  local more = ' (:Memofs! log tells more)'
  if vim.fn.strdisplaywidth(text .. more) <= cells then
    return text .. more
  end
  return M.cut(text, cells)
end

--- A hint of the daemon in the words of this editor: `memofs init` is `:Memofs init` here.
---@param hint string
---@return string
function M.here(hint)
  local commands = require('memofs.commands')
  local said = (' ' .. hint):gsub('([%s`])memofs (%l+)', function(before, name)
    name = HERE[name] or name
    local found = commands.find(name)
    return found and found.name == name and ('%s:Memofs %s'):format(before, name) or nil
  end)
  return said:sub(2)
end

---@param level integer
---@param text string
---@param hint? string
local function show(level, text, hint)
  if not is_plain() then
    vim.notify(PREFIX .. text .. (hint and hint ~= '' and ('\n' .. hint) or ''), level, { title = 'MemoFS' })
    return
  end
  if vim.api.nvim_get_mode().mode:sub(1, 1) == 'c' then
    -- A command is being typed where this would be written.
    vim.api.nvim_create_autocmd('CmdlineLeave', {
      once = true,
      callback = vim.schedule_wrap(function()
        show(level, text, hint)
      end),
    })
    return
  end
  if #vim.api.nvim_list_uis() > 0 then
    vim.cmd.redraw() -- a second message of the same moment would be a second line
  end
  local groups = { [vim.log.levels.WARN] = 'WarningMsg', [vim.log.levels.ERROR] = 'ErrorMsg' }
  vim.api.nvim_echo({ { M.line(text, hint, vim.v.echospace), groups[level] } }, true, {})
end

---@param level integer
---@param text string
---@param hint? string
local function say(level, text, hint)
  hint = hint and M.here(hint)
  require('memofs.log').add(KINDS[level], text .. (hint and hint ~= '' and ('\n' .. hint) or ''))
  if vim.in_fast_event() then
    vim.schedule(function()
      show(level, text, hint)
    end)
  elseif vim.v.vim_did_enter == 0 and is_plain() then
    -- There is no screen yet: the first one shows what was opened, and then what is to be said.
    vim.api.nvim_create_autocmd('VimEnter', {
      once = true,
      callback = vim.schedule_wrap(function()
        show(level, text, hint)
      end),
    })
  else
    show(level, text, hint)
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
  say(vim.log.levels.WARN, text, hint)
end

---@param text string
---@param hint? string
function M.error(text, hint)
  say(vim.log.levels.ERROR, text, hint)
end

--- Say why a request failed, with what can be done about it.
---@param failure memofs.Failure
function M.failure(failure)
  local data = type(failure.data) == 'table' and failure.data or {}
  M.error(failure.message, type(data.hint) == 'string' and data.hint or nil)
end

return M
