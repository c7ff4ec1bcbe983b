-- For vim.lsp.config() and vim.lsp.enable(), Neovim 0.11 and later.
return require('memofs.client').config()
