--- Choosing with telescope.nvim, where it is installed.
local M = {}

---@param item memofs.Item
local function entry(item)
  return {
    value = item,
    display = require('memofs.picker').line(item),
    ordinal = require('memofs.picker').line(item),
    path = vim.uri_to_fname(item.uri),
    lnum = item.line + 1,
  }
end

--- A finder that asks the daemon for every prompt, as telescope calls finders.
---@param pick memofs.Pick
local function live_finder(pick)
  local cancel
  return setmetatable({
    close = function()
      if cancel then
        cancel()
      end
    end,
  }, {
    __call = function(_, prompt, process_result, process_complete)
      if cancel then
        cancel()
      end
      cancel = pick.source(prompt or '', function(items)
        cancel = nil
        for index, item in ipairs(items) do
          local made = entry(item)
          made.index = index
          process_result(made)
        end
        process_complete()
      end)
    end,
  })
end

---@param pick memofs.Pick
function M.open(pick)
  local pickers = require('telescope.pickers')
  local finders = require('telescope.finders')
  local sorters = require('telescope.sorters')
  local previewers = require('telescope.previewers')
  local settings = require('telescope.config').values
  local actions = require('telescope.actions')
  local action_state = require('telescope.actions.state')
  local live = pick.source ~= nil
  local function accept(prompt_buf, how)
    local chosen = action_state.get_selected_entry()
    actions.close(prompt_buf)
    if chosen then
      require('memofs.picker').done(pick, chosen.value, how)
    end
  end
  pickers
    .new({}, {
      prompt_title = pick.title,
      default_text = pick.query,
      finder = live and live_finder(pick) or finders.new_table({ results = pick.items, entry_maker = entry }),
      sorter = live and sorters.empty() or settings.generic_sorter({}),
      previewer = previewers.new_buffer_previewer({
        title = 'Memory',
        define_preview = function(self, chosen)
          local lines = require('memofs.picker').preview(chosen.value)
          vim.api.nvim_buf_set_lines(self.state.bufnr, 0, -1, false, lines)
          vim.bo[self.state.bufnr].filetype = 'markdown'
        end,
      }),
      attach_mappings = function(prompt_buf, map)
        actions.select_default:replace(function()
          accept(prompt_buf, 'edit')
        end)
        actions.select_horizontal:replace(function()
          accept(prompt_buf, 'split')
        end)
        actions.select_vertical:replace(function()
          accept(prompt_buf, 'vsplit')
        end)
        actions.select_tab:replace(function()
          accept(prompt_buf, 'tabedit')
        end)
        map({ 'i', 'n' }, '<C-g>', function()
          accept(prompt_buf, 'code')
        end)
        return true
      end,
    })
    :find()
end

return M
