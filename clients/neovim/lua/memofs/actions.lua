--- What can be done with memories, and which ones a command means when it names none.
local M = {}

---@param failure memofs.Failure
local function say(failure)
  require('memofs.message').failure(failure)
end

---@param method string
---@param params table
---@param root string
---@param go_on fun(result: any)
local function ask(method, params, root, go_on)
  require('memofs.requests').send(method, params, function(failure, result)
    if failure then
      say(failure)
    else
      go_on(result)
    end
  end, { root = root })
end

--- Whether a buffer shows a memory's file.
---@param buf integer
---@return boolean
function M.is_memory(buf)
  return vim.fs.normalize(vim.api.nvim_buf_get_name(buf)):match('/%.memofs/memory/[^/]+%.md$') ~= nil
end

--- The id of the memory whose file a buffer shows.
---@param buf integer
---@return string?
function M.id_of(buf)
  if not M.is_memory(buf) then
    return nil
  end
  for _, line in ipairs(vim.api.nvim_buf_get_lines(buf, 0, 40, false)) do
    local id = line:match('^id:%s*(mem_%w+)')
    if id then
      return id
    end
  end
end

--- The memories at the cursor, or of the whole file.
---@param where 'cursor'|'file'
---@param root string
---@param go_on fun(items: memofs.Item[])
function M.here(where, root, go_on)
  local buf = vim.api.nvim_get_current_buf()
  if not require('memofs.root').folder(buf) then
    go_on({})
    return
  end
  local params = { textDocument = { uri = vim.uri_from_bufnr(buf) } }
  local cursor = vim.api.nvim_win_get_cursor(0)
  require('memofs.client').with(root, function(failure, client)
    if failure then
      say(failure)
      return
    end
    if where == 'cursor' then
      local row = cursor[1] - 1
      local line = vim.api.nvim_buf_get_lines(buf, row, row + 1, false)[1] or ''
      local encoding = require('memofs.client').encoding(client)
      params.range = require('memofs.position').to_range(buf, row, 0, row, #line, encoding)
    end
    ask('memofs/memoriesAt', params, root, function(result)
      go_on(vim.tbl_map(function(each)
        return each.memory
      end, result.memories))
    end)
  end)
end

--- Show memories: open the one, or let choose among several.
---@param ids string[]
---@param root string
---@param how? memofs.How
function M.show(ids, root, how)
  local items, left = {}, #ids
  for index, id in ipairs(ids) do
    require('memofs.requests').send('memofs/get', { id = id }, function(failure, result)
      left = left - 1
      if failure then
        say(failure)
      else
        items[index] = result.memory
      end
      if left == 0 then
        local found = vim.tbl_values(items)
        if #found == 1 then
          require('memofs.picker').open(found[1], how)
        elseif #found > 1 then
          require('memofs.picker').pick({ title = 'Memories', root = root, items = found })
        end
      end
    end, { root = root })
  end
end

--- The ids that a command means: those it names, that of the memory file it is in, or what the cursor's line is tied
--- to; among several the person chooses.
---@param named string[]
---@param root string
---@param go_on fun(ids: string[])
function M.meant(named, root, go_on)
  if #named > 0 then
    go_on(named)
    return
  end
  local own = M.id_of(vim.api.nvim_get_current_buf())
  if own then
    go_on({ own })
    return
  end
  M.here('cursor', root, function(items)
    if #items == 0 then
      require('memofs.message').info(
        'no memory is tied to this line',
        'name one: an id, or <Tab> after a part of its title'
      )
      return
    end
    require('memofs.picker').pick({
      title = 'Which memory?',
      root = root,
      items = items,
      on_choice = function(item)
        go_on({ item.id })
      end,
    })
  end)
end

---@param memories { title: string, id: string }[]
---@return string
local function titles(memories)
  return table.concat(
    vim.tbl_map(function(memory)
      return memory.title
    end, memories),
    ', '
  )
end

--- Say that memories hold, or take them out of recall.
---@param method 'memofs/verify'|'memofs/retire'
---@param params { ids?: string[], paths?: string[] }
---@param root string
function M.mark(method, params, root)
  ask(method, params, root, function(result)
    local did = method == 'memofs/verify' and 'verified' or 'retired'
    if #result.memories == 0 then
      require('memofs.message').info(('nothing to do: %d were %s already'):format(#(result.unchanged or {}), did))
      return
    end
    local hint = method == 'memofs/retire' and ':Memofs undo takes it back' or nil
    for _, memory in ipairs(result.memories) do
      if method == 'memofs/verify' and vim.tbl_contains(memory.flags, 'stale') then
        hint = ('the code of %s is gone all the same: :Memofs reanchor'):format(memory.title)
      end
    end
    require('memofs.message').info(('%s: %s'):format(did, titles(result.memories)), hint)
    vim.cmd('checktime')
  end)
end

--- Take back the last write.
---@param root string
---@param skip boolean pass over writes whose files have changed since
function M.undo(root, skip)
  ask('memofs/undo', { skip = skip }, root, function(result)
    require('memofs.message').info('undone: ' .. result.summary)
    vim.cmd('checktime')
  end)
end

--- Give an anchor of a memory another place: a selection, or one of the places where the code may have gone.
---@param id string
---@param selection? memofs.Selection
---@param root string
function M.reanchor(id, selection, root)
  local function done(result)
    require('memofs.message').info('anchored anew: ' .. result.memory.title, table.concat(result.remarks or {}, '\n'))
    vim.cmd('checktime')
  end
  require('memofs.client').with(root, function(failure, client)
    if failure then
      say(failure)
      return
    end
    ask('memofs/anchors', {}, root, function(result)
      ---@type memofs.AnchorRow[]
      local own = vim.tbl_filter(function(row)
        return row.memory == id or vim.startswith(row.memory, id)
      end, result.anchors)
      local stale = vim.tbl_filter(function(row)
        return row.verdict == 'missing' or row.verdict == 'changed'
      end, own)
      local rows = #stale > 0 and stale or own
      if #rows == 0 then
        require('memofs.message').info('this memory has no anchor', 'memofs anchor ID PLACE adds one')
        return
      end
      local function with(row)
        if selection then
          local target = require('memofs.place').target(selection, require('memofs.client').encoding(client))
          ask('memofs/reanchor', { id = row.memory, anchorIndex = row.anchorIndex, target = target }, root, done)
          return
        end
        if #row.candidates == 0 then
          ask('memofs/reanchor', { id = row.memory, anchorIndex = row.anchorIndex }, root, done)
          return
        end
        vim.ui.select(row.candidates, {
          prompt = 'Where has it gone?',
          kind = 'memofs.candidate',
          format_item = function(each)
            local line = each.range and (':%d'):format(each.range.start.line + 1) or ''
            return ('%s%s  %s  (%d %%)'):format(
              each.path,
              line,
              vim.trim(each.text),
              math.floor(each.score * 100 + 0.5)
            )
          end,
        }, function(_, number)
          if number then
            local params = { id = row.memory, anchorIndex = row.anchorIndex, candidate = number - 1 }
            ask('memofs/reanchor', params, root, done)
          end
        end)
      end
      if #rows == 1 then
        with(rows[1])
        return
      end
      vim.ui.select(rows, {
        prompt = 'Which anchor?',
        kind = 'memofs.anchor',
        format_item = function(row)
          local line = row.range and (':%d'):format(row.range.start.line + 1) or ''
          return ('%s%s  %s'):format(row.path, line, row.verdict or 'not looked at')
        end,
      }, function(row)
        if row then
          with(row)
        end
      end)
    end)
  end)
end

return M
