--- The language client: one a workspace, started when it is needed and again when its daemon goes.
---
--- Invariant: an end that nobody asked for is followed by a new start, later each time, and after so many in a row by a
--- message; whoever waits is told in either case.
local M = {}

local workspace = require('memofs.workspace')

local NAME = 'memofs'
local FIRST_DELAY_MS = 200
local STEADY_MS = 60000
local MOST_TRIES = 100

local enabled = false
---@type string?
local next_root
---@type table<string, true>
local told = {}
--- How the servers of workspaces ended, until that is dealt with.
---@type table<string, { code: integer, signal: integer }>
local ends = {}

local modern = vim.fn.has('nvim-0.11') == 1

--- Whether Neovim's own way of enabling servers is used.
---@return boolean
local function by_enable()
  return vim.lsp.enable ~= nil and require('memofs.config').get().lsp == 'auto'
end

--- The running client of a workspace.
---@param root string
---@return vim.lsp.Client?
function M.of_root(root)
  for _, client in ipairs(vim.lsp.get_clients({ name = NAME })) do
    if client.config.root_dir == root and not workspace.call(client, 'is_stopped') then
      return client
    end
  end
end

--- The client that a buffer is attached to.
---@param buf integer
---@return vim.lsp.Client?
function M.of_buffer(buf)
  return vim.lsp.get_clients({ name = NAME, bufnr = buf })[1]
end

--- The encoding of positions that was agreed on with a client.
---@param client? vim.lsp.Client
---@return 'utf-8'|'utf-16'|'utf-32'
function M.encoding(client)
  return client and client.offset_encoding or 'utf-8'
end

---@param at memofs.Workspace
---@param why string
local function restart_later(at, why)
  local config = require('memofs.config').get()
  if at.ready_ms > 0 and vim.uv.now() - at.ready_ms > STEADY_MS then
    at.attempts = 0
  end
  at.ready_ms = 0
  if at.attempts >= config.restarts then
    local message = ('the server ended %d times in a row (%s)'):format(at.attempts + 1, why)
    require('memofs.message').error(message, 'see :Memofs log and :checkhealth memofs, then :Memofs restart')
    workspace.flush(at, workspace.failed(message, 'then :Memofs restart'))
    return
  end
  local delay_ms = FIRST_DELAY_MS * 2 ^ at.attempts
  at.attempts = at.attempts + 1
  require('memofs.log').add('warning', ('%s: %s; starting again in %d ms'):format(at.root, why, delay_ms))
  at.timer = vim.defer_fn(function()
    at.timer = nil
    M.start(at.root)
  end, delay_ms)
end

---@param at memofs.Workspace
---@param code integer
---@param signal integer
local function ended(at, code, signal)
  local asked_for = at.stopping or vim.v.exiting ~= vim.NIL
  at.stopping, at.starting, at.health = false, false, nil
  local pending = at.pending
  at.pending = {}
  local why = signal ~= 0 and ('signal %d'):format(signal) or ('exit code %d'):format(code)
  for _, fail in pairs(pending) do
    fail(workspace.failed(workspace.GONE, 'ask again: it is started anew'))
  end
  require('memofs.signs').forget(at.buffers)
  if asked_for then
    require('memofs.log').add('info', at.root .. ': the server was stopped')
    workspace.flush(at, workspace.failed('the server was stopped', ':Memofs restart starts it'))
  else
    restart_later(at, why)
  end
  require('memofs.statusline').changed()
end

--- Handlers of what the daemon tells unasked.
local handlers = {
  ['memofs/didChangeAnchors'] = function(_, params, context)
    local buf = require('memofs.buffers').of_path(vim.uri_to_fname(params.uri))
    if buf then
      M.show(buf, context.client_id)
    end
  end,
  ['memofs/didChangeMemories'] = function(_, _, context)
    local client = vim.lsp.get_client_by_id(context.client_id)
    for buf in pairs(client and client.attached_buffers or {}) do
      M.show(buf, context.client_id)
    end
  end,
  ['memofs/serverStatus'] = function(_, params, context)
    local client = vim.lsp.get_client_by_id(context.client_id)
    local root = client and client.config.root_dir
    if root then
      workspace.of(root).health = params
      require('memofs.statusline').changed()
    end
  end,
}

--- Show anew what a client says of a buffer.
---@param buf integer
---@param client_id integer
function M.show(buf, client_id)
  local client = vim.lsp.get_client_by_id(client_id)
  if client and client.attached_buffers[buf] then
    require('memofs.signs').refresh(buf, client)
    require('memofs.lens').refresh(buf, client)
  end
