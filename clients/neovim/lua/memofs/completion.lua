--- What `:Memofs` and the fields of a new memory complete: subcommands, kinds, task types, ids, tags, places.
local M = {}

local KINDS = { 'constraint', 'decision', 'goal', 'note', 'preference', 'reference', 'summary' }
local TASKS = { 'coding', 'debug', 'docs', 'general', 'refactor' }
local SCOPES = { 'changed', 'diagnostics', 'lens' }
local PATIENCE_MS = 500
local FEWEST_FUZZY = 3

--- Ask a server that runs already; nobody waits for one to start, or for long.
---@param root string
---@param method string
---@param params table
---@return any
local function ask(root, method, params)
  local client = require('memofs.client')
  if client.state(root) ~= 'ready' then
    client.with(root, function() end)
    return nil
  end
  local _, result = require('memofs.requests').wait(method, params, { root = root, timeout_ms = PATIENCE_MS })
  return result
end

--- The kinds there are: the built-in ones and the project's own.
---@param root string
---@return string[]
function M.kinds(root)
  local kinds = vim.list_slice(KINDS)
  local own = ask(root, 'memofs/config', { key = 'kinds' })
  for _, kind in ipairs(own and type(own.value) == 'table' and own.value or {}) do
    kinds[#kinds + 1] = kind
  end
  return kinds
end

---@param choices string[]
---@param lead string
---@param before? string
---@return string[]
local function starting(choices, lead, before)
  local found = {}
  for _, choice in ipairs(choices) do
    if vim.startswith(choice, lead) then
      found[#found + 1] = (before or '') .. choice
    end
  end
  return found
end

--- Ids that begin so, or of memories whose titles have the words.
---@param root string
---@param lead string
---@return string[]
local function ids(root, lead)
  local listed = ask(root, 'memofs/list', { limit = 1000, includeRetired = true })
  local memories = listed and listed.memories or {}
  local found = {}
  for _, memory in ipairs(memories) do
    if vim.startswith(memory.id, lead) then
      found[#found + 1] = memory.id
    end
  end
  if #found == 0 and #lead >= FEWEST_FUZZY then
    for _, memory in ipairs(vim.fn.matchfuzzy(memories, lead, { key = 'title' })) do
      found[#found + 1] = memory.id
    end
  end
  return found
end

---@param root string
---@param lead string
---@param names string[]
---@return string[]
local function filters(root, lead, names)
  local name, value = lead:match('^(%a+)=(.*)$')
  if not name then
    return starting(
      vim.tbl_map(function(each)
        return each .. '='
      end, names),
      lead
    )
  end
  if not vim.tbl_contains(names, name) then
    return {}
  end
  local first, last = value:match('^(.*,)([^,]*)$')
  first, last = first or '', last or value
  if name == 'kind' then
    return starting(M.kinds(root), last, 'kind=' .. first)
  end
  if name == 'task' then
    return starting(TASKS, value, 'task=')
  end
  if name == 'tag' then
    local listed = ask(root, 'memofs/list', { limit = 1000 })
    local tags = {}
    for _, memory in ipairs(listed and listed.memories or {}) do
      for _, tag in ipairs(memory.tags or {}) do
        tags[tag] = true
      end
    end
    local names_of_tags = vim.tbl_keys(tags)
    table.sort(names_of_tags)
    return starting(names_of_tags, last, 'tag=' .. first)
  end
  return vim.tbl_map(
    function(path)
      return 'path=' .. first .. path
    end,
    vim.tbl_map(function(path)
      return require('memofs.place').relative(path, root) .. (vim.fn.isdirectory(path) == 1 and '/' or '')
    end, vim.fn.glob(vim.fs.joinpath(root, last) .. '*', false, true))
  )
end

--- Candidates for the word that is typed, for a command of |nvim_create_user_command()|.
---@param lead string
---@param line string
---@param column integer
---@return string[]
function M.complete(lead, line, column)
  local before = line:sub(1, column)
  local called = before:match('Memofs!?%s+(.*)$') or ''
  local words = vim.split(called, '%s+', { trimempty = true })
  local commands = require('memofs.commands')
  local bang = before:match('Memofs!') ~= nil
  if #words == 0 or (#words == 1 and lead ~= '') then
    local names = {}
    for _, command in ipairs(commands.table) do
      if not bang or command.bang then
        names[#names + 1] = command.name
      end
    end
    return starting(names, lead)
  end
  local command = commands.find(words[1])
  if not command then
    return {}
  end
  local root = require('memofs.root').of_buffer()
  local found = {}
  for _, what in ipairs(command.complete or {}) do
    if what == 'id' then
      vim.list_extend(found, ids(root, lead))
    elseif what == 'kind' and (#words == 1 or (#words == 2 and lead ~= '')) then
      vim.list_extend(found, starting(M.kinds(root), lead))
    elseif what == 'filter' then
      vim.list_extend(found, filters(root, lead, { 'kind', 'path', 'tag', 'task' }))
    elseif what == 'filter.task' then
      vim.list_extend(found, filters(root, lead, { 'task' }))
    elseif what == 'scope' then
      vim.list_extend(found, starting(SCOPES, lead))
    end
  end
  return found
end

--- |complete-functions| of a new memory's buffer: kinds, ids, and files for anchors.
---@param find_start integer
---@param base string
function M.omnifunc(find_start, base)
  local line = vim.api.nvim_get_current_line()
  local column = vim.api.nvim_win_get_cursor(0)[2]
  if find_start == 1 then
    local field = line:sub(1, column):match('^%a+:%s*()')
    if not field then
      return -3
    end
    local typed = line:sub(field, column)
    return column - #(typed:match('[^,%s]*$'))
  end
  local field = line:match('^(%a+):')
  local root = require('memofs.root').of_buffer()
  if field == 'kind' then
    return starting(M.kinds(root), base)
  elseif field == 'supersedes' then
    return ids(root, base)
  elseif field == 'tags' then
    return vim.tbl_map(function(word)
      return (word:gsub('^tag=', ''))
    end, filters(root, 'tag=' .. base, { 'tag' }))
  elseif field == 'anchors' then
    return vim.tbl_map(function(word)
      return (word:gsub('^path=', ''))
    end, filters(root, 'path=' .. base, { 'path' }))
  end
  return {}
end

return M
