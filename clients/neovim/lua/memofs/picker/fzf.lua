--- Choosing with fzf-lua, where it is installed.
local M = {}

---@param pick memofs.Pick
function M.open(pick)
  local fzf = require('fzf-lua')
  local picker = require('memofs.picker')
  ---@type memofs.Item[]
  local items = pick.items or {}

  --- A line that fzf shows; the number before it says which item it is.
  local function lines(found)
    items = found
    local made = {}
    for index, item in ipairs(found) do
      made[index] = ('%d\t%s'):format(index, picker.line(item))
    end
    return made
  end
  local function item_of(line)
    return items[tonumber((line or ''):match('^(%d+)\t'))]
  end
  local function accept(how)
    return function(selected)
      local item = item_of(selected[1])
      if item then
        picker.done(pick, item, how)
      end
    end
  end

  local Builtin = require('fzf-lua.previewer.builtin')
  local Preview = Builtin.buffer_or_file:extend()
  function Preview:new(options, settings, window)
    Preview.super.new(self, options, settings, window)
    setmetatable(self, Preview)
    return self
  end
  function Preview:parse_entry(line) -- luacheck: ignore 212
    local item = item_of(line)
    local row = item and select(2, picker.text(item)) or 0
    return item and { path = vim.uri_to_fname(item.uri), line = row + 1, col = 1 } or {}
  end

  local options = {
    prompt = pick.title .. '> ',
    query = pick.query,
    previewer = Preview,
    fzf_opts = { ['--delimiter'] = '\t', ['--with-nth'] = '2..', ['--no-multi'] = true },
    actions = {
      ['default'] = accept('edit'),
      ['ctrl-s'] = accept('split'),
      ['ctrl-v'] = accept('vsplit'),
      ['ctrl-t'] = accept('tabedit'),
      ['ctrl-g'] = accept('code'),
    },
  }
  if pick.items then
    fzf.fzf_exec(lines(pick.items), options)
    return
  end
  fzf.fzf_live(function(typed)
    local query = type(typed) == 'table' and typed[1] or typed
    local found, answered = {}, false
    local cancel = pick.source(query or '', function(answer)
      found, answered = answer, true
    end)
    if not vim.wait(2000, function()
      return answered
    end, 5) then
      cancel()
    end
    return lines(found)
  end, options)
end

return M
