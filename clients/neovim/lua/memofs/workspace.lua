--- What is known of a workspace's server: one record a workspace, kept while Neovim runs.
local M = {}

---@class memofs.Workspace
---@field root string
---@field attempts integer restarts in a row
---@field buffers table<integer, true> what has to be attached again
---@field waiting fun(failure: memofs.Failure?, client: vim.lsp.Client?)[]
---@field pending table<integer, fun(failure: memofs.Failure)> requests that are being answered
---@field last integer
---@field stopping boolean this end was asked for
---@field starting boolean
---@field ready_ms integer when this server became ready, 0 before that
---@field health? { health: string, quiescent: boolean, message?: string }
---@field timer? uv.uv_timer_t

---@type table<string, memofs.Workspace>
local workspaces = {}

local modern = vim.fn.has('nvim-0.11') == 1

--- What somebody hears whose server ended before it answered.
M.GONE = 'the daemon has ended before it answered'

--- The record of a workspace, made at the first use.
---@param root string
---@return memofs.Workspace
function M.of(root)
  local found = workspaces[root]
  if not found then
    found = {
      root = root,
      attempts = 0,
      buffers = {},
      waiting = {},
      pending = {},
      last = 0,
      stopping = false,
      starting = false,
      ready_ms = 0,
    }
    workspaces[root] = found
  end
  return found
end

--- Whether a workspace was ever asked about.
---@param root string
---@return boolean
function M.is_known(root)
  return workspaces[root] ~= nil
end

--- Let those go on who wait for the server of a workspace.
---@param at memofs.Workspace
---@param failure memofs.Failure?
---@param client vim.lsp.Client?
function M.flush(at, failure, client)
  local waiting = at.waiting
  at.waiting = {}
  for _, go_on in ipairs(waiting) do
    go_on(failure, client)
  end
end

--- Call a method of a client. How that is done changed with Neovim 0.11.
---@param client vim.lsp.Client
---@param name string
function M.call(client, name, ...)
  local method = client[name] --[[@as function]]
  if modern then
    return method(client, ...)
  end
  return method(...)
end

--- A failure of our own, in the form of the daemon's.
---@param message string
---@param hint? string
---@return memofs.Failure
function M.failed(message, hint)
  return { code = 0, message = message, data = { hint = hint } }
end

return M