end

---@param client vim.lsp.Client
local function began(client)
  local at = workspace.of(client.config.root_dir --[[@as string]])
  at.starting, at.stopping, at.ready_ms = false, false, vim.uv.now()
  local stop = client.stop
  ---@diagnostic disable-next-line: duplicate-set-field
  client.stop = function(...)
    at.stopping = true
    return stop(...)
  end
  require('memofs.signs').own_signs(client)
  require('memofs.log').add('info', ('%s: ready, positions in %s'):format(at.root, M.encoding(client)))
  vim.schedule(function()
    workspace.flush(at, nil, client)
    require('memofs.statusline').changed()
  end)
end

--- Put the encoding of positions first that the servers beside this one use: Neovim would rather have one in a buffer.
--- UTF-16 is that of those that know no other.
---@param encodings string[] changed in place
local function prefer_encoding(encodings)
  local others = vim.tbl_filter(function(client)
    return client.name ~= NAME
  end, vim.lsp.get_clients())
  local preferred = #others > 0 and 'utf-8' or 'utf-16'
  for _, other in ipairs(others) do
    if other.offset_encoding ~= 'utf-8' then
      preferred = 'utf-16'
    end
  end
  for index, encoding in ipairs(encodings) do
    if encoding == preferred then
      table.insert(encodings, 1, table.remove(encodings, index))
      return
    end
  end
end

--- The client's configuration, as `lsp/memofs.lua` gives it to |vim.lsp.config()|.
---@return vim.lsp.ClientConfig
function M.config()
  ---@type table
  local config = {
    name = NAME,
    handlers = handlers,
    commands = require('memofs.lens').commands,
    flags = { debounce_text_changes = 40 },
    cmd = function(dispatchers, started)
      local root = started and started.root_dir or next_root or vim.fn.getcwd()
      local program = require('memofs.program').find(root)
      local cmd = vim.list_extend({}, program.cmd or { 'memofs' })
      vim.list_extend(cmd, { 'lsp', '--root', root })
      -- Neovim would tell every end at once, and wait for <Enter> as someone types: here it is followed by a new start.
      local quiet = vim.tbl_extend('force', dispatchers, {
        on_exit = function(code, signal)
          ends[root] = { code = code, signal = signal }
          dispatchers.on_exit(0, 0)
        end,
      })
      return vim.lsp.rpc.start(cmd, quiet, { cwd = root })
    end,
    root_dir = function(buf, on_dir)
      local root = require('memofs.root').to_attach(buf)
      if root and M.is_served(root) then
        next_root = root
        workspace.of(root).buffers[buf] = true
        on_dir(root)
      end
    end,
    before_init = function(params)
      prefer_encoding(vim.tbl_get(params, 'capabilities', 'general', 'positionEncodings') or {})
    end,
    on_init = function(client)
      began(client)
    end,
    on_attach = function(client, buf)
      workspace.of(client.config.root_dir --[[@as string]]).buffers[buf] = true
      M.show(buf, client.id)
    end,
    on_exit = function(code, signal, client_id)
      local client = vim.lsp.get_client_by_id(client_id)
      local root = client and client.config.root_dir
      vim.schedule(function()
        root = root or next_root --[[@as string]]
        local how = ends[root] or { code = code, signal = signal }
        ends[root] = nil
        ended(workspace.of(root), how.code, how.signal)
      end)
    end,
  }
  if not require('memofs.config').get().diagnostics then
    local function nothing() end
    config.handlers = vim.tbl_extend('force', handlers, {
      ['textDocument/publishDiagnostics'] = nothing,
      ['textDocument/diagnostic'] = nothing,
    })
  end
  return config
end

--- Whether there is a program for a workspace; if not, it is said once.
---@param root string
---@param again? 'again' say it again
---@return boolean
function M.is_served(root, again)
  local program = require('memofs.program').find(root)
  if program.cmd then
    return true
  end
  if again or not told[root] then
    told[root] = true
    require('memofs.message').warn(program.problem or 'there is no program', program.remedy)
  end
  return false
end

--- The configuration to start a workspace's server with: what a person made of it included.
---@param root string
---@return table
local function resolved(root)
  local config = by_enable() and vim.deepcopy(vim.lsp.config[NAME]) or M.config()
  config.root_dir = root
  config.root_markers = nil
  config.workspace_folders = { { uri = vim.uri_from_fname(root), name = root } }
  return config
end

