--- Places in code as a person types them, `FILE`, `FILE:LINE[:COLUMN][-LINE[:COLUMN]]` or `FILE#SYMBOL`, as on the
--- command line: lines and columns count from 1, the last line is meant too, a last column is the first that is not.
local M = {}

--- The path of a file as its workspace names it; nil outside of it.
---@param path string
---@param root string
---@return string?
function M.relative(path, root)
  path, root = vim.fs.normalize(path), vim.fs.normalize(root)
  for _, pair in ipairs({ { path, root }, { vim.uv.fs_realpath(path) or path, vim.uv.fs_realpath(root) or root } }) do
    if vim.startswith(pair[1], pair[2] .. '/') then
      return pair[1]:sub(#pair[2] + 2)
    end
  end
end

---@class memofs.Selection rows are 0-based, columns bytes; without columns whole lines are meant
---@field buf integer
---@field first integer
---@field last integer
---@field from? integer
---@field to? integer excluded

--- What a command's range selects: lines, or where a part of one line was selected by characters, that part.
---@param given vim.api.keyset.create_user_command.command_args
---@return memofs.Selection?
function M.selection(given)
  if given.range == 0 then
    return nil
  end
  local buf = vim.api.nvim_get_current_buf()
  local start, stop = vim.api.nvim_buf_get_mark(buf, '<'), vim.api.nvim_buf_get_mark(buf, '>')
  local found = { buf = buf, first = given.line1 - 1, last = given.line2 - 1 }
  local by_marks = start[1] == given.line1 and stop[1] == given.line2
  if by_marks and vim.fn.visualmode() == 'v' and given.line1 == given.line2 then
    local line = vim.api.nvim_buf_get_lines(buf, stop[1] - 1, stop[1], false)[1] or ''
    -- The mark is at the first byte of the last character that is selected.
    local to = math.min(#line, stop[2] + #vim.fn.matchstr(line:sub(stop[2] + 1), '.'))
    if start[2] > #line:match('^%s*') or to < #line:gsub('%s+$', '') then
      found.from, found.to = start[2], to
    end
  end
  return found
end

--- A selection as an anchor is typed.
---@param selection memofs.Selection
---@param root string
---@return string?
function M.typed(selection, root)
  local path = M.relative(vim.api.nvim_buf_get_name(selection.buf), root)
  if not path then
    return nil
  end
  if selection.from then
    local line = vim.api.nvim_buf_get_lines(selection.buf, selection.first, selection.first + 1, false)[1]
    local from, to = vim.fn.strchars(line:sub(1, selection.from)), vim.fn.strchars(line:sub(1, selection.to))
    return ('%s:%d:%d-%d:%d'):format(path, selection.first + 1, from + 1, selection.last + 1, to + 1)
  end
  if selection.first == selection.last then
    return ('%s:%d'):format(path, selection.first + 1)
  end
  return ('%s:%d-%d'):format(path, selection.first + 1, selection.last + 1)
end

--- A selection as the wire takes it.
---@param selection memofs.Selection
---@param encoding 'utf-8'|'utf-16'|'utf-32'
---@return { uri: string, range: memofs.Range }
function M.target(selection, encoding)
  local last = vim.api.nvim_buf_get_lines(selection.buf, selection.last, selection.last + 1, false)[1] or ''
  return {
    uri = vim.uri_from_bufnr(selection.buf),
    range = require('memofs.position').to_range(
      selection.buf,
      selection.first,
      selection.from or 0,
      selection.last,
      selection.to or #last,
      encoding
    ),
  }
end

--- The line of a file as its buffer, else the disk, has it.
---@param path string
---@param row integer
---@return string
local function line_of(path, row)
  local buf = require('memofs.buffers').of_path(path)
  if buf then
    return vim.api.nvim_buf_get_lines(buf, row, row + 1, false)[1] or ''
  end
  local ok, lines = pcall(vim.fn.readfile, path, '', row + 1)
  return ok and lines[row + 1] or ''
end

---@param line string
---@param characters integer code points
---@param encoding 'utf-8'|'utf-16'|'utf-32'
local function to_units(line, characters, encoding)
  local bytes = vim.fn.byteidxcomp(line, characters)
  return require('memofs.position').to_character(line, bytes == -1 and #line or bytes, encoding)
end

--- What was typed as the wire takes it, or what is wrong with it.
---@param text string
---@param root string
---@param encoding 'utf-8'|'utf-16'|'utf-32'
---@return table? anchor
---@return string? problem
function M.parse(text, root, encoding)
  text = vim.trim(text)
  local function there(name)
    local found = name ~= '' and vim.uv.fs_stat(vim.fs.joinpath(root, name))
    return found and found.type == 'file'
  end
  if there(text) then
    return { path = text }
  end
  local file, symbol = text:match('^(.+)#([^#]+)$')
  if file and there(file) then
    return { path = file, symbol = vim.trim(symbol) }
  end
  local place = vim.fn.matchlist(text, [[\v^(.{-1,})\:(\d+)%(\:(\d+))?%(-(\d+)%(\:(\d+))?)?$]])
  if #place == 0 then
    return nil, ('there is no file %s'):format(text)
  end
  local path = place[2]
  if not there(path) then
    return nil, ('there is no file %s'):format(path)
  end
  local first, column = tonumber(place[3]), tonumber(place[4])
  local last, stop = tonumber(place[5]) or first, tonumber(place[6])
  if first < 1 or column == 0 or stop == 0 or last < first then
    return nil, ('%s: lines and columns count from 1, the last not before the first'):format(text)
  end
  local full = vim.fs.joinpath(root, path)
  local end_line = line_of(full, last - 1)
  return {
    path = path,
    range = {
      start = { line = first - 1, character = to_units(line_of(full, first - 1), (column or 1) - 1, encoding) },
      ['end'] = {
        line = last - 1,
        character = to_units(end_line, stop and stop - 1 or vim.fn.strchars(end_line), encoding),
      },
    },
  }
end

return M
