--- A component for status lines: short, and made of what is known already.
local M = {}

--- What is to be said of a buffer: empty without a memory, else such as `memofs 3` or `memofs 3 (1 stale)`.
---@param buf? integer
---@return string
function M.text(buf)
  buf = (buf == nil or buf == 0) and vim.api.nvim_get_current_buf() or buf
  if not package.loaded['memofs.client'] then
    return ''
  end
  local client = require('memofs.client')
  local attached = client.of_buffer(buf)
  local root = attached and attached.config.root_dir or require('memofs.root').of_buffer(buf)
  local state, health = client.state(root)
  if state == 'off' then
    return ''
  end
  if state == 'starting' then
    return 'memofs …'
  end
  local known = require('memofs.signs').of(buf)
  local text = known.memories > 0 and ('memofs %d'):format(known.memories) or 'memofs'
  if known.stale > 0 then
    text = text .. (' (%d stale)'):format(known.stale)
  end
  if health and health.health ~= 'ok' then
    text = text .. ' !'
  elseif health and not health.quiescent then
    text = text .. ' ~'
  end
  return text
end

local waiting = false

--- Something that the component says has changed.
function M.changed()
  if waiting then
    return
  end
  waiting = true
  vim.schedule(function()
    waiting = false
    vim.api.nvim_exec_autocmds('User', { pattern = 'MemofsStatus', modeline = false })
    vim.cmd('redrawstatus!')
  end)
end

return M
