--- MemoFS for other Lua: settings, and questions with callbacks.
---
--- Nothing here has to be called: the plugin works without a setup.
local M = {}

---@class memofs.Options
---@field root? string the workspace; that of the current buffer if left out
---@field limit? integer
---@field kinds? string[]
---@field tags? string[]
---@field paths? string[]
---@field taskType? 'coding'|'debug'|'refactor'|'docs'|'general'
---@field precision? 'strict'|'balanced'|'all'
---@field includeRetired? boolean
---@field wait? boolean

--- Take settings; see |memofs-settings|.
---@param options? table
function M.setup(options)
  require('memofs.config').set(options)
end

---@param options? table
---@return table params
---@return string root
local function split(options)
  local params = vim.tbl_extend('force', {}, options or {})
  local root = params.root or require('memofs.root').of_buffer()
  params.root = nil
  return params, root
end

--- Recall with the params of the wire, without telling anybody.
---@param params table
---@param root string
---@param callback memofs.Callback
---@return fun() cancel
function M.recall_raw(params, root, callback)
  return require('memofs.requests').send('memofs/recall', params, callback, { root = root })
end

--- Find memories. The callback gets a failure or a result with `hits`, best first.
---@param query string
---@param options? memofs.Options
---@param callback fun(failure: memofs.Failure?, result: memofs.RecallResult?)
---@return fun() cancel
function M.recall(query, options, callback)
  local params, root = split(options)
  params.query = query
  return M.recall_raw(params, root, function(failure, result)
    if not failure then
      vim.api.nvim_exec_autocmds('User', {
        pattern = 'MemofsRecall',
        modeline = false,
        data = { query = query, hits = result.hits, root = root },
      })
    end
    callback(failure, result)
  end)
end

--- A briefing for a task; with an empty task for the start of a session. `options` as in `memofs/context`.
---@param task string
---@param options? table
---@param callback fun(failure: memofs.Failure?, result: memofs.ContextResult?)
---@return fun() cancel
function M.context(task, options, callback)
  local params, root = split(options)
  if task ~= '' then
    params.query = task
  end
  params.maxBytes = params.maxBytes or require('memofs.config').get().context_bytes
  return require('memofs.requests').send('memofs/context', params, callback, { root = root })
end

--- Any request of the protocol.
---@param method string such as `memofs/list`
---@param params table
---@param callback memofs.Callback
---@param options? { root?: string, buf?: integer }
---@return fun() cancel
function M.request(method, params, callback, options)
  return require('memofs.requests').send(method, params, callback, options)
end

--- A component for status lines, such as `memofs 3 (1 stale)`.
---@param buf? integer
---@return string
function M.statusline(buf)
  return require('memofs.statusline').text(buf)
end

--- What is known of the memories of a buffer: anchors, how many memories, how many stale anchors.
---@param buf? integer
---@return { anchors: memofs.AnchorRow[], memories: integer, stale: integer }
function M.of_buffer(buf)
  return require('memofs.signs').of((buf == nil or buf == 0) and vim.api.nvim_get_current_buf() or buf)
end

return M
