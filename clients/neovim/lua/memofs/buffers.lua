--- Buffers by the path of their file. `bufnr()` takes patterns, for which `[id].ts` is another file.
local M = {}

--- The buffer that has a file's text, if one is loaded.
---@param path string
---@return integer?
function M.of_path(path)
  path = vim.fs.normalize(path)
  local real = vim.uv.fs_realpath(path)
  local same
  for _, buf in ipairs(vim.api.nvim_list_bufs()) do
    if vim.api.nvim_buf_is_loaded(buf) and vim.bo[buf].buftype == '' then
      local name = vim.fs.normalize(vim.api.nvim_buf_get_name(buf))
      if name == path then
        return buf
      end
      if real and not same and name ~= '' and vim.fs.basename(name) == vim.fs.basename(real) then
        same = vim.uv.fs_realpath(name) == real and buf or nil
      end
    end
  end
  return same
end

return M
