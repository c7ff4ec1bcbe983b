--- What this client did: the last events, kept in memory. The daemon's own log is a file of the workspace.
local M = {}

local MOST = 200

---@type { at: integer, kind: string, text: string }[]
local events = {}

--- Note an event.
---@param kind 'info'|'warning'|'error'
---@param text string
function M.add(kind, text)
  events[#events + 1] = { at = os.time(), kind = kind, text = text }
  if #events > MOST then
    table.remove(events, 1)
  end
end

--- The events, oldest first, a line each.
---@return string[]
function M.lines()
  return vim.tbl_map(function(event)
    return ('%s %-7s %s'):format(os.date('%H:%M:%S', event.at), event.kind, (event.text:gsub('%s*\n%s*', ' · ')))
  end, events)
end

--- Where the daemon of a workspace writes its log.
---@param root string
---@return string
function M.path(root)
  return vim.fs.joinpath(root, '.memofs', 'logs', 'daemon.log')
end

--- Show the daemon's log at its end, or what this client did.
---@param root string
---@param which 'daemon'|'client'
function M.open(root, which)
  if which == 'client' then
    require('memofs.scratch').open({ name = 'memofs://log', lines = M.lines(), root = root })
    vim.cmd('normal! G')
    return
  end
  local path = M.path(root)
  if vim.fn.filereadable(path) == 0 then
    require('memofs.message').warn('there is no log yet: ' .. path, 'it is written once the daemon has run here')
    return
  end
  vim.cmd('split ' .. vim.fn.fnameescape(path))
  vim.bo.autoread = true
  vim.bo.modifiable = false
  vim.bo.readonly = true
  vim.cmd('normal! G')
end

return M
