--- The plugin's own picker: a prompt, a list under it and a preview beside them.
local M = {}

local TYPING_MS = 60
local namespace = vim.api.nvim_create_namespace('memofs.picker')

---@class memofs.Window
---@field pick memofs.Pick
---@field prompt { buf: integer, win: integer }
---@field list { buf: integer, win: integer }
---@field preview? { buf: integer, win: integer }
---@field items memofs.Item[]
---@field at integer
---@field asked integer
---@field answered integer
---@field cancel? fun()
---@field timer uv.uv_timer_t
---@field origin integer
---@field closed boolean

--- The picker that is open.
---@type memofs.Window?
local open

---@param title string?
---@param place { row: integer, col: integer, width: integer, height: integer }
---@param enter boolean
---@param focusable boolean
---@return { buf: integer, win: integer }
local function float(title, place, enter, focusable)
  local buf = vim.api.nvim_create_buf(false, true)
  vim.bo[buf].bufhidden = 'wipe'
  local win = vim.api.nvim_open_win(buf, enter, {
    relative = 'editor',
    style = 'minimal',
    border = 'rounded',
    title = title,
    focusable = focusable,
    row = place.row,
    col = place.col,
    width = place.width,
    height = place.height,
    zindex = 60,
  })
  vim.wo[win].winhighlight = 'NormalFloat:Normal'
  return { buf = buf, win = win }
end

---@param state memofs.Window
local function show_preview(state)
  local shown, item = state.preview, state.items[state.at]
  if not shown or not vim.api.nvim_win_is_valid(shown.win) then
    return
  end
  local lines = item and require('memofs.picker').preview(item) or {}
  vim.api.nvim_buf_set_lines(shown.buf, 0, -1, false, lines)
  if vim.bo[shown.buf].syntax ~= 'markdown' then
    vim.bo[shown.buf].syntax = 'markdown'
  end
  vim.api.nvim_win_set_cursor(shown.win, { 1, 0 })
end

