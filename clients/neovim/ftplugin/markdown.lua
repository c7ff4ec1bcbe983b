-- Memory files: markdown with folds, of which the marks of anchors are closed, and `gf` to the code.
local buf = vim.api.nvim_get_current_buf()
local name = vim.fs.normalize(vim.api.nvim_buf_get_name(buf))
if not name:match('/%.memofs/memory/[^/]+%.md$') then
  return
end
vim.b[buf].memofs_memory = true
vim.opt_local.foldmethod = 'expr'
vim.opt_local.foldexpr = "v:lua.require'memofs.memory_file'.fold(v:lnum)"
vim.opt_local.foldtext = "v:lua.require'memofs.memory_file'.fold_text()"
vim.opt_local.foldlevel = 1
vim.opt_local.foldminlines = 0
vim.opt_local.iskeyword:append('_')
vim.bo[buf].includeexpr = "v:lua.require'memofs.memory_file'.file(v:fname)"
vim.bo[buf].suffixesadd = '.md'
local undo = 'setlocal foldmethod< foldexpr< foldtext< foldlevel< foldminlines< iskeyword< includeexpr< suffixesadd<'
  .. ' | unlet! b:memofs_memory'
vim.b[buf].undo_ftplugin = (vim.b[buf].undo_ftplugin and vim.b[buf].undo_ftplugin .. ' | ' or '') .. undo
