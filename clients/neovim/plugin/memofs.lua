-- What starts with Neovim: a command, maps and one autocommand. Everything else is loaded at its first use.
if vim.g.loaded_memofs then
  return
end
vim.g.loaded_memofs = true

vim.api.nvim_create_user_command('Memofs', function(given)
  require('memofs.commands').run(given)
end, {
  nargs = '*',
  bang = true,
  range = true,
  desc = 'The memory of this project',
  complete = function(lead, line, column)
    return require('memofs.completion').complete(lead, line, column)
  end,
})

for name in ('recall context expand here remember verify retire changes stale open core undo'):gmatch('%a+') do
  vim.keymap.set('n', ('<Plug>(memofs-%s)'):format(name), ('<Cmd>Memofs %s<CR>'):format(name))
end
vim.keymap.set('x', '<Plug>(memofs-remember)', ':Memofs remember<CR>', { silent = true })
vim.keymap.set('x', '<Plug>(memofs-reanchor)', ':Memofs reanchor<CR>', { silent = true })
vim.keymap.set('x', '<Plug>(memofs-context)', ':Memofs context<CR>', { silent = true })

vim.api.nvim_create_autocmd({ 'FileType', 'BufReadPost', 'BufNewFile' }, {
  group = vim.api.nvim_create_augroup('memofs', {}),
  callback = function(event)
    if vim.bo[event.buf].buftype == '' and event.file ~= '' then
      require('memofs.root').opened(event.buf)
    end
  end,
})
