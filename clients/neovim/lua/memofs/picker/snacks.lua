--- Choosing with snacks.nvim, where it is installed.
local M = {}

---@param item memofs.Item
---@param index integer
local function entry(item, index)
  return {
    idx = index,
    text = require('memofs.picker').line(item),
    file = vim.uri_to_fname(item.uri),
    pos = { item.line + 1, 0 },
    memory = item,
  }
end

---@param items memofs.Item[]
local function entries(items)
  local made = {}
  for index, item in ipairs(items) do
    made[index] = entry(item, index)
  end
  return made
end

---@param pick memofs.Pick
function M.open(pick)
  local function accept(how)
    return function(picker, chosen)
      picker:close()
      if chosen then
        vim.schedule(function()
          require('memofs.picker').done(pick, chosen.memory, how)
        end)
      end
    end
  end
  local options = {
    source = 'memofs',
    title = pick.title,
    search = pick.query,
    preview = function(context)
      context.preview:reset()
      context.preview:set_lines(require('memofs.picker').preview(context.item.memory))
      context.preview:highlight({ ft = 'markdown' })
    end,
    format = function(chosen)
      local item = chosen.memory
      return {
        { item.kind, 'MemofsKind' },
        { '  ' .. item.title },
        { '  ' .. table.concat(require('memofs.picker').flags(item), ', '), 'MemofsFlag' },
      }
    end,
    confirm = accept('edit'),
    actions = {
      edit_split = accept('split'),
      edit_vsplit = accept('vsplit'),
      edit_tab = accept('tabedit'),
      memofs_code = accept('code'),
    },
    win = { input = { keys = { ['<c-g>'] = { 'memofs_code', mode = { 'i', 'n' } } } } },
  }
  if pick.items then
    options.items = entries(pick.items)
  else
    options.live = true
    options.finder = function(_, context)
      local query = context.filter.search
      return function(add)
        local running = context.async
        local answered = false
        local cancel = pick.source(query, function(items)
          answered = true
          for index, item in ipairs(items) do
            add(entry(item, index))
          end
          running:resume()
        end)
        running:on('abort', cancel)
        if not answered then
          running:suspend()
        end
      end
    end
  end
  require('snacks').picker.pick(options)
end

return M
