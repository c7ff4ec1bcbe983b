--- Choosing with vim.ui.select(), and a search that is asked for with vim.ui.input().
local M = {}

---@param pick memofs.Pick
---@param items memofs.Item[]
---@param note? string
local function choose(pick, items, note)
  local picker = require('memofs.picker')
  if #items == 0 then
    require('memofs.message').info(note or 'no memory found')
    return
  end
  vim.ui.select(items, {
    prompt = pick.title,
    kind = 'memofs',
    format_item = picker.line,
    -- Implementations that show previews look for one of these; the others pass over them.
    preview_item = function(item)
      return { path = vim.uri_to_fname(item.uri), lnum = item.line + 1 }
    end,
  }, function(item)
    if item then
      picker.done(pick, item, 'edit')
    end
  end)
end

---@param pick memofs.Pick
function M.open(pick)
  if pick.items then
    choose(pick, pick.items)
    return
  end
  local function search(query)
    pick.source(query, function(items, note)
      choose(pick, items, note)
    end)
  end
  if pick.query and pick.query ~= '' then
    search(pick.query)
    return
  end
  vim.ui.input({ prompt = pick.title .. ': ' }, function(query)
    if query then
      search(query)
    end
  end)
end

return M
