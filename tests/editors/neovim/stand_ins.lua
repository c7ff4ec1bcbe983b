-- Tiny stand-ins for pickers that come from places which tests cannot reach: they have the calls that the adapters make,
-- with the arguments as those plugins document them, and keep what they were given in `_G.shown`.
local M = {}

local function module(name, value)
  package.preload[name] = function()
    return value
  end
  package.loaded[name] = value
end

function M.telescope()
  local selected
  local function action()
    local made = {}
    function made:replace(work)
      self.work = work
    end
    return made
  end
  local actions = {
    close = function()
      _G.shown.closed = true
    end,
    select_default = action(),
    select_horizontal = action(),
    select_vertical = action(),
    select_tab = action(),
  }
  module('telescope', {})
  module('telescope.finders', {
    new_table = function(options)
      return { results = vim.tbl_map(options.entry_maker, options.results) }
    end,
  })
  module('telescope.sorters', {
    empty = function()
      return 'empty'
    end,
  })
  module('telescope.config', {
    values = {
      generic_sorter = function()
        return 'generic'
      end,
    },
  })
  module('telescope.previewers', {
    new_buffer_previewer = function(options)
      return options
    end,
  })
  module('telescope.actions', actions)
  module('telescope.actions.state', {
    get_selected_entry = function()
      return selected
    end,
  })
  module('telescope.pickers', {
    new = function(_, options)
      return {
        find = function()
          _G.shown = { title = options.prompt_title, sorter = options.sorter, entries = {} }
          options.attach_mappings(1, function(_, key, work)
            _G.shown[key] = work
          end)
          function _G.typed(prompt)
            _G.shown.entries, _G.shown.complete = {}, false
            if options.finder.results then
              _G.shown.entries, _G.shown.complete = options.finder.results, true
              return
            end
            options.finder(prompt, function(entry)
              table.insert(_G.shown.entries, entry)
            end, function()
              _G.shown.complete = true
            end)
          end
          function _G.preview(index)
            local buf = vim.api.nvim_create_buf(false, true)
            options.previewer.define_preview({ state = { bufnr = buf } }, _G.shown.entries[index])
            return vim.api.nvim_buf_get_lines(buf, 0, -1, false)
          end
          function _G.accept(index)
            selected = _G.shown.entries[index]
            actions.select_default.work()
          end
          _G.typed(options.default_text or '')
        end,
      }
    end,
  })
end

M['fzf-lua'] = function()
  local Base = {}
  Base.__index = Base
  Base.super = { new = function() end }
  function Base.extend()
    local class = {}
    class.__index = class
    class.super = Base.super
    return class
  end
  module('fzf-lua.previewer.builtin', { buffer_or_file = Base })
  local function show(lines, options)
    _G.shown = { title = options.prompt, entries = lines, complete = true }
    function _G.preview(index)
      local previewer = options.previewer.new(setmetatable({}, options.previewer), {}, {}, {})
      return vim.fn.readfile(previewer:parse_entry(_G.shown.entries[index]).path)
    end
    function _G.accept(index)
      options.actions.default({ _G.shown.entries[index] })
    end
  end
  module('fzf-lua', {
    fzf_exec = function(lines, options)
      show(lines, options)
      function _G.typed() end
    end,
    fzf_live = function(contents, options)
      show(contents({ options.query or '' }), options)
      function _G.typed(prompt)
        _G.shown.entries = contents({ prompt })
      end
    end,
  })
end

function M.snacks()
  module('snacks', {
    picker = {
      pick = function(options)
        _G.shown = { title = options.title, entries = options.items or {}, complete = options.items ~= nil }
        local async = {}
        function async:on() end
        function async:suspend()
          coroutine.yield()
        end
        function _G.typed(prompt)
          if not options.finder then
            return
          end
          _G.shown.entries, _G.shown.complete = {}, false
          local running
          function async:resume()
            if coroutine.status(running) == 'suspended' then
              coroutine.resume(running)
            end
          end
          local find = options.finder(options, { filter = { search = prompt }, async = async })
          running = coroutine.create(function()
            find(function(entry)
              table.insert(_G.shown.entries, entry)
            end)
            _G.shown.complete = true
          end)
          coroutine.resume(running)
        end
        function _G.preview(index)
          local shown
          local preview = {}
          function preview:reset() end
          function preview:set_lines(lines)
            shown = lines
          end
          function preview:highlight() end
          options.preview({ item = _G.shown.entries[index], preview = preview })
          return shown
        end
        function _G.accept(index)
          options.confirm({ close = function() end }, _G.shown.entries[index])
        end
        _G.typed(options.search or '')
      end,
    },
  })
end

return M
