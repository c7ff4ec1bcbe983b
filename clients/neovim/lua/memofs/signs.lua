--- Signs, virtual text and highlights where memories are tied to code, and who is told when one goes stale.
---
--- What is shown belongs to the text that was asked about: an answer for an older text is dropped, for another follows.
local M = {}

local namespace = vim.api.nvim_create_namespace('memofs')

---@class memofs.Shown
---@field rows memofs.AnchorRow[]
---@field stale table<string, memofs.AnchorRow> by memory and index
---@field memories integer
---@field asking boolean
---@field again boolean

---@type table<integer, memofs.Shown>
local shown = {}

--- The groups and what they are linked to unless a colour scheme says otherwise.
M.groups = {
  { name = 'MemofsSign', link = 'DiagnosticSignInfo', doc = 'the sign of a memory that fits its code' },
  { name = 'MemofsSignStale', link = 'DiagnosticSignWarn', doc = 'the sign of one that may not' },
  { name = 'MemofsText', link = 'LspCodeLens', doc = 'virtual text' },
  { name = 'MemofsTextStale', link = 'DiagnosticVirtualTextWarn', doc = 'virtual text of a stale memory' },
  { name = 'MemofsAnchor', link = 'LspReferenceText', doc = 'code that a memory is tied to' },
  { name = 'MemofsAnchorStale', link = 'DiagnosticUnderlineWarn', doc = 'code whose memory is stale' },
  { name = 'MemofsKind', link = 'Type', doc = 'the kind of a memory in pickers' },
  { name = 'MemofsFlag', link = 'DiagnosticWarn', doc = 'flags in pickers' },
  { name = 'MemofsMatch', link = 'Special', doc = 'what matched in pickers' },
  { name = 'MemofsSelected', link = 'CursorLine', doc = 'the chosen line of the picker' },
}

--- Where this plugin has signs of its own, the diagnostics of its server make none: they would cover them.
---@param client vim.lsp.Client
function M.own_signs(client)
  if require('memofs.config').get().signs == 'off' then
    return
  end
  local function signs(namespace_of, buf)
    if not require('memofs.actions').is_memory(buf) then
      return false
    end
    local given = vim.diagnostic.config().signs
    if type(given) == 'function' then
      given = given(namespace_of, buf)
    end
    return given
  end
  for _, is_pull in ipairs({ false, true }) do
    vim.diagnostic.config({ signs = signs }, vim.lsp.diagnostic.get_namespace(client.id, is_pull))
  end
end

--- Define the groups; a colour scheme's own stay.
function M.define_groups()
  for _, group in ipairs(M.groups) do
    vim.api.nvim_set_hl(0, group.name, { link = group.link, default = true })
  end
end

local prepared = false
local function prepare()
  if prepared then
    return
  end
  prepared = true
  M.define_groups()
  local group = vim.api.nvim_create_augroup('memofs.signs', {})
  vim.api.nvim_create_autocmd('ColorScheme', { group = group, callback = M.define_groups })
  vim.api.nvim_create_autocmd('LspDetach', {
    group = group,
    callback = function(event)
      local client = vim.lsp.get_client_by_id(event.data.client_id)
      if client and client.name == 'memofs' then
        M.forget({ [event.buf] = true })
      end
    end,
  })
  vim.api.nvim_create_autocmd('BufWipeout', {
    group = group,
    callback = function(event)
      shown[event.buf] = nil
    end,
  })
end

---@param row memofs.AnchorRow
---@param scope 'lens'|'diagnostics'
---@return boolean
local function is_muted(row, scope)
  return vim.tbl_contains(row.muted or {}, scope)
end

--- Whether an anchor is shown as stale: a muted warning is not.
---@param row memofs.AnchorRow
---@return boolean
local function is_stale(row)
  return (row.verdict == 'changed' or row.verdict == 'missing') and not is_muted(row, 'diagnostics')
end

---@param setting 'all'|'stale'|'off'
---@param stale boolean
local function wanted(setting, stale)
  return setting == 'all' or (setting == 'stale' and stale)
end

