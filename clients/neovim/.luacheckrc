std = 'luajit'
cache = false
max_line_length = 120
read_globals = { 'vim' }
files['lua/memofs/types.lua'] = { ignore = { '.*' } }
globals = {
  'vim.g',
  'vim.b',
  'vim.w',
  'vim.o',
  'vim.bo',
  'vim.wo',
  'vim.opt_local',
  'vim.ui',
  'vim.lsp',
}
