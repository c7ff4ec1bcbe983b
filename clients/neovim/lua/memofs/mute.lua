--- Warnings and lenses that somebody does not want to see.
local M = {}

local SCOPES = { lens = true, diagnostics = true }

--- Mute or unmute what is meant.
---@param method 'memofs/mute'|'memofs/unmute'
---@param words string[]
---@param root string
---@param what 'memory'|'file'
function M.run(method, words, root, what)
  local params, named = {}, {}
  for _, word in ipairs(words) do
    if SCOPES[word] then
      params.scope = word
    elseif method == 'memofs/mute' and word == 'changed' then
      params['until'] = word
    elseif method == 'memofs/mute' and word:match('^%d%d%d%d%-%d%d%-%d%d') then
      params['until'] = #word == 10 and word .. 'T00:00:00Z' or word
    else
      named[#named + 1] = word
    end
  end
  local function ask()
    require('memofs.requests').send(method, params, function(failure)
      if failure then
        require('memofs.message').failure(failure)
        return
      end
      local did = method == 'memofs/mute' and 'hidden' or 'shown again'
      local what_of = ({ lens = 'lenses', diagnostics = 'warnings' })[params.scope] or 'lenses and warnings'
      local till = params['until'] == 'changed' and ', until the code changes'
        or params['until'] and ', until ' .. params['until']:sub(1, 10)
        or ''
      require('memofs.message').info(('%s of %s: %s%s'):format(what_of, params.id or 'this file', did, till))
      local client = require('memofs.client').of_root(root)
      for buf in pairs(client and client.attached_buffers or {}) do
        require('memofs.client').show(buf, client.id)
      end
    end, { root = root })
  end
  if what == 'file' then
    params.uri = vim.uri_from_bufnr(0)
    ask()
    return
  end
  require('memofs.actions').meant(named, root, function(ids)
    params.id = ids[1]
    ask()
  end)
end

return M
