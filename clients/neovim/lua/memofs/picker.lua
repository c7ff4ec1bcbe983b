--- Choosing a memory: one interface, and whichever picker there is behind it.
local M = {}

---@alias memofs.How 'edit'|'split'|'vsplit'|'tabedit'|'code'

--- Answers a query later, and returns what cancels it.
---@alias memofs.Source fun(query: string, answer: fun(items: memofs.Item[], note: string?)): fun()

---@class memofs.Pick
---@field title string
---@field root string
---@field items? memofs.Item[] what to choose from, or
---@field source? memofs.Source asked as somebody types
---@field query? string
---@field on_choice? fun(item: memofs.Item, how: memofs.How) instead of opening it
---@field always? boolean show even a single item

--- The pickers that can be asked for, and how they are found.
local ADAPTERS = {
  { name = 'snacks', module = 'memofs.picker.snacks', needs = 'snacks' },
  { name = 'telescope', module = 'memofs.picker.telescope', needs = 'telescope' },
  { name = 'fzf-lua', module = 'memofs.picker.fzf', needs = 'fzf-lua' },
}

---@param name string
---@return boolean
local function is_installed(name)
  if package.loaded[name] then
    return true
  end
  local path = name:gsub('%.', '/')
  return #vim.api.nvim_get_runtime_file(('lua/%s.lua'):format(path), false) > 0
    or #vim.api.nvim_get_runtime_file(('lua/%s/init.lua'):format(path), false) > 0
end

--- Whether another plugin has put its own in the place of |vim.ui.select()|.
---@return boolean
local function is_select_replaced()
  local source = debug.getinfo(vim.ui.select, 'S').source
  return not source:match('vim/ui%.lua$')
end

--- The module of the picker that the settings ask for.
---@return string module
---@return string name
function M.chosen()
  local wanted = require('memofs.config').get().picker
  for _, adapter in ipairs(ADAPTERS) do
    if wanted == adapter.name or (wanted == 'auto' and is_installed(adapter.needs)) then
      if is_installed(adapter.needs) then
        return adapter.module, adapter.name
      end
      require('memofs.message').warn(adapter.name .. ' is not installed', 'the setting picker names it')
      break
    end
  end
  if wanted == 'select' or (wanted == 'auto' and is_select_replaced()) then
    return 'memofs.picker.select', 'select'
  end
  return 'memofs.picker.window', 'window'
end

--- What somebody should know of a memory before relying on it. How it was found is not of that kind.
local TOLD = { stale = true, unverified = true, superseded = true, retired = true, pending = true }

--- The flags of a memory that are told.
---@param item memofs.Item
---@return string[]
function M.flags(item)
  return vim.tbl_filter(function(flag)
    return TOLD[flag]
  end, item.flags or {})
end

--- A memory on one line.
---@param item memofs.Item
---@param kind? integer the cells of the column of kinds
---@param cells? integer of the whole line: a title that is longer is cut
---@return string
function M.line(item, kind, cells)
  local flags = M.flags(item)
  local told = #flags > 0 and ('  [%s]'):format(table.concat(flags, ', ')) or ''
  local before = item.kind .. (' '):rep((kind or 0) - vim.fn.strdisplaywidth(item.kind)) .. '  '
  local title = item.title:gsub('%c', ' ')
  if cells then
    title = require('memofs.message').cut(title, cells - vim.fn.strdisplaywidth(before .. told))
  end
  return before .. title .. told
end

--- How many cells a column of these memories' kinds takes.
---@param items memofs.Item[]
---@return integer
function M.kind_cells(items)
  local most = 0
  for _, item in ipairs(items) do
    most = math.max(most, vim.fn.strdisplaywidth(item.kind))
  end
  return most
end

