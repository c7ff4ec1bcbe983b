--- Which workspace a buffer or a folder belongs to.
---
--- The rule is the daemon's: the nearest folder above that holds `.memofs`, else the top level of the git repository,
--- else the folder itself. This module is all that is loaded for files of folders without a memory.
local M = {}

--- The nearest folder from `path` upwards that holds a `.memofs` folder.
---@param path string
---@return string?
function M.with_memory(path)
  local found = vim.fs.find('.memofs', { path = path, upward = true, type = 'directory', limit = 1 })[1]
  return found and vim.fs.dirname(found)
end

--- The workspace that a folder belongs to, with a memory or without.
---@param folder string
---@return string
function M.of(folder)
  local memory = M.with_memory(folder)
  if memory then
    return memory
  end
  local git = vim.fs.find('.git', { path = folder, upward = true, limit = 1 })[1]
  return git and vim.fs.dirname(git) or folder
end

--- The folder of the file in a buffer; nil for buffers that are no files.
---@param buf integer
---@return string?
function M.folder(buf)
  local name = vim.api.nvim_buf_get_name(buf)
  if vim.bo[buf].buftype ~= '' or name == '' or name:match('^%a[%w+.-]+://') then
    return nil
  end
  local folder = vim.fs.dirname(vim.fs.normalize(name))
  return folder and vim.fn.isdirectory(folder) == 1 and folder or nil
end

--- The workspace of a buffer: its own, that which made it (`b:memofs_root`), else that of the current folder.
---@param buf? integer
---@return string
function M.of_buffer(buf)
  buf = (buf == nil or buf == 0) and vim.api.nvim_get_current_buf() or buf
  local known = vim.b[buf].memofs_root
  if type(known) == 'string' then
    return known
  end
  return M.of(M.folder(buf) or vim.fs.normalize(vim.fn.getcwd()))
end

--- Whether files of folders without a memory are connected too. The settings are not loaded for them otherwise.
---@return boolean
local function is_for_all()
  local given = vim.g.memofs
  if package.loaded['memofs.config'] then
    return require('memofs.config').get().attach == 'always'
  end
  return type(given) == 'table' and given.attach == 'always'
end

--- The workspace whose server a buffer gets without being asked for, as the setting `attach` wants it.
---@param buf integer
---@return string?
function M.to_attach(buf)
  local folder = M.folder(buf)
  local memory = folder and M.with_memory(folder)
  if not folder or not (memory or is_for_all()) then
    return nil
  end
  return require('memofs.config').get().attach ~= 'never' and (memory or M.of(folder)) or nil
end

--- A file was opened: connect it to its workspace's daemon if there is a memory.
---@param buf integer
function M.opened(buf)
  local root = M.to_attach(buf)
  if root then
    require('memofs.client').attach(buf, root)
  end
end

return M
