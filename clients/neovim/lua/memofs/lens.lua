--- Code lenses of this server alone, and what they and quick fixes do here.
local M = {}

--- Ask for the lenses of a buffer and show them as Neovim shows lenses.
---@param buf integer
---@param client vim.lsp.Client
function M.refresh(buf, client)
  if not require('memofs.config').get().code_lens then
    return
  end
  local show = vim.lsp.codelens.on_codelens --[[@as function?]]
  if not show then -- Neovim 0.12 keeps lenses up to date by itself
    vim.lsp.codelens.enable(true, { bufnr = buf, client_id = client.id })
    return
  end
  local root = client.config.root_dir --[[@as string]]
  local params = { textDocument = { uri = vim.uri_from_bufnr(buf) } }
  require('memofs.requests').send('textDocument/codeLens', params, function(failure, lenses)
    if not failure and vim.api.nvim_buf_is_loaded(buf) and client.attached_buffers[buf] then
      local context = { bufnr = buf, client_id = client.id, method = 'textDocument/codeLens', params = params }
      show(nil, lenses or {}, context, {})
    end
  end, { root = root, buf = buf })
end

---@param context lsp.HandlerContext
---@return string
local function root_of(context)
  local client = vim.lsp.get_client_by_id(context.client_id)
  return client and client.config.root_dir or require('memofs.root').of_buffer(context.bufnr)
end

--- Commands of the server that are better done here, where there are windows.
---@type table<string, fun(command: lsp.Command, context: lsp.HandlerContext)>
M.commands = {
  ['memofs.showMemories'] = function(command, context)
    require('memofs.actions').show(command.arguments[1], root_of(context))
  end,
  ['memofs.showChanges'] = function(command, context)
    require('memofs.changes').open(command.arguments[1], command.arguments[2], root_of(context))
  end,
}

return M
