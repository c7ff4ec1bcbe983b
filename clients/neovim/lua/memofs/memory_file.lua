--- What memory files need besides markdown: folds, and `gf` on paths of the workspace.
local M = {}

--- The row of the line that ends the front matter; 0 if there is none.
---@return integer
local function front_matter_end()
  if vim.fn.getline(1) ~= '---' then
    return 0
  end
  for row = 2, math.min(200, vim.fn.line('$')) do
    if vim.fn.getline(row) == '---' then
      return row
    end
  end
  return 0
end

--- Whether a line of the front matter belongs to the mark of an anchor: long, and for the daemon alone.
---@param row integer
---@return boolean
local function is_mark(row)
  local line = vim.fn.getline(row)
  while row > 2 and not line:match('^%s*%-?%s*[%l_]+:%s') and not line:match('^%s*%-?%s*[%l_]+:$') do
    row = row - 1
    line = vim.fn.getline(row)
  end
  return line:match('^%s+mark:') ~= nil
end

--- The fold level of a line: the front matter is a fold, its marks are folds in it, and so is each section.
---@param row integer
---@return string
function M.fold(row)
  local last = front_matter_end()
  if last > 0 and row <= last then
    if row == 1 or row == last or not is_mark(row) then
      return row == 1 and '>1' or '1'
    end
    return vim.fn.getline(row):match('^%s+mark:') and '>2' or '2'
  end
  if vim.fn.getline(row):match('^#+ ') then
    return '>1'
  end
  return row == last + 1 and '0' or '='
end

--- What is shown of a closed fold: its first line, of a mark only that there is one.
---@return string
function M.fold_text()
  local line = vim.fn.getline(vim.v.foldstart)
  local mark = line:match('^%s+mark:')
  return mark and mark .. ' …' or ('%s  (%d lines)'):format(line, vim.v.foldend - vim.v.foldstart + 1)
end

--- The file that a name in a memory means: anchors are relative to the workspace.
---@param name string
---@return string
function M.file(name)
  local path = name:gsub('#.*$', '')
  local there = vim.fs.joinpath(require('memofs.root').of_buffer(), path)
  return vim.uv.fs_stat(there) and there or name
end

return M
