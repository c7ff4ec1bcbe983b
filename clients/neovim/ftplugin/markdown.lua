-- Memory files: markdown with front matter that folds, and words of the front matter completed by the server.
local buf = vim.api.nvim_get_current_buf()
local name = vim.fs.normalize(vim.api.nvim_buf_get_name(buf))
if not name:match('/%.memofs/memory/[^/]+%.md$') then
  return
end
vim.b[buf].memofs_memory = true
vim.opt_local.foldmethod = 'expr'
vim.opt_local.foldexpr = "v:lua.require'memofs.memory_file'.fold(v:lnum)"
vim.opt_local.foldlevel = 9
vim.opt_local.iskeyword:append('_')
vim.bo[buf].includeexpr = "v:lua.require'memofs.memory_file'.file(v:fname)"
vim.bo[buf].suffixesadd = '.md'
local undo = 'setlocal foldmethod< foldexpr< foldlevel< iskeyword< includeexpr< suffixesadd< | unlet! b:memofs_memory'
vim.b[buf].undo_ftplugin = (vim.b[buf].undo_ftplugin and vim.b[buf].undo_ftplugin .. ' | ' or '') .. undo
