--- `:Memofs`: the table of its subcommands. Completion and the help are made from it too.
local M = {}

---@class memofs.Context
---@field root string
---@field bang boolean
---@field words string[] the arguments
---@field selection? memofs.Selection

---@class memofs.Command
---@field name string
---@field args string
---@field doc string
---@field bang? string
---@field range? string
---@field complete? ('id'|'kind'|'filter'|'filter.task'|'symbol'|'scope')[]
---@field bare? boolean it makes sense without a memory
---@field run fun(context: memofs.Context)

--- What `name=value` words of a recall or a briefing set; the rest is the question.
---@type table<string, { param: string, many: boolean }>
M.filters = {
  kind = { param = 'kinds', many = true },
  tag = { param = 'tags', many = true },
  path = { param = 'paths', many = true },
  task = { param = 'taskType', many = false },
}

---@param words string[]
---@param allowed string[]
---@return string question
---@return table params
local function question_of(words, allowed)
  local params, rest = {}, {}
  for _, word in ipairs(words) do
    local name, value = word:match('^(%a+)=(.+)$')
    local filter = name and vim.tbl_contains(allowed, name) and M.filters[name]
    if not filter then
      rest[#rest + 1] = word
    elseif filter.many then
      params[filter.param] = params[filter.param] or {}
      vim.list_extend(params[filter.param], vim.split(value, ',', { plain = true, trimempty = true }))
    else
      params[filter.param] = value
    end
  end
  return table.concat(rest, ' '), params
end

local function recall(context)
  local question, params = question_of(context.words, { 'kind', 'tag', 'path', 'task' })
  if context.bang then
    params.includeRetired = true
    params.precision = 'all'
  end
  local picker = require('memofs.picker')
  if question == '' then
    picker.pick({ title = 'Recall', root = context.root, source = picker.recalling(context.root, params) })
    return
  end
  params.root = context.root
  params.limit = require('memofs.config').get().picker_limit
  require('memofs').recall(question, params, function(failure, result)
    if failure then
      require('memofs.message').failure(failure)
    elseif #result.hits == 0 or result.notice == 'nothingRelevant' then
      local hint = (result.weaker or 0) > 0 and ('%d weaker ones: :Memofs! recall %s'):format(result.weaker, question)
        or nil
      require('memofs.message').info('nothing relevant is remembered', hint)
    else
      picker.pick({ title = question, root = context.root, items = result.hits, always = true })
    end
  end)
end

local function context_of(context)
  local question, params = question_of(context.words, { 'task' })
  if context.bang then
    params.detail = 'full'
  end
  local buf = vim.api.nvim_get_current_buf()
  if require('memofs.root').folder(buf) then
    params.here = { uri = vim.uri_from_bufnr(buf) }
    if context.selection then
      local client = require('memofs.client')
      local encoding = client.encoding(client.of_root(context.root))
      params.here.range = require('memofs.place').target(context.selection, encoding).range
    end
  end
  require('memofs.briefing').open(question, context.root, params)
end

local function here(context)
  require('memofs.actions').here(context.bang and 'file' or 'cursor', context.root, function(items)
    if #items == 0 then
      require('memofs.message').info(('no memory is tied to this %s'):format(context.bang and 'file' or 'line'))
    else
      require('memofs.picker').pick({ title = 'Here', root = context.root, items = items, always = true })
    end
  end)
end

local function mark(method)
  return function(context)
    local actions = require('memofs.actions')
    if context.bang then
      local path = require('memofs.place').relative(vim.api.nvim_buf_get_name(0), context.root)
      if not path then
        require('memofs.message').warn('this buffer is no file of ' .. context.root)
        return
      end
      actions.mark(method, { paths = { path } }, context.root)
      return
    end
    actions.meant(context.words, context.root, function(ids)
      actions.mark(method, { ids = ids }, context.root)
    end)
  end
end

local function init(context)
  local name = table.concat(context.words, ' ')
  require('memofs.requests').send('memofs/init', { projectName = name ~= '' and name or nil }, function(failure, result)
    if failure then
      require('memofs.message').failure(failure)
      return
    end
    local folder = vim.fn.fnamemodify(result.root .. '/.memofs', ':~')
    require('memofs.message').info(('the memory is in %s%s'):format(folder, #result.created > 0 and '' or ' already'))
    for _, buf in ipairs(vim.api.nvim_list_bufs()) do
      if vim.api.nvim_buf_is_loaded(buf) then
        require('memofs.root').opened(buf)
      end
    end
  end, { root = context.root })
end

local function stale(context)
  local path
  if context.bang then
    path = require('memofs.place').relative(vim.api.nvim_buf_get_name(0), context.root)
    if not path then
      require('memofs.message').warn('this buffer is no file of ' .. context.root)
      return
    end
  end
  require('memofs.stale').list(context.root, path)
end

local function open(context)
  local how = context.bang and 'code' or 'edit'
  if #context.words > 0 then
    require('memofs.actions').show(context.words, context.root, how)
    return
  end
  require('memofs.requests').send('memofs/list', { limit = 1000, includeRetired = true }, function(failure, result)
    if failure then
      require('memofs.message').failure(failure)
      return
    end
    require('memofs.picker').pick({
      title = 'Open',
      root = context.root,
      items = result.memories,
      always = true,
      on_choice = function(item, chosen)
        require('memofs.picker').open(item, how == 'code' and 'code' or chosen)
      end,
    })
  end, { root = context.root })
end

local function core(context)
  local path = vim.fs.joinpath(context.root, '.memofs', 'memory', 'core.md')
  require('memofs.scratch').edit(path)
end

local function mute(method)
  return function(context)
    require('memofs.mute').run(method, context.words, context.root, context.bang and 'file' or 'memory')
  end
end

local function meant(go_on)
  return function(context)
    require('memofs.actions').meant(context.words, context.root, function(ids)
      go_on(ids[1], context)
    end)
  end
end

---@type memofs.Command[]
M.table = {
  {
    name = 'recall',
    args = '[kind=…] [tag=…] [path=…] [task=…] [question]',
    doc = [[
Find memories. With a question the picker shows what answers it; without one it searches as you type. `kind=`, `tag=`
and `path=` narrow the search and take several values with commas, `task=` says what for.]],
    bang = 'Retired memories and weak matches too.',
    complete = { 'filter' },
    run = recall,
  },
  {
    name = 'context',
    args = '[task=…] [task]',
    doc = [[
A briefing for a task, in a buffer; without one for the start of a session. The place you are at counts. `<CR>` on a
line with ↳ shows what was left out, elsewhere it opens the memory, `q` closes.]],
    bang = 'Whole memories, as many as fit.',
    range = 'The lines that the task is about.',
    complete = { 'filter.task' },
    run = context_of,
  },
  {
    name = 'expand',
    args = '[handle]',
    doc = 'What a briefing left out: of the section that the cursor is in, or by the handle that `expand` names.',
    run = function(context)
      require('memofs.briefing').expand(context.words[1], context.root)
    end,
  },
  {
    name = 'here',
    args = '',
    doc = 'The memories that are tied to the line of the cursor.',
    bang = 'Those of the whole file.',
    run = here,
  },
  {
    name = 'remember',
    args = '[kind] [title]',
    doc = [[
A new memory, in a buffer: fields, a line with `---`, and the text. `:w` saves it, and its file takes the place of the
buffer. If it cannot be saved, the buffer stays and says why; where it may be overruled, `:w!` does.]],
    bang = 'In this window, without a split.',
    range = 'The code that the memory is tied to: lines, or a part of one line selected by characters.',
    complete = { 'kind' },
    run = function(context)
      local words = vim.list_slice(context.words)
      local kind = words[1]
        and vim.tbl_contains(require('memofs.completion').kinds(context.root), words[1])
        and table.remove(words, 1)
      require('memofs.remember').open({
        root = context.root,
        kind = kind or nil,
        title = table.concat(words, ' '),
        selection = context.selection,
        how = context.bang and 'here' or 'split',
      })
    end,
  },
  {
    name = 'verify',
    args = '[id …]',
    doc = 'Say that memories hold: those that are named, that of this memory file, or what the line is tied to.',
    bang = 'All that is tied to this file.',
    complete = { 'id' },
    run = mark('memofs/verify'),
  },
  {
    name = 'retire',
    args = '[id …]',
    doc = 'Take memories out of recall; they stay on disk. Which ones: as for verify.',
    bang = 'All that is tied to this file.',
    complete = { 'id' },
    run = mark('memofs/retire'),
  },
  {
    name = 'reanchor',
    args = '[id]',
    doc = 'Give an anchor of a memory another place: where its code probably went, which you choose.',
    range = 'The new place.',
    complete = { 'id' },
    run = meant(function(id, context)
      require('memofs.actions').reanchor(id, context.selection, context.root)
    end),
  },
  {
    name = 'changes',
    args = '[id]',
    doc = 'The code of a memory as it was and as it is, as a vertical diff in a tab page; `q` closes it.',
    complete = { 'id' },
    run = meant(function(id, context)
      require('memofs.changes').open(id, nil, context.root)
    end),
  },
  {
    name = 'stale',
    args = '',
    doc = 'Memories whose code has changed or is gone, as a |quickfix| list.',
    bang = 'Those of this file, as a |location-list|.',
    run = stale,
  },
  {
    name = 'open',
    args = '[id …]',
    doc = 'Open the file of a memory; without an id, choose one.',
    bang = 'Go to the code that it is tied to.',
    complete = { 'id' },
    run = open,
  },
  { name = 'core', args = '', doc = 'Open `core.md`, which begins every briefing.', run = core },
  {
    name = 'mute',
    args = '[lens|diagnostics] [DATE|changed] [id]',
    doc = [[
Show no lenses and warnings of a memory on this machine, or only none of one kind: for good, until a date such as
2026-12-31, or until the code changes again (`changed`). Recall and |:Memofs-stale| say what they would say.]],
    bang = 'For this file.',
    complete = { 'scope', 'id' },
    run = mute('memofs/mute'),
  },
  {
    name = 'unmute',
    args = '[lens|diagnostics] [id]',
    doc = 'Show them again.',
    bang = 'For this file.',
    complete = { 'scope', 'id' },
    run = mute('memofs/unmute'),
  },
  {
    name = 'undo',
    args = '',
    doc = 'Take back the last write to the memory, whoever made it.',
    bang = 'Pass over writes whose files have changed since.',
    run = function(context)
      require('memofs.actions').undo(context.root, context.bang)
    end,
  },
  { name = 'init', args = '[project name]', doc = 'Make a memory in this workspace.', bare = true, run = init },
  {
    name = 'status',
    args = '',
    doc = 'How the memory and the daemon are.',
    run = function(context)
      require('memofs.report').status(context.root)
    end,
  },
  {
    name = 'doctor',
    args = '',
    doc = 'Look for faults.',
    bang = 'Mend what can be mended without loss.',
    run = function(context)
      require('memofs.report').doctor(context.root, context.bang)
    end,
  },
  {
    name = 'log',
    args = '',
    doc = "The daemon's log.",
    bang = 'What this client did.',
    bare = true,
    run = function(context)
      require('memofs.log').open(context.root, context.bang and 'client' or 'daemon')
    end,
  },
  {
    name = 'restart',
    args = '',
    doc = 'Connect anew.',
    bang = 'End the daemon too: it finishes what it is doing, and another one starts.',
    bare = true,
    run = function(context)
      require('memofs.client').restart(context.root, context.bang and 'daemon' or 'client')
    end,
  },
  {
    name = 'trust',
    args = '',
    doc = 'Allow `.venv/bin/memofs` of this workspace to be run; see |:trust|.',
    bare = true,
    run = function(context)
      if require('memofs.program').trust(context.root) then
        require('memofs.root').opened(vim.api.nvim_get_current_buf())
      end
    end,
  },
}

--- A subcommand by its name, or by a beginning that fits one only.
---@param name string
---@return memofs.Command?
---@return memofs.Command[]? several that begin so
function M.find(name)
  local found = {}
  for _, command in ipairs(M.table) do
    if command.name == name then
      return command
    end
    if vim.startswith(command.name, name) then
      found[#found + 1] = command
    end
  end
  return #found == 1 and found[1] or nil, found
end

--- Run `:Memofs …`.
---@param given vim.api.keyset.create_user_command.command_args
function M.run(given)
  local words = vim.list_slice(given.fargs)
  local name = table.remove(words, 1) or 'recall'
  local command, several = M.find(name)
  local message = require('memofs.message')
  if not command and several and #several > 1 then
    local names = vim.tbl_map(function(each)
      return each.name
    end, several)
    local last = table.remove(names)
    message.error(('%s may be %s or %s'):format(name, table.concat(names, ', '), last))
    return
  end
  if not command then
    message.error(('there is no :Memofs %s'):format(name), 'type :Memofs and <Tab>, or see :help memofs-commands')
    return
  end
  if given.bang and not command.bang then
    message.error((':Memofs %s takes no !'):format(command.name))
    return
  end
  if given.range > 0 and not command.range then
    message.error((':Memofs %s takes no range'):format(command.name))
    return
  end
  local root = require('memofs.root').of_buffer()
  if not command.bare and not require('memofs.root').with_memory(root) then
    message.warn('there is no memory in ' .. vim.fn.fnamemodify(root, ':~'), ':Memofs init makes one')
    return
  end
  require('memofs.signs').define_groups()
  command.run({
    root = root,
    bang = given.bang,
    words = words,
    selection = command.range and require('memofs.place').selection(given) or nil,
  })
end

return M
