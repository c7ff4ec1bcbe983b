--- Requests to the daemon of a workspace.
---
--- Invariant: every callback is called once. What is sent before the server is ready waits for it; what the server did
--- not answer before it ended is answered with a failure.
local M = {}

local workspace = require('memofs.workspace')

--- Ask the daemon. The callback gets the failure or the result, exactly once, on the main loop.
---@param method string
---@param params table
---@param callback memofs.Callback
---@param options? { root?: string, buf?: integer }
---@return fun() cancel
function M.send(method, params, callback, options)
  options = options or {}
  local root = options.root or require('memofs.root').of_buffer(options.buf)
  local cancelled = false
  ---@type fun()
  local cancel_sent
  require('memofs.client').with(root, function(failure, client)
    if cancelled then
      return
    end
    if failure or not client then
      callback(failure or workspace.failed(workspace.GONE))
      return
    end
    local at = workspace.of(root)
    at.last = at.last + 1
    local number = at.last
    local done = false
    local function answer(err, result)
      at.pending[number] = nil
      if done or cancelled then
        return
      end
      done = true
      callback(err, result)
    end
    at.pending[number] = function(gone)
      answer(gone)
    end
    local sent, id =
      workspace.call(client, 'request', method, next(params) and params or vim.empty_dict(), answer, options.buf)
    if not sent then
      answer(workspace.failed(workspace.GONE, 'ask again: it is started anew'))
    end
    cancel_sent = function()
      at.pending[number] = nil
      if not done and id and not workspace.call(client, 'is_stopped') then
        workspace.call(client, 'cancel_request', id)
      end
    end
  end)
  return function()
    cancelled = true
    if cancel_sent then
      cancel_sent()
    end
  end
end

--- Ask and wait, for what cannot go on without the answer.
---@param method string
---@param params table
---@param options? { root?: string, timeout_ms?: integer }
---@return memofs.Failure?
---@return any
function M.wait(method, params, options)
  options = options or {}
  local timeout_ms = options.timeout_ms or require('memofs.config').get().timeout_ms
  local answered, failure, result = false, nil, nil
  local cancel = M.send(method, params, function(err, found)
    answered, failure, result = true, err, found
  end, options)
  vim.wait(timeout_ms, function()
    return answered
  end, 5)
  if not answered then
    cancel()
    return workspace.failed(('no answer within %d ms'):format(timeout_ms), 'see :Memofs status')
  end
  return failure, result
end

return M
