--- A new memory as a buffer: fields above, text below, `:w` saves it.
---
--- Nothing that was typed is lost: a memory that was not saved stays in its buffer, modified, with the reason.
local M = {}

local FIELDS = { 'kind', 'title', 'tags', 'anchors', 'supersedes' }
local RULE = '---'

---@param buf integer
---@param lines string[]
local function fill(buf, lines)
  vim.api.nvim_buf_set_lines(buf, 0, -1, false, lines)
  vim.bo[buf].modified = false
end

---@param text string
---@return string[]
local function words(text)
  local found = {}
  for word in vim.gsplit(text, ',', { plain = true, trimempty = true }) do
    if vim.trim(word) ~= '' then
      found[#found + 1] = vim.trim(word)
    end
  end
  return found
end

--- The places that words between commas name. A file's name may have a comma itself: what is no place alone may be one
--- together with what follows.
---@param typed string[]
---@param root string
---@param encoding 'utf-8'|'utf-16'|'utf-32'
---@return table[]? anchors
---@return string? problem
local function places(typed, root, encoding)
  local anchors, first = {}, 1
  while first <= #typed do
    local found, problem, last
    for stop = first, #typed do
      for _, comma in ipairs({ ',', ', ' }) do
        local anchor, why = require('memofs.place').parse(table.concat(typed, comma, first, stop), root, encoding)
        found, problem = found or anchor, problem or why
      end
      if found then
        last = stop
        break
      end
    end
    if not found then
      return nil, problem
    end
    anchors[#anchors + 1] = found
    first = last + 1
  end
  return anchors
end

--- What the lines of the buffer say, as `memofs/remember` takes it, or what is wrong and in which row.
---@param lines string[]
---@param root string
---@param encoding 'utf-8'|'utf-16'|'utf-32'
---@return table? params
---@return string? problem
---@return integer? row
function M.parse(lines, root, encoding)
  local rule
  for row, line in ipairs(lines) do
    if vim.trim(line) == RULE then
      rule = row
      break
    end
  end
  if not rule then
    return nil, ('a line with %s has to stand between the fields and the text'):format(RULE), #lines - 1
  end
  local params = { anchors = {} }
  for row = 1, rule - 1 do
    local line = lines[row]
    local name, value = line:match('^%s*(%a+):%s*(.-)%s*$')
    if not name and vim.trim(line) ~= '' then
      return nil, ('%q is no field: fields are %s'):format(line, table.concat(FIELDS, ', ')), row - 1
    end
    if name and not vim.tbl_contains(FIELDS, name) then
      return nil, ('there is no field %s: fields are %s'):format(name, table.concat(FIELDS, ', ')), row - 1
    end
    if name == 'kind' and value ~= '' then
      params.kind = value
    elseif name == 'title' and value ~= '' then
      params.title = value
    elseif (name == 'tags' or name == 'supersedes') and value ~= '' then
      params[name] = words(value)
    elseif name == 'anchors' then
      local anchors, problem = places(words(value), root, encoding)
      if not anchors then
        return nil, problem, row - 1
      end
      vim.list_extend(params.anchors, anchors)
    end
  end
  local body = vim.trim(table.concat(vim.list_slice(lines, rule + 1), '\n'))
  if body == '' then
    return nil, 'it says nothing yet: write below the line', #lines - 1
  end
  params.body = body
  return params
end

local namespace = vim.api.nvim_create_namespace('memofs.remember')

--- Drafts that a command such as `:wq` is about to close.
---@type table<integer, true>
local quitting = {}

--- The row of the draft that a refusal of the daemon is about: it counts the lines of the text.
---@param failure memofs.Failure
---@param lines string[]
---@return integer
local function row_of(failure, lines)
  local code = type(failure.data) == 'table' and failure.data.code
  local number = tonumber(failure.message:match('^line (%d+)'))
  if code == 'unknownKind' then
    return math.max(0, (vim.iter(ipairs(lines)):find(function(_, line)
      return line:match('^%s*kind:')
    end) or 1) - 1)
  end
  local row = 0
  while row < #lines and vim.trim(lines[row + 1]) ~= RULE do
    row = row + 1
  end
  row = row + 1
  while row < #lines and vim.trim(lines[row + 1]) == '' do
    row = row + 1
  end
  return number and row + number - 1 or 0
end

--- Say in the buffer and in a message why it was not saved.
---@param buf integer
---@param failure memofs.Failure
---@param row integer
local function refuse(buf, failure, row)
  local hint = type(failure.data) == 'table' and failure.data.hint or nil
  row = math.max(0, math.min(row, vim.api.nvim_buf_line_count(buf) - 1))
  vim.diagnostic.set(namespace, buf, {
    { lnum = row, col = 0, message = failure.message, source = 'memofs', severity = vim.diagnostic.severity.ERROR },
  })
  vim.b[buf].memofs_refused = type(failure.data) == 'table' and failure.data.code or 'refused'
  local leaving = quitting[buf]
  quitting[buf] = nil
  -- Neovim names the autocommand in front of an error in one.
  vim.schedule(function()
    require('memofs.message').error('not saved: ' .. failure.message, hint)
    if leaving and vim.api.nvim_buf_is_valid(buf) and vim.fn.bufwinid(buf) == -1 then
      vim.cmd('split') -- `:wq` closed the window all the same
      vim.api.nvim_win_set_buf(0, buf)
    end
  end)
end

--- What `:w!` lets through: only what kept the last `:w` from saving.
---@param params table
---@param refused any
local function override(params, refused)
  if refused == 'duplicate' then
    params.allowDuplicate = true
  elseif refused == 'secret' then
    params.allowSecrets = true
  end
end

--- A file that an anchor names and whose buffer the daemon does not see, so that it would take what is on disk.
---@param params table
---@param root string
---@return string?
local function unsaved(params, root)
  for _, anchor in ipairs(params.anchors) do
    local path = vim.fs.joinpath(root, anchor.path)
    local buf = require('memofs.buffers').of_path(path)
    if buf and vim.bo[buf].modified and not require('memofs.client').of_buffer(buf) then
      return anchor.path
    end
  end
end

--- Save what the buffer says: `BufWriteCmd`.
---@param buf integer
---@param bang boolean
function M.save(buf, bang)
  local root = vim.b[buf].memofs_root
  vim.diagnostic.reset(namespace, buf)
  local client = require('memofs.client').of_root(root)
  local lines = vim.api.nvim_buf_get_lines(buf, 0, -1, false)
  local encoding = require('memofs.client').encoding(client)
  local params, problem, row = M.parse(lines, root, encoding)
  if not params then
    refuse(buf, {
      code = 0,
      message = problem --[[@as string]],
    }, row or 0)
    return
  end
  local dirty = unsaved(params, root)
  if dirty and not (bang and vim.b[buf].memofs_refused == 'unsaved') then
    local hint = 'write it first, or :w! to anchor to what is on disk'
    refuse(buf, { code = 0, message = dirty .. ' has unsaved changes', data = { code = 'unsaved', hint = hint } }, 0)
    return
  end
  params.anchors = #params.anchors > 0 and params.anchors or nil
  params.source = 'user'
  if bang then
    override(params, vim.b[buf].memofs_refused)
  end
  local failure, result = require('memofs.requests').wait('memofs/remember', params, { root = root })
  if failure then
    if type(failure.data) == 'table' and failure.data.code == 'secret' then
      failure.data.hint = 'leave the value out, or :w! saves it all the same'
    end
    refuse(buf, failure, row_of(failure, lines))
    return
  end
  if result.duplicateOf then
    local same = result.duplicateOf
    local message = ('this is remembered already: %s (%s)'):format(same.title, same.id)
    refuse(buf, { code = 0, message = message, data = { code = 'duplicate', hint = ':w! saves it all the same' } }, 0)
    return
  end
  vim.bo[buf].modified = false
  vim.b[buf].memofs_refused = nil
  vim.b[buf].memofs_saved = result.memory.id
  local remarks = result.remarks or {}
  require('memofs.message').info(
    ('remembered: %s (%s)'):format(result.memory.title, result.memory.id),
    table.concat(remarks, '\n')
  )
  vim.schedule(function()
    local _, first = require('memofs.picker').text(result.memory)
    M.show_saved(buf, vim.uri_to_fname(result.memory.uri), first)
  end)
end

--- The memory is a file now: show that where its draft was.
---@param buf integer
---@param path string
---@param line integer
function M.show_saved(buf, path, line)
  if not vim.api.nvim_buf_is_valid(buf) or vim.bo[buf].modified then
    return
  end
  for _, win in ipairs(vim.fn.win_findbuf(buf)) do
    vim.api.nvim_win_call(win, function()
      require('memofs.scratch').edit(path, line)
    end)
  end
  vim.api.nvim_buf_delete(buf, { force = false })
end

--- A name that no draft has.
---@return string
local function free_name()
  local number = 1
  while true do
    local name = number == 1 and 'memofs://remember' or ('memofs://remember/%d'):format(number)
    local taken = vim.iter(vim.api.nvim_list_bufs()):any(function(buf)
      return vim.api.nvim_buf_get_name(buf) == name
    end)
    if not taken then
      return name
    end
    number = number + 1
  end
end

---@class memofs.Draft
---@field root string
---@field kind? string
---@field title? string
---@field supersedes? string
---@field selection? memofs.Selection
---@field how? 'split'|'vsplit'|'here'

--- Open a draft.
---@param what memofs.Draft
---@return integer buf
function M.open(what)
  local anchor = what.selection and require('memofs.place').typed(what.selection, what.root)
  if what.selection and not anchor then
    require('memofs.message').warn('this file is not in ' .. what.root, 'the memory starts without an anchor')
  end
  local buf = vim.api.nvim_create_buf(true, false)
  vim.api.nvim_buf_set_name(buf, free_name())
  vim.b[buf].memofs_root = what.root
  vim.bo[buf].buftype = 'acwrite'
  vim.bo[buf].swapfile = false
  local lines = {
    'kind: ' .. (what.kind or 'note'),
    'title: ' .. (what.title or ''),
    'tags: ',
    'anchors: ' .. (anchor or ''),
  }
  if what.supersedes then
    lines[#lines + 1] = 'supersedes: ' .. what.supersedes
  end
  vim.list_extend(lines, { RULE, '' })
  fill(buf, lines)
  vim.api.nvim_create_autocmd('QuitPre', {
    buffer = buf,
    callback = function()
      quitting[buf] = true
    end,
  })
  vim.api.nvim_create_autocmd('BufWriteCmd', {
    buffer = buf,
    callback = function(event)
      if event.match == vim.api.nvim_buf_get_name(buf) then
        M.save(buf, vim.v.cmdbang == 1)
      else -- `:w FILE` is about a file
        vim.fn.writefile(vim.api.nvim_buf_get_lines(buf, 0, -1, false), event.match)
      end
    end,
  })
  if what.how ~= 'here' then
    vim.cmd(what.how or 'split')
  end
  vim.api.nvim_win_set_buf(0, buf)
  vim.bo[buf].filetype = 'markdown'
  vim.bo[buf].omnifunc = "v:lua.require'memofs.completion'.omnifunc"
  vim.api.nvim_win_set_cursor(0, { #lines, 0 })
  -- The server is ready by the time the memory is written.
  require('memofs.client').with(what.root, function() end)
  return buf
end

return M