---@param client vim.lsp.Client
---@param config table
local function is_same(client, config)
  return client.name == NAME and client.config.root_dir == config.root_dir and not workspace.call(client, 'is_stopped')
end

--- Start the server of a workspace if need be, and attach the buffers that were attached before.
---@param root string
function M.start(root)
  local at = workspace.of(root)
  if not M.is_served(root) then
    local program = require('memofs.program').find(root)
    workspace.flush(at, workspace.failed(program.problem, program.remedy))
    return
  end
  next_root = root
  local config = resolved(root)
  at.starting = M.of_root(root) == nil
  local begun = M.of_root(root) ~= nil
  for buf in pairs(at.buffers) do
    if vim.api.nvim_buf_is_loaded(buf) then
      begun = vim.lsp.start(config, { bufnr = buf, reuse_client = is_same }) ~= nil or begun
    else
      at.buffers[buf] = nil
    end
  end
  if not begun then
    local id
    if modern then
      id = vim.lsp.start(config, { attach = false, reuse_client = is_same })
    else
      id = vim.lsp.start_client(config)
    end
    if not id then
      at.starting = false
      workspace.flush(at, workspace.failed('the server could not be started', 'see :LspLog and :checkhealth memofs'))
    end
  end
end

--- Connect a buffer to its workspace's daemon.
---@param buf integer
---@param root string
function M.attach(buf, root)
  if by_enable() then
    if enabled and vim.lsp.is_enabled and not vim.lsp.is_enabled(NAME) then
      return -- the person has disabled it
    end
    if not enabled then
      enabled = true
      vim.lsp.enable(NAME)
    end
  end
  local client = M.of_buffer(buf)
  if client and client.config.root_dir == root then
    return
  end
  if not M.is_served(root) then
    return
  end
  workspace.of(root).buffers[buf] = true
  M.start(root)
end

--- Call `go_on` with the workspace's client once it is ready.
---@param root string
---@param go_on fun(failure: memofs.Failure?, client: vim.lsp.Client?)
function M.with(root, go_on)
  local client = M.of_root(root)
  if client and client.initialized then
    go_on(nil, client)
    return
  end
  local at = workspace.of(root)
  at.waiting[#at.waiting + 1] = go_on
  if at.timer or (at.starting and client) then
    return
  end
  local buf = vim.api.nvim_get_current_buf()
  local folder = require('memofs.root').folder(buf)
  if folder and require('memofs.root').of(folder) == root then
    at.buffers[buf] = true
  end
  told[root] = true -- the failure is told by whoever asks
  M.start(root)
end

--- Stop the server of a workspace and start it again; with `daemon` the daemon too.
---@param root string
---@param which 'client'|'daemon'
---@param go_on? fun()
function M.restart(root, which, go_on)
  local at = workspace.of(root)
  at.attempts = 0
  if at.timer then
    at.timer:stop()
    at.timer:close()
    at.timer = nil
  end
  local client = M.of_root(root)
  local function start()
    M.with(root, function(failure)
      if failure then
        require('memofs.message').failure(failure)
      else
        require('memofs.message').info('connected anew: ' .. root)
      end
      if go_on then
        go_on()
      end
    end)
  end
  local function stopped()
    local program = require('memofs.program').find(root)
    if which == 'client' or not program.cmd then
      start()
      return
    end
    local cmd = vim.list_extend(vim.list_extend({}, program.cmd), { '--root', root, 'daemon', 'stop' })
    vim.system(cmd, { text = true, cwd = root }, function(ran)
      vim.schedule(function()
        if ran.code ~= 0 then
          require('memofs.message').warn('the daemon was not stopped: ' .. vim.trim(ran.stderr or ''))
        end
        start()
      end)
    end)
  end
  if not client then
    stopped()
    return
  end
  workspace.call(client, 'stop')
  local tries = 0
  local function wait()
    tries = tries + 1
    if vim.lsp.get_client_by_id(client.id) == nil then
      stopped()
      return
    end
    if tries == MOST_TRIES then
      workspace.call(client, 'stop', true)
    end
    vim.defer_fn(wait, 20)
  end
  wait()
end

--- How things stand for the status line and the health check.
---@param root string
---@return 'off'|'starting'|'ready'
---@return { health: string, quiescent: boolean, message?: string }?
function M.state(root)
  local client = M.of_root(root)
  local at = workspace.is_known(root) and workspace.of(root) or nil
  if client and client.initialized then
    return 'ready', at and at.health
  end
  if at and (at.timer or at.starting) then
    return 'starting', nil
  end
  return 'off', nil
end

return M
