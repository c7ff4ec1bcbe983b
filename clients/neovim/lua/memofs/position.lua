--- Columns in bytes, as Neovim counts them, and characters, as the wire does.
local M = {}

--- How many characters the first `bytes` bytes of a line are.
---@param line string
---@param bytes integer
---@param encoding 'utf-8'|'utf-16'|'utf-32'
---@return integer
function M.to_character(line, bytes, encoding)
  bytes = math.max(0, math.min(bytes, #line))
  if encoding == 'utf-8' then
    return bytes
  end
  local before = line:sub(1, bytes)
  if encoding == 'utf-16' then
    return vim.fn.strutf16len(before, 1)
  end
  return vim.fn.strchars(before)
end

--- How many bytes the first `character` characters of a line have.
---@param line string
---@param character integer
---@param encoding 'utf-8'|'utf-16'|'utf-32'
---@return integer
function M.to_byte(line, character, encoding)
  if encoding == 'utf-8' then
    return math.min(character, #line)
  end
  local found = encoding == 'utf-16' and vim.fn.byteidxcomp(line, character, true)
    or vim.fn.byteidxcomp(line, character)
  return found == -1 and #line or found
end

---@param buf integer
---@param row integer 0-based
---@return string
local function line_of(buf, row)
  return vim.api.nvim_buf_get_lines(buf, row, row + 1, false)[1] or ''
end

--- A range of the wire as rows and byte columns of a buffer, within what the buffer has.
---@param buf integer
---@param range memofs.Range
---@param encoding 'utf-8'|'utf-16'|'utf-32'
---@return integer row, integer column, integer end_row, integer end_column
function M.from_range(buf, range, encoding)
  local last = vim.api.nvim_buf_line_count(buf) - 1
  local row, end_row = math.min(range.start.line, last), math.min(range['end'].line, last)
  local column = M.to_byte(line_of(buf, row), range.start.character, encoding)
  local end_column = M.to_byte(line_of(buf, end_row), range['end'].character, encoding)
  if range['end'].line > last then
    end_column = #line_of(buf, last)
  end
  return row, column, end_row, end_column
end

--- Rows and byte columns of a buffer as a range of the wire.
---@param buf integer
---@param row integer
---@param column integer
---@param end_row integer
---@param end_column integer
---@param encoding 'utf-8'|'utf-16'|'utf-32'
---@return memofs.Range
function M.to_range(buf, row, column, end_row, end_column, encoding)
  return {
    start = { line = row, character = M.to_character(line_of(buf, row), column, encoding) },
    ['end'] = { line = end_row, character = M.to_character(line_of(buf, end_row), end_column, encoding) },
  }
end

return M
