--- The settings. `M.schema` is the one place where they are told: defaults, checks and the help follow from it.
local M = {}

---@class memofs.Setting
---@field name string
---@field type string what `type()` says, or the names of the choices, between bars
---@field default any
---@field doc string

---@class memofs.Config
---@field cmd? string[]
---@field allow_venv boolean
---@field attach 'memory'|'always'|'never'
---@field lsp 'auto'|'start'
---@field signs 'all'|'stale'|'off'
---@field sign_text { anchor: string, stale: string }
---@field virtual_text 'all'|'stale'|'off'
---@field highlights 'all'|'stale'|'off'
---@field code_lens boolean
---@field diagnostics boolean
---@field picker 'auto'|'window'|'select'|'telescope'|'fzf-lua'|'snacks'
---@field picker_limit integer
---@field context_bytes integer
---@field restarts integer
---@field timeout_ms integer
---@field sign_priority integer

---@type memofs.Setting[]
M.schema = {
  {
    name = 'cmd',
    type = 'list',
    default = nil,
    doc = [[
The program and what to call it with, such as `{ '/opt/memofs/bin/memofs' }` or `{ 'uvx', 'memofs' }`; `lsp` and the
workspace are added. Without it, `memofs` on |$PATH| is used.]],
  },
  {
    name = 'allow_venv',
    type = 'boolean',
    default = false,
    doc = [[
Where there is no `memofs` on |$PATH|, use `.venv/bin/memofs` of whatever workspace is opened. A workspace brings that
program along, so it is run only if this is set or `:Memofs trust` has allowed it there.]],
  },
  {
    name = 'attach',
    type = 'memory|always|never',
    default = 'memory',
    doc = [[
Which files are connected without being asked for: those of workspaces with a memory (a `.memofs` folder), all, or
none. Commands connect in any case.]],
  },
  {
    name = 'lsp',
    type = 'auto|start',
    default = 'auto',
    doc = [[
How the client is started: by |vim.lsp.config()| and |vim.lsp.enable()| where Neovim has them (0.11), or always by
|vim.lsp.start()|.]],
  },
  {
    name = 'signs',
    type = 'all|stale|off',
    default = 'all',
    doc = [[
Signs on lines that memories are tied to. In code the diagnostics of this server then make no signs, which would cover
these.]],
  },
  {
    name = 'sign_text',
    type = 'table',
    default = { anchor = '◆', stale = '▲' },
    doc = 'The signs, two cells at most: `anchor` for memories that fit their code, `stale` for those that may not.',
  },
  { name = 'sign_priority', type = 'number', default = 8, doc = 'The |sign-priority|; that of diagnostics is 10.' },
  {
    name = 'virtual_text',
    type = 'all|stale|off',
    default = 'off',
    doc = 'Titles of memories behind the lines that they are tied to. Code lenses show about the same.',
  },
  { name = 'highlights', type = 'all|stale|off', default = 'off', doc = 'Mark the code that memories are tied to.' },
  {
    name = 'code_lens',
    type = 'boolean',
    default = true,
    doc = 'Show code lenses of this server, and keep them up to date.',
  },
  { name = 'diagnostics', type = 'boolean', default = true, doc = 'Show diagnostics of this server.' },
  {
    name = 'picker',
    type = 'auto|window|select|telescope|fzf-lua|snacks',
    default = 'auto',
    doc = [[
What memories are chosen with. `window` is the plugin's own: a prompt, a list and a preview. `select` is
|vim.ui.select()|. `auto` takes the first there is: snacks, telescope, fzf-lua, a |vim.ui.select()| that another plugin
has put in place, else `window`.]],
  },
  {
    name = 'picker_limit',
    type = 'number',
    default = 30,
    doc = 'How many memories a picker shows at most, 1 to 1000.',
  },
  {
    name = 'context_bytes',
    type = 'number',
    default = 8192,
    doc = 'The budget of a briefing in bytes of UTF-8, 1024 to 262144.',
  },
  {
    name = 'restarts',
    type = 'number',
    default = 5,
    doc = 'How often in a row a server that ended by itself is started again, after 0.2, 0.4, 0.8 seconds and so on.',
  },
  {
    name = 'timeout_ms',
    type = 'number',
    default = 10000,
    doc = 'How long `:w` of a new memory waits for the answer.',
  },
}

---@type table<string, any>?
local given
---@type memofs.Config?
local merged
---@type string[]
local faults = {}

--- Whether a value fits its setting; a string says why not.
---@param setting memofs.Setting
---@param value any
---@return string?
local function fault(setting, value)
  local wanted = setting.type
  if wanted:find('|', 1, true) then
    local choices = vim.split(wanted, '|', { plain = true })
    if not vim.tbl_contains(choices, value) then
      return ('%s is %s, and has to be one of %s'):format(setting.name, vim.inspect(value), table.concat(choices, ', '))
    end
  elseif wanted == 'list' then
    local fits = type(value) == 'table' and #value > 0
    for _, word in ipairs(fits and value or {}) do
      fits = fits and type(word) == 'string'
    end
    if not fits then
      return ('%s has to be a list of strings'):format(setting.name)
    end
  elseif type(value) ~= wanted then
    return ('%s is a %s, and has to be a %s'):format(setting.name, type(value), wanted)
  end
end

---@param options table<string, any>
---@return memofs.Config
local function merge(options)
  local result = {}
  faults = {}
  local known = {}
  for _, setting in ipairs(M.schema) do
    known[setting.name] = true
    result[setting.name] = vim.deepcopy(setting.default)
    local value = options[setting.name]
    if value ~= nil then
      local why = fault(setting, value)
      if why then
        faults[#faults + 1] = why
      elseif setting.type == 'table' then
        result[setting.name] = vim.tbl_extend('force', result[setting.name], value)
      else
        result[setting.name] = value
      end
    end
  end
  for name in vim.spairs(options) do
    if not known[name] then
      faults[#faults + 1] = ('%s is no setting'):format(name)
    end
  end
  return result
end

--- Take settings: they count more than `g:memofs`.
---@param options? table<string, any>
function M.set(options)
  given, merged = options, nil
  M.get()
end

--- The settings as they hold. What is wrong with them is said once and left at its default.
---@return memofs.Config
function M.get()
  if not merged then
    local global = vim.g.memofs
    merged = merge(vim.tbl_extend('force', type(global) == 'table' and global or {}, given or {}))
    if #faults > 0 then
      require('memofs.message').warn('settings: ' .. table.concat(faults, '; '), 'see :help memofs-settings')
    end
  end
  return merged
end

--- What is wrong with the settings.
---@return string[]
function M.faults()
  M.get()
  return faults
end

return M