---@param state memofs.Window
local function mark_selected(state)
  vim.api.nvim_buf_clear_namespace(state.list.buf, namespace, 0, -1)
  local kinds = require('memofs.picker').kind_cells(state.items)
  for row, item in ipairs(state.items) do
    vim.api.nvim_buf_set_extmark(state.list.buf, namespace, row - 1, 0, {
      end_col = math.min(#item.kind, #vim.fn.getbufline(state.list.buf, row)[1]),
      hl_group = 'MemofsKind',
    })
    local line = vim.fn.getbufline(state.list.buf, row)[1]
    local flags = require('memofs.picker').flags(item)
    if #flags > 0 then
      local from = #line - #table.concat(flags, ', ') - 2
      vim.api.nvim_buf_set_extmark(state.list.buf, namespace, row - 1, math.max(0, from), {
        end_col = #line,
        hl_group = 'MemofsFlag',
      })
    end
    for _, span in ipairs(item.matches and item.matches.title or {}) do
      local position = require('memofs.position')
      local encoding = require('memofs.client').encoding(require('memofs.client').of_root(state.pick.root))
      local start = #item.kind + (' '):rep(kinds - vim.fn.strdisplaywidth(item.kind)):len() + 2
      local from = start + position.to_byte(item.title, span[1], encoding)
      local to = math.min(start + position.to_byte(item.title, span[2], encoding), #line)
      if from < to then
        vim.api.nvim_buf_set_extmark(
          state.list.buf,
          namespace,
          row - 1,
          from,
          { end_col = to, hl_group = 'MemofsMatch' }
        )
      end
    end
  end
  if #state.items > 0 then
    vim.api.nvim_buf_set_extmark(state.list.buf, namespace, state.at - 1, 0, { line_hl_group = 'MemofsSelected' })
    vim.api.nvim_win_set_cursor(state.list.win, { state.at, 0 })
  end
  show_preview(state)
end

---@param state memofs.Window
---@param items memofs.Item[]
---@param note? string
local function show(state, items, note)
  if state.closed then
    return
  end
  state.items, state.at = items, 1
  local picker, cells = require('memofs.picker'), vim.api.nvim_win_get_width(state.list.win)
  local kinds = picker.kind_cells(items)
  local lines = vim.tbl_map(function(item)
    return picker.line(item, kinds, cells)
  end, items)
  if #lines == 0 then
    lines = { (note or 'no memory found'):gsub('%c', ' ') .. '' }
  end
  vim.wo[state.list.win].wrap = #items == 0
  local counted = #items == 1 and '1 memory' or ('%d memories'):format(#items)
  if note and vim.fn.strdisplaywidth(note) < cells - 4 then
    counted = note
  end
  vim.api.nvim_buf_set_lines(state.list.buf, 0, -1, false, lines)
  vim.api.nvim_win_set_config(state.list.win, { title = (' %s '):format(counted) })
  mark_selected(state)
end

---@param state memofs.Window
---@return string
local function query_of(state)
  return vim.api.nvim_buf_get_lines(state.prompt.buf, 0, 1, false)[1] or ''
end

---@param state memofs.Window
local function search(state)
  local query = query_of(state)
  if state.pick.items then
    local items = state.pick.items --[[@as memofs.Item[] ]]
    if query ~= '' then
      local rows = vim.tbl_map(function(item)
        return { text = require('memofs.picker').line(item), item = item }
      end, items)
      items = vim.tbl_map(function(row)
        return row.item
      end, vim.fn.matchfuzzy(rows, query, { key = 'text' }))
    end
    show(state, items)
    return
  end
  if state.cancel then
    state.cancel()
  end
  state.asked = state.asked + 1
  local number = state.asked
  state.cancel = state.pick.source(query, function(items, note)
    if number == state.asked then
      state.answered = number
      state.cancel = nil
      show(state, items, note)
    end
  end)
end

---@param state memofs.Window
local function close(state)
  if state.closed then
    return
  end
  state.closed = true
  open = nil
  state.timer:stop()
  state.timer:close()
  if state.cancel then
    state.cancel()
  end
  vim.cmd.stopinsert()
  for _, part in ipairs({ state.preview, state.list, state.prompt }) do
    if vim.api.nvim_win_is_valid(part.win) then
      vim.api.nvim_win_close(part.win, true)
    end
  end
  if vim.api.nvim_win_is_valid(state.origin) then
    vim.api.nvim_set_current_win(state.origin)
  end
end

--- The keys of the prompt; the help is made from this.
M.keys = {
  { keys = { '<CR>' }, doc = 'open the memory' },
  { keys = { '<C-s>', '<C-x>' }, doc = 'open it in a split' },
  { keys = { '<C-v>' }, doc = 'open it in a vertical split' },
  { keys = { '<C-t>' }, doc = 'open it in a tab page' },
  { keys = { '<C-g>' }, doc = 'go to the code it is tied to' },
  { keys = { '<C-n>', '<Down>' }, doc = 'the next one' },
  { keys = { '<C-p>', '<Up>' }, doc = 'the one before' },
  { keys = { '<C-d>' }, doc = 'scroll the preview down' },
  { keys = { '<C-u>' }, doc = 'scroll the preview up' },
  { keys = { '<Esc>', '<C-c>' }, doc = 'close' },
}

---@param state memofs.Window
local function map(state)
  local function accept(how)
    return function()
      local item = state.items[state.at]
      if item then
        close(state)
        -- Leaving insert mode takes effect when the map is done.
        vim.schedule(function()
          require('memofs.picker').done(state.pick, item, how)
        end)
      end
    end
  end
  local function move(by)
    return function()
      if #state.items > 0 then
        state.at = (state.at - 1 + by) % #state.items + 1
        mark_selected(state)
      end
    end
  end
  local function scroll(keys)
    return function()
      if state.preview then
        vim.api.nvim_win_call(state.preview.win, function()
          vim.cmd('normal! ' .. vim.keycode(keys))
        end)
      end
    end
  end
  local work = {
    accept('edit'),
    accept('split'),
    accept('vsplit'),
    accept('tabedit'),
    accept('code'),
    move(1),
    move(-1),
    scroll('<C-d>'),
    scroll('<C-u>'),
    function()
      close(state)
    end,
  }
  for index, entry in ipairs(M.keys) do
    for _, key in ipairs(entry.keys) do
      vim.keymap.set({ 'i', 'n' }, key, work[index], { buffer = state.prompt.buf, nowait = true, desc = entry.doc })
    end
  end
end

---@param pick memofs.Pick
function M.open(pick)
  if open then
    close(open)
  end
  require('memofs.signs').define_groups()
  local width, height = vim.o.columns, vim.o.lines - vim.o.cmdheight - 1
  local whole = math.min(width - 4, math.max(40, math.floor(width * 0.85)))
  local rows = math.max(4, math.min(math.floor(height * 0.7), height - 8))
  local beside = whole >= 80
  local left = beside and math.floor(whole * 0.45) or whole
  local row, column = math.max(0, math.floor((height - rows - 5) / 2)), math.max(0, math.floor((width - whole - 2) / 2))
  local origin = vim.api.nvim_get_current_win()
  local list = float(nil, { row = row + 3, col = column, width = left, height = rows }, false, false)
  local preview = beside
      and float(nil, { row = row, col = column + left + 2, width = whole - left - 2, height = rows + 3 }, false, false)
    or nil
  local title = require('memofs.message').cut((pick.title:gsub('%c', ' ')), left - 4)
  local prompt = float((' %s '):format(title), { row = row, col = column, width = left, height = 1 }, true, true)
  ---@type memofs.Window
  local state = {
    pick = pick,
    prompt = prompt,
    list = list,
    preview = preview,
    items = {},
    at = 1,
    asked = 0,
    answered = 0,
    timer = assert(vim.uv.new_timer()),
    origin = origin,
    closed = false,
  }
  open = state
  if preview then
    vim.wo[preview.win].wrap = true
    vim.wo[preview.win].linebreak = true
    vim.wo[preview.win].fillchars = 'eob: ,lastline: '
  end
  vim.wo[list.win].linebreak = true
  vim.wo[list.win].wrap = false
  vim.api.nvim_buf_set_lines(prompt.buf, 0, -1, false, { pick.query or '' })
  map(state)
  vim.api.nvim_create_autocmd({ 'TextChangedI', 'TextChanged', 'TextChangedP' }, {
    buffer = prompt.buf,
    callback = function()
      state.timer:start(
        TYPING_MS,
        0,
        vim.schedule_wrap(function()
          if not state.closed then
            search(state)
          end
        end)
      )
    end,
  })
  vim.api.nvim_create_autocmd('WinLeave', {
    buffer = prompt.buf,
    callback = function()
      vim.schedule(function()
        close(state)
      end)
    end,
  })
  vim.b[prompt.buf].completion = false
  search(state)
  vim.cmd('startinsert!')
end

--- What the open picker shows, for tests and other plugins.
---@return { query: string, items: memofs.Item[], at: integer, settled: boolean, preview: string[] }?
function M.state()
  if not open then
    return nil
  end
  return {
    query = query_of(open),
    items = open.items,
    at = open.at,
    settled = open.pick.items ~= nil or open.answered == open.asked,
    preview = open.preview and vim.api.nvim_buf_get_lines(open.preview.buf, 0, -1, false) or {},
  }
end

return M