---@param buf integer
---@param rows memofs.AnchorRow[]
---@param encoding 'utf-8'|'utf-16'|'utf-32'
local function draw(buf, rows, encoding)
  local config = require('memofs.config').get()
  local position = require('memofs.position')
  vim.api.nvim_buf_clear_namespace(buf, namespace, 0, -1)
  ---@type table<integer, { stale: boolean, titles: string[], seen: table<string, true> }>
  local lines = {}
  for _, anchor in ipairs(rows) do
    local stale = is_stale(anchor)
    local row = 0
    if anchor.range then
      local column, end_row, end_column
      row, column, end_row, end_column = position.from_range(buf, anchor.range, encoding)
      if wanted(config.highlights, stale) then
        vim.api.nvim_buf_set_extmark(buf, namespace, row, column, {
          end_row = end_row,
          end_col = end_column,
          hl_group = stale and 'MemofsAnchorStale' or 'MemofsAnchor',
          strict = false,
        })
      end
    end
    local line = lines[row] or { stale = false, titles = {}, seen = {} }
    lines[row] = line
    line.stale = line.stale or stale
    if wanted(config.virtual_text, stale) and not line.seen[anchor.memory] then
      line.seen[anchor.memory] = true
      line.titles[#line.titles + 1] = anchor.title
    end
  end
  for row, line in pairs(lines) do
    local mark = { priority = config.sign_priority, hl_mode = 'combine', strict = false }
    if wanted(config.signs, line.stale) then
      mark.sign_text = line.stale and config.sign_text.stale or config.sign_text.anchor
      mark.sign_hl_group = line.stale and 'MemofsSignStale' or 'MemofsSign'
    end
    if #line.titles > 0 then
      local text = (table.concat(line.titles, ' · '):gsub('%c', ' '))
      mark.virt_text = { { '  ' .. text, line.stale and 'MemofsTextStale' or 'MemofsText' } }
    end
    if mark.sign_text or mark.virt_text then
      vim.api.nvim_buf_set_extmark(buf, namespace, row, 0, mark)
    end
  end
end

---@param buf integer
---@param rows memofs.AnchorRow[]
local function remember(buf, rows)
  local entry = shown[buf]
  local before = entry.stale
  local memories, stale, added, count = {}, {}, {}, 0
  for _, row in ipairs(rows) do
    if not memories[row.memory] then
      memories[row.memory] = true
      count = count + 1
    end
    if is_stale(row) then
      local key = row.memory .. '#' .. row.anchorIndex
      stale[key] = row
      if not before[key] then
        added[#added + 1] = row
      end
    end
  end
  entry.rows, entry.stale, entry.memories = rows, stale, count
  if #added > 0 then
    vim.api.nvim_exec_autocmds('User', {
      pattern = 'MemofsStale',
      modeline = false,
      data = { buf = buf, added = added, stale = vim.tbl_values(stale) },
    })
  end
  require('memofs.statusline').changed()
end

---@param row memofs.AnchorRow
---@param name string
---@return boolean
local function is_in(row, name)
  local there = vim.uri_to_fname(row.uri)
  return there == name or vim.uv.fs_realpath(there) == vim.uv.fs_realpath(name)
end

--- Ask what a buffer's anchors are, and show it.
---@param buf integer
---@param client vim.lsp.Client
function M.refresh(buf, client)
  if not vim.api.nvim_buf_is_loaded(buf) then
    return
  end
  prepare()
  local entry = shown[buf] or { rows = {}, stale = {}, memories = 0, asking = false, again = false }
  shown[buf] = entry
  if entry.asking then
    entry.again = true
    return
  end
  entry.asking, entry.again = true, false
  local tick = vim.api.nvim_buf_get_changedtick(buf)
  local params = { textDocument = { uri = vim.uri_from_bufnr(buf) } }
  require('memofs.requests').send('memofs/anchors', params, function(failure, result)
    entry.asking = false
    if shown[buf] ~= entry or not vim.api.nvim_buf_is_loaded(buf) then
      return
    end
    if not failure and vim.api.nvim_buf_get_changedtick(buf) == tick and client.attached_buffers[buf] then
      local name = vim.api.nvim_buf_get_name(buf)
      local rows = vim.tbl_filter(function(row)
        return is_in(row, name) and (is_stale(row) or not is_muted(row, 'lens'))
      end, result.anchors)
      draw(buf, rows, require('memofs.client').encoding(client))
      remember(buf, rows)
    end
    if entry.again then
      M.refresh(buf, client)
    end
  end, { root = client.config.root_dir, buf = buf })
end

--- The server of these buffers is gone: nothing is known of them.
---@param buffers table<integer, true>
function M.forget(buffers)
  for buf in pairs(buffers) do
    shown[buf] = nil
    if vim.api.nvim_buf_is_loaded(buf) then
      vim.api.nvim_buf_clear_namespace(buf, namespace, 0, -1)
    end
  end
end

--- What is known of a buffer: its anchors, how many memories, how many stale anchors.
---@param buf integer
---@return { anchors: memofs.AnchorRow[], memories: integer, stale: integer }
function M.of(buf)
  local entry = shown[buf]
  if not entry then
    return { anchors = {}, memories = 0, stale = 0 }
  end
  return { anchors = entry.rows, memories = entry.memories, stale = vim.tbl_count(entry.stale) }
end

return M
