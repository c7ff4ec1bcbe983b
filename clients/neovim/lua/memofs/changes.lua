--- An anchor's code as it was and as it is, side by side.
local M = {}

---@param text string?
---@return string[]
local function lines_of(text)
  if not text or text == '' then
    return {}
  end
  return vim.split((text:gsub('\r\n', '\n'):gsub('\n$', '')), '\n', { plain = true })
end

local SOURCES = {
  file = 'unchanged',
  cache = 'as it was when it was verified',
  git = 'from git',
  mark = 'only a piece of the old text is known',
  none = 'the old text is not known',
}

--- Show what became of the code of a memory.
---@param id string
---@param index? integer the anchor's; without one the first that is stale
---@param root string
function M.open(id, index, root)
  require('memofs.requests').send('memofs/changes', { id = id, anchorIndex = index }, function(failure, result)
    if failure then
      require('memofs.message').failure(failure)
      return
    end
    local anchor = result.anchor
    if result.before == nil and result.after == nil then
      require('memofs.message').info('neither the old code nor the new is known', anchor.problem)
      return
    end
    local scratch = require('memofs.scratch')
    local filetype = vim.filetype.match({ filename = anchor.path }) or ''
    local name = ('memofs://changes/%s/%d/%s'):format(anchor.memory, anchor.anchorIndex, anchor.path)
    local before =
      scratch.open({ name = name .. '/before', lines = lines_of(result.before), root = root, how = 'tabnew' })
    vim.bo[before].filetype = filetype
    vim.wo[0][0].winbar = ('before · %s'):format(SOURCES[result.source] or result.source)
    vim.cmd('diffthis')
    vim.cmd('rightbelow vsplit')
    local after = scratch.open({ name = name .. '/after', lines = lines_of(result.after), root = root, how = 'here' })
    vim.bo[after].filetype = filetype
    vim.wo[0][0].winbar = ('now · %s%s'):format(
      anchor.verdict or 'not known',
      result.after == nil and ' · gone' or ''
    )
    vim.cmd('diffthis')
    for _, buf in ipairs({ before, after }) do
      vim.keymap.set('n', 'q', '<Cmd>tabclose<CR>', { buffer = buf, nowait = true, desc = 'Close' })
    end
  end, { root = root })
end

return M
