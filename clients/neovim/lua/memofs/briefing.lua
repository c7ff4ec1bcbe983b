--- Briefings as buffers: markdown with folds; what was left out is shown where it belongs.
local M = {}

---@type integer
local count = 0

--- The fold level of a line: that of its heading. Quoted headings are the memories' own.
---@param row integer
---@return string
function M.fold(row)
  local line = vim.fn.getline(row)
  local marks = line:match('^(#+) ')
  if marks then
    return '>' .. math.max(1, #marks - 1)
  end
  if line:match('^%- mem_') then
    return '>2'
  end
  if line:match('^↳ ') then
    return '1'
  end
  return '='
end

---@param text string
---@return string[]
local function lines_of(text)
  return vim.split((text:gsub('\n+$', '')), '\n', { plain = true })
end

--- The cursor of what was left out, on this line or the next such line of the section.
---@param buf integer
---@param row integer 0-based
---@return string? cursor
---@return integer? row
local function cursor_at(buf, row)
  local lines = vim.api.nvim_buf_get_lines(buf, row, -1, false)
  for index, line in ipairs(lines) do
    if index > 1 and line:match('^## ') then
      return nil
    end
    local cursor = line:match('^↳ .*memofs expand (%S+)%s*$')
    if cursor then
      return cursor, row + index - 1
    end
  end
end

--- What `<CR>` does in a briefing: shows what was left out, or opens the memory under the cursor.
local function go()
  local line = vim.api.nvim_get_current_line()
  if line:match('^↳ ') then
    M.expand(nil, vim.b.memofs_root)
    return
  end
  local row = vim.api.nvim_win_get_cursor(0)[1]
  local id = vim.fn.expand('<cword>'):match('mem_%w+')
  while not id and row >= 1 do
    local above = vim.fn.getline(row)
    if above:match('^#+ ') then
      break
    end
    id = above:match('^%- (mem_%w+)')
    row = row - 1
  end
  if id then
    require('memofs.actions').show({ id }, vim.b.memofs_root)
  end
end

---@param name string
---@param lines string[]
---@param root string
---@param how? 'split'|'vsplit'|'tabnew'|'here'
local function show(name, lines, root, how)
  local buf = require('memofs.scratch').open({
    name = name,
    lines = lines,
    root = root,
    how = how or 'vsplit',
    filetype = 'markdown',
  })
  vim.bo[buf].bufhidden = 'hide'
  local window = vim.wo[0][0]
  window.foldmethod = 'expr'
  window.foldexpr = "v:lua.require'memofs.briefing'.fold(v:lnum)"
  window.foldlevel = 9
  window.wrap = true
  window.linebreak = true
  vim.keymap.set('n', '<CR>', go, { buffer = buf, desc = 'Show what was left out, or the memory under the cursor' })
  vim.api.nvim_win_set_cursor(0, { 1, 0 })
end

--- Ask for a briefing and show it.
---@param task string
---@param root string
---@param options? table as in `memofs/context`
function M.open(task, root, options)
  options = vim.tbl_extend('force', { root = root }, options or {})
  require('memofs').context(task, options, function(failure, result)
    if failure then
      require('memofs.message').failure(failure)
      return
    end
    count = count + 1
    show(('memofs://context/%d'):format(count), lines_of(result.text), root)
    if #(result.warnings or {}) > 0 then
      require('memofs.message').info(table.concat(result.warnings, '\n'))
    end
  end)
end

--- Show what a briefing left out: in its place if the cursor is in the briefing, else in a buffer of its own.
---@param cursor? string
---@param root string
function M.expand(cursor, root)
  local buf = vim.api.nvim_get_current_buf()
  local row
  if not cursor then
    cursor, row = cursor_at(buf, vim.api.nvim_win_get_cursor(0)[1] - 1)
    if not cursor then
      require('memofs.message').info(
        'nothing was left out here',
        'put the cursor into a section that ends with ↳ expand'
      )
      return
    end
  end
  local tick = vim.api.nvim_buf_get_changedtick(buf)
  require('memofs.requests').send('memofs/expand', { cursor = cursor }, function(failure, result)
    if failure then
      require('memofs.message').failure(failure)
      return
    end
    local lines = lines_of(result.text)
    if row and vim.api.nvim_buf_is_loaded(buf) and vim.api.nvim_buf_get_changedtick(buf) == tick then
      require('memofs.scratch').replace(buf, row, row + 1, lines)
    else
      show(('memofs://expand/%s'):format(cursor), lines, root)
    end
  end, { root = root })
end

return M
