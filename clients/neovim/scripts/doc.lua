-- Prints doc/memofs.txt, made from the settings, the commands, the highlight groups and the keys of the picker:
--   nvim --clean -l clients/neovim/scripts/doc.lua > clients/neovim/doc/memofs.txt
local here = vim.fs.dirname(vim.fs.dirname(vim.fs.normalize(debug.getinfo(1, 'S').source:sub(2))))
vim.opt.runtimepath:prepend(here)

local WIDTH = 78
local out = {}

local function add(...)
  for _, line in ipairs({ ... }) do
    out[#out + 1] = line
  end
end

--- Put a paragraph into lines of the width of a help file.
local function wrap(text, indent)
  local line = ''
  for word in text:gmatch('%S+') do
    if line ~= '' and vim.fn.strdisplaywidth(indent .. line .. ' ' .. word) > WIDTH then
      add(indent .. line)
      line = word
    else
      line = line == '' and word or line .. ' ' .. word
    end
  end
  add(indent .. line)
end

local function paragraphs(text, indent)
  for paragraph in vim.gsplit(vim.trim(text), '\n\n', { plain = true }) do
    wrap(paragraph, indent or '')
    add('')
  end
end

--- A line with a tag at its right end.
local function tagged(left, ...)
  local tags = table.concat(
    vim.tbl_map(function(tag)
      return '*' .. tag .. '*'
    end, { ... }),
    ' '
  )
  local gap = WIDTH - vim.fn.strdisplaywidth(left) - vim.fn.strdisplaywidth(tags)
  if gap < 1 then
    add((' '):rep(math.max(0, WIDTH - #tags)) .. tags, left)
  else
    add(left .. (' '):rep(gap) .. tags)
  end
end

local function section(title, ...)
  add(('='):rep(WIDTH))
  tagged(title, ...)
  add('')
end

local function code(text)
  add('>lua')
  for line in vim.gsplit(vim.trim(text), '\n', { plain = true }) do
    add('    ' .. line)
  end
  add('<', '')
end

add('*memofs.txt*  The memory of a project', '')
section('MEMOFS', 'memofs')
paragraphs([[
MemoFS keeps what a project has decided, in markdown files of `.memofs/`, tied to the code that it is about. This
plugin connects Neovim with the workspace's daemon: it finds memories, shows those that the code in front of you is
tied to, warns while you type when one may not hold any more, and writes new ones.

It needs Neovim 0.10 or later and the program `memofs`; nothing has to be set up or called. What is missing, and what
to do about it, is told by `:checkhealth memofs`.]])
add('    Commands       |memofs-commands|', '    Maps           |memofs-maps|', '    New memories   |memofs-remember|')
add(
  '    The picker     |memofs-picker|',
  '    Settings       |memofs-settings|',
  '    Highlights     |memofs-highlights|'
)
add('    Events         |memofs-events|', '    Lua            |memofs-lua|', '')

section('COMMANDS', 'memofs-commands', ':Memofs')
paragraphs([[
Subcommands may be shortened as long as they stay distinct, and are completed, as are kinds, tasks, tags, and ids: after
a part of a title too. Without a subcommand it is `recall`. Where a command takes ids and none is given, it means the
memory whose file this is, else what the line of the cursor is tied to.]])
for _, command in ipairs(require('memofs.commands').table) do
  local left = (':%sMemofs%s %s %s'):format(
    command.range and '[range]' or '',
    command.bang and '[!]' or '',
    command.name,
    command.args
  )
  tagged(vim.trim(left), ':Memofs-' .. command.name)
  wrap(command.doc, '    ')
  if command.range then
    wrap('[range]: ' .. command.range, '    ')
  end
  if command.bang then
    wrap('[!]: ' .. command.bang, '    ')
  end
  add('')
end

paragraphs([[
What is said fits the line at the bottom of the screen and never waits for <Enter>; what has no room there is in
`:Memofs! log`. Plugins that show messages get the whole.]])

section('MAPS', 'memofs-maps')
paragraphs('There are no maps but those that you make, such as:')
code([[
vim.keymap.set('n', '<Leader>mr', '<Plug>(memofs-recall)')
vim.keymap.set('n', '<Leader>mh', '<Plug>(memofs-here)')
vim.keymap.set({ 'n', 'x' }, '<Leader>mm', '<Plug>(memofs-remember)')
]])
dofile(vim.fs.joinpath(here, 'plugin', 'memofs.lua'))
for _, mode in ipairs({ 'n', 'x' }) do
  local names = {}
  for _, map in ipairs(vim.api.nvim_get_keymap(mode)) do
    names[#names + 1] = map.lhs:match('^<Plug>%(memofs%-%a+%)$')
  end
  table.sort(names)
  add(mode == 'n' and 'Normal mode:' or 'Visual mode:', '')
  for _, name in ipairs(names) do
    local does = name:match('memofs%-(%a+)')
    tagged(('    %s'):format(name), name .. (mode == 'x' and '-x' or ''))
    add(('        |:Memofs-%s|%s'):format(does, mode == 'x' and ' of the selection' or ''))
  end
  add('')
end
paragraphs(
  'In Neovim 0.11 `K` shows the memories of the code under the cursor, `gra` what can be done about a warning.'
)

section('NEW MEMORIES', 'memofs-remember')
paragraphs([[
|:Memofs-remember| opens a buffer with fields, a line `---`, and room for the text. The fields are `kind`, `title`
(without one, the text's first heading or sentence), `tags`, `anchors` and `supersedes`; values are separated by commas
and completed by |i_CTRL-X_CTRL-O|. An anchor is `FILE`, `FILE:LINE`, `FILE:FIRST-LAST`,
`FILE:LINE:COLUMN-LINE:COLUMN` or `FILE#SYMBOL`.

`:w` saves. If something is wrong the buffer stays as it is, with the reason as a diagnostic. `:w!` overrules what the
last `:w` was refused for: that the same is remembered already, or that the text holds what looks like a secret.]])

section('THE PICKER', 'memofs-picker')
paragraphs([[
Memories are chosen with snacks.nvim, telescope.nvim or fzf-lua where they are installed, with |vim.ui.select()| if a
plugin has replaced it, else in a window of this plugin, with a preview; see the setting `picker`. These are the keys of
that window:]])
for _, entry in ipairs(require('memofs.picker.window').keys) do
  add(('    %-16s %s'):format(table.concat(entry.keys, ' '), entry.doc))
end
add('')

section('SETTINGS', 'memofs-settings', 'g:memofs')
paragraphs('All are optional. Set them before the first memory is looked at, by either of:')
code([[
vim.g.memofs = { picker = 'window' }
require('memofs').setup({ picker = 'window' })
]])
for _, setting in ipairs(require('memofs.config').schema) do
  tagged(setting.name, 'g:memofs.' .. setting.name)
  local kind = setting.type:find('|', 1, true) and "'" .. setting.type:gsub('|', "', '") .. "'" or setting.type
  local default = vim.inspect(setting.default, { newline = '', indent = ' ' }):gsub('"', "'")
  add(('    %s, default %s'):format(kind, setting.default == nil and 'none' or default))
  wrap(setting.doc, '    ')
  add('')
end
paragraphs([[
With Neovim 0.11 the client can be changed like any other, `vim.lsp.config('memofs', { … })`, and turned off by
`vim.lsp.enable('memofs', false)`.]])

section('HIGHLIGHTS', 'memofs-highlights')
for _, group in ipairs(require('memofs.signs').groups) do
  tagged(('%-20s %s'):format(group.name, group.doc), 'hl-' .. group.name)
  add(('%20s linked to |hl-%s|'):format('', group.link))
end
add('')

section('EVENTS', 'memofs-events')
paragraphs('These are |User| autocommands; what they tell is in the `data` of their callback.')
for _, event in ipairs({
  {
    'MemofsStale',
    [[
An anchor of a buffer went stale: `buf`, `added` (what is new), `stale` (all). Rows are as memofs/anchors has them.]],
  },
  { 'MemofsRecall', 'A recall was answered: `query`, `hits`, `root`.' },
  { 'MemofsStatus', 'What the status line component says may have changed.' },
}) do
  tagged(event[1], event[1])
  wrap(event[2], '    ')
  add('')
end

section('LUA', 'memofs-lua')
code([[
local memofs = require('memofs')
local options = { limit = 5, kinds = { 'decision' } }
memofs.recall('tenant storage', options, function(failure, result)
  for _, hit in ipairs(failure and {} or result.hits) do
    print(hit.id, hit.title)
  end
end)
]])
for _, entry in ipairs({
  { 'setup({options})', 'Take settings.' },
  {
    'recall({query}, {options}, {callback})',
    [[
Find memories. {options}: `root` (a workspace; else that of the buffer) and the params of memofs/recall. The callback
gets a failure (`message`, `data.hint`) or a result with `hits`. Returns a function that cancels.]],
  },
  { 'context({task}, {options}, {callback})', 'A briefing: the result has `text` and `sections`.' },
  { 'request({method}, {params}, {callback}, {options})', 'Any request of the protocol. {options}: `root`, `buf`.' },
  { 'statusline({buf})', 'For status lines: `memofs 3 (1 stale)`; empty where there is no memory.' },
  { 'of_buffer({buf})', 'What is known of a buffer: `anchors`, `memories` and `stale`, which are counts.' },
}) do
  local name = entry[1]:match('^[%w_]+')
  tagged(entry[1], ('memofs.%s()'):format(name))
  wrap(entry[2], '    ')
  add('')
end
add('vim:tw=78:ts=8:noet:ft=help:norl:')

io.stdout:write(table.concat(
  vim.tbl_map(function(line)
    return (line:gsub('%s+$', ''))
  end, out),
  '\n'
) .. '\n')
