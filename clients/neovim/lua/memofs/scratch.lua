--- Buffers that show something and are no files.
local M = {}

---@class memofs.Scratch
---@field name string such as `memofs://status`; a buffer of that name is used again
---@field lines string[]
---@field root string
---@field filetype? string
---@field how? 'split'|'vsplit'|'tabnew'|'here'
---@field keep_writable? boolean

--- The buffer of a name, made if there is none.
---@param name string
---@return integer
function M.buffer(name)
  for _, buf in ipairs(vim.api.nvim_list_bufs()) do
    if vim.api.nvim_buf_get_name(buf) == name then
      return buf
    end
  end
  local buf = vim.api.nvim_create_buf(false, true)
  vim.api.nvim_buf_set_name(buf, name)
  return buf
end

--- Put lines into a buffer that is not to be edited.
---@param buf integer
---@param first integer 0-based
---@param last integer excluded, -1 for the end
---@param lines string[]
function M.replace(buf, first, last, lines)
  vim.bo[buf].modifiable = true
  vim.api.nvim_buf_set_lines(buf, first, last, false, lines)
  vim.bo[buf].modifiable = false
  vim.bo[buf].modified = false
end

--- Show a buffer with these lines; the current window is then its window.
---@param what memofs.Scratch
---@return integer buf
function M.open(what)
  local buf = M.buffer(what.name)
  vim.bo[buf].buftype = 'nofile'
  vim.bo[buf].swapfile = false
  vim.b[buf].memofs_root = what.root
  M.replace(buf, 0, -1, what.lines)
  local shown = vim.fn.bufwinid(buf)
  if shown ~= -1 then
    vim.api.nvim_set_current_win(shown)
  elseif what.how == 'here' then
    vim.api.nvim_win_set_buf(0, buf)
  else
    vim.cmd(({ vsplit = 'vsplit', tabnew = 'tab split' })[what.how] or 'split')
    vim.api.nvim_win_set_buf(0, buf)
  end
  if what.filetype then
    vim.bo[buf].filetype = what.filetype
  end
  vim.keymap.set('n', 'q', '<Cmd>close<CR>', { buffer = buf, nowait = true, desc = 'Close' })
  return buf
end

--- Open a file at a line; a window that shows it already is used.
---@param path string
---@param line? integer 0-based
---@param how? 'edit'|'split'|'vsplit'|'tabedit'
function M.edit(path, line, how)
  how = how or 'edit'
  local buf = how == 'edit' and require('memofs.buffers').of_path(path)
  local shown = buf and vim.fn.bufwinid(buf) or -1
  if shown ~= -1 then
    vim.api.nvim_set_current_win(shown)
  else
    local ok, why = pcall(vim.cmd --[[@as function]], how .. ' ' .. vim.fn.fnameescape(path))
    if not ok and not vim.o.hidden then
      error(why, 0)
    end
  end
  if line then
    local last = vim.api.nvim_buf_line_count(0)
    vim.cmd("normal! m'")
    vim.api.nvim_win_set_cursor(0, { math.max(1, math.min(line + 1, last)), 0 })
    vim.cmd('normal! zvzz')
  end
end

return M
