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

--- The fold level of a line: the front matter is a fold, and each section.
---@param row integer
---@return string
function M.fold(row)
  local last = front_matter_end()
  if last > 0 and row <= last then
    return row == 1 and '>1' or row == last and '<1' or '1'
  end
  local marks = vim.fn.getline(row):match('^(#+) ')
  return marks and '>' .. #marks or '='
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