--- Go to what a memory says, or with `code` to the first code that it is tied to.
---@param item memofs.Item
---@param how? memofs.How
function M.open(item, how)
  local scratch = require('memofs.scratch')
  if how == 'code' then
    local anchor = item.anchors and item.anchors[1]
    if not anchor then
      require('memofs.message').info('this memory is tied to no code')
      return
    end
    scratch.edit(vim.uri_to_fname(anchor.uri), anchor.range and anchor.range.start.line or 0)
    return
  end
  local _, row = M.text(item)
  scratch.edit(vim.uri_to_fname(item.uri), row, how --[[@as 'edit'?]])
end

--- What was chosen: do with it what was asked for.
---@param pick memofs.Pick
---@param item memofs.Item
---@param how memofs.How
function M.done(pick, item, how)
  if pick.on_choice then
    pick.on_choice(item, how)
  else
    M.open(item, how)
  end
end

--- The lines of a memory's file, and the first that is not front matter.
---@param item memofs.Item
---@return string[] lines
---@return integer row
function M.text(item)
  local path = vim.uri_to_fname(item.uri)
  local buf = require('memofs.buffers').of_path(path)
  ---@type string[]
  local lines
  if buf then
    lines = vim.api.nvim_buf_get_lines(buf, 0, -1, false)
  elseif vim.fn.filereadable(path) == 1 then
    lines = vim.fn.readfile(path)
  else
    return { 'cannot be read: ' .. path }, 0
  end
  if item.line > 0 or lines[1] ~= '---' then
    return lines, item.line
  end
  for row = 2, #lines do
    if lines[row] == '---' then
      return lines, row
    end
  end
  return lines, 0
end

--- Lines to show beside the list: what the memory is, what it is tied to, and what it says.
---@param item memofs.Item
---@return string[]
function M.preview(item)
  local lines, row = M.text(item)
  local day = (item.verified or item.updated or item.created or ''):sub(1, 10)
  local about = vim.list_extend({ item.kind, day ~= '' and day or nil }, M.flags(item))
  local shown = { '# ' .. item.title, '', table.concat(about, ' · ') }
  for _, anchor in ipairs(item.anchors or {}) do
    local where = anchor.symbol and '#' .. anchor.symbol
      or anchor.range and (':%d'):format(anchor.range.start.line + 1)
      or ''
    local stale = (anchor.verdict == 'changed' or anchor.verdict == 'missing') and (' (%s)'):format(anchor.verdict)
      or ''
    shown[#shown + 1] = '- `' .. anchor.path .. where .. '`' .. stale
  end
  shown[#shown + 1] = ''
  for index = 1, #shown do
    shown[index] = shown[index]:gsub('%c', ' ')
  end
  return vim.list_extend(shown, lines, row + 1)
end

--- Let the person choose. With one item and no search there is nothing to choose.
---@param pick memofs.Pick
function M.pick(pick)
  if pick.items and #pick.items == 1 and not pick.always then
    M.done(pick, pick.items[1], 'edit')
    return
  end
  local mode = vim.api.nvim_get_mode().mode:sub(1, 1)
  if pick.items and (mode == 'i' or mode == 'R' or mode == 'c') then
    -- The answer took its time, and somebody types by now: the picker would take the keys.
    vim.api.nvim_create_autocmd('ModeChanged', {
      pattern = '*:n',
      once = true,
      callback = vim.schedule_wrap(function()
        M.pick(pick)
      end),
    })
    return
  end
  require(M.chosen()).open(pick)
end

--- A source that recalls as somebody types; of several answers under way the last asked for counts.
---@param root string
---@param more? table further params of the recall
---@return memofs.Source
function M.recalling(root, more)
  return function(query, answer)
    local limit = require('memofs.config').get().picker_limit
    local params = vim.tbl_extend('force', { limit = limit }, more or {}, { query = query, wait = false })
    return require('memofs').recall_raw(params, root, function(failure, result)
      if failure then
        answer({}, failure.message)
      elseif result.notice == 'nothingRelevant' then
        answer({}, 'nothing relevant')
      else
        answer(result.hits, result.notice == 'emptyQuery' and 'recent memories' or nil)
      end
    end)
  end
end

return M
