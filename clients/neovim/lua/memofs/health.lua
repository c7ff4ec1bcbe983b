--- `:checkhealth memofs`: every fault with its remedy.
local M = {}

local health = vim.health

local MOST_LOG_LINES = 5000
local MORE_WATCHES = 524288
local WATCHES = '/proc/sys/fs/inotify/max_user_watches'

local function check_neovim()
  health.start('Neovim')
  local version = vim.version()
  local number = ('%d.%d.%d'):format(version.major, version.minor, version.patch)
  if vim.fn.has('nvim-0.10') == 0 then
    health.error(('Neovim %s is too old'):format(number), 'use Neovim 0.10 or later')
  elseif vim.fn.has('nvim-0.11') == 1 then
    health.ok(('Neovim %s: the client is started by vim.lsp.enable()'):format(number))
  else
    health.ok(('Neovim %s: the client is started by vim.lsp.start()'):format(number))
  end
  local faults = require('memofs.config').faults()
  if #faults == 0 then
    health.ok('settings')
  else
    for _, fault in ipairs(faults) do
      health.error('settings: ' .. fault, 'see :help memofs-settings')
    end
  end
  local _, name = require('memofs.picker').chosen()
  health.info('picker: ' .. name)
end

---@param root string
---@return boolean
local function check_program(root)
  health.start('Program')
  local program = require('memofs.program').find(root)
  if not program.cmd then
    health.error(program.problem or 'none', program.remedy)
    return false
  end
  local from = { setting = 'the setting cmd', path = '$PATH', venv = 'the virtual environment of the workspace' }
  health.ok(('%s, from %s'):format(table.concat(program.cmd, ' '), from[program.from]))
  local cmd = vim.list_extend(vim.list_extend({}, program.cmd), { '--version' })
  local ok, ran = pcall(function()
    return vim.system(cmd, { text = true, timeout = 10000, cwd = root }):wait()
  end)
  if not ok or ran.code ~= 0 then
    local why = not ok and tostring(ran) or vim.trim(ran.stderr or '')
    health.error(('it does not run: %s'):format(why), 'run it in a terminal, or install it anew')
    return false
  end
  health.ok(vim.trim(ran.stdout))
  return true
end

--- The warnings of the daemon's log since it was started last.
---@param root string
---@return string[]
local function warnings_of(root)
  local path = require('memofs.log').path(root)
  local found = {}
  for _, line in ipairs(vim.fn.filereadable(path) == 1 and vim.fn.readfile(path, '', -MOST_LOG_LINES) or {}) do
    local ok, entry = pcall(vim.json.decode, line)
    if ok and type(entry) == 'table' then
      if entry.message == 'listening' then
        found = {}
      elseif entry.level == 'warning' then
        found[#found + 1] = tostring(entry.message)
      end
    end
  end
  return found
end

--- Whether changes on disk are noticed: as the daemon tells it, else by the warnings of its log.
---@param root string
---@param facts table<string, string>
local function check_watcher(root, facts)
  health.start('Watcher')
  for name, value in vim.spairs(facts) do
    if name:match('watch') then
      health.info(('%s: %s'):format(name, value))
    end
  end
  local limit = vim.uv.fs_stat(WATCHES) and vim.fn.readfile(WATCHES, '', 1)[1]
  local said = vim.tbl_filter(function(text)
    return text:match('watch') ~= nil or text:match('poll') ~= nil
  end, warnings_of(root))
  if #said == 0 then
    health.ok('the daemon has not complained since it was started')
    return
  end
  local remedy = limit
      and ('the limit is %s watches: sudo sysctl fs.inotify.max_user_watches=%d'):format(limit, MORE_WATCHES)
    or 'see :Memofs log'
  for _, text in ipairs(said) do
    health.warn(text, remedy)
  end
end

---@param root string
local function check_workspace(root)
  health.start('Workspace')
  health.info(root)
  local memory = require('memofs.root').with_memory(root)
  if not memory then
    health.warn('there is no memory here', ':Memofs init makes one')
    return
  end
  local failure, status = require('memofs.requests').wait('memofs/status', {}, { root = root })
  if failure then
    local hint = type(failure.data) == 'table' and failure.data.hint or nil
    health.error('the daemon does not answer: ' .. failure.message, { hint or 'see the log', ':Memofs! restart' })
    return
  end
  health.ok(('daemon %s, up %d s, clients: %d'):format(status.version, math.floor(status.uptimeS), status.sessions))
  health.ok(('%d memories'):format(status.memories))
  if status.problems > 0 then
    health.warn(('%d memory files have problems'):format(status.problems), ':Memofs doctor lists them')
  end
  health.start('Index')
  if vim.tbl_contains(status.degraded, 'cache') then
    health.warn('the cache cannot be written: opening is slower', 'let .memofs/indexes/ be written')
  else
    health.ok(('%d terms, cache %s, opened in %d ms'):format(status.terms, status.cache, math.floor(status.openMs)))
  end
  local stale = (status.byVerdict.changed or 0) + (status.byVerdict.missing or 0)
  health.info(('%d anchors are stale%s'):format(stale, stale > 0 and ', :Memofs stale lists them' or ''))
  health.start('Embedder')
  local embedder = status.embedder
  if embedder.state == 'off' then
    health.info('off by the settings: recall goes by words alone')
  elseif embedder.state == 'failed' then
    health.error(
      ('%s: %s'):format(embedder.name, embedder.problem or 'failed'),
      embedder.hint or 'memofs models tells more'
    )
  else
    health.ok(
      ('%s, %s; %d memories embedded, %d waiting'):format(
        require('memofs.report').model(embedder.name),
        embedder.state,
        embedder.embedded,
        embedder.pending
      )
    )
  end
  local doctor_failure, doctor = require('memofs.requests').wait('memofs/doctor', {}, { root = root })
  check_watcher(root, not doctor_failure and doctor.facts or {})
  health.start('Faults')
  if doctor_failure then
    health.warn('doctor does not answer: ' .. doctor_failure.message)
    return
  end
  if #doctor.findings == 0 then
    health.ok('doctor finds none')
  end
  for _, found in ipairs(doctor.findings) do
    if found.severity ~= 'info' then
      local report = found.severity == 'error' and health.error or health.warn
      local place = found.path and (found.path .. ': ') or ''
      report(place .. found.message, found.hint or (found.fixable and ':Memofs! doctor mends it' or nil))
    end
  end
end

---@param root string
local function check_logs(root)
  health.start('Logs')
  local log = require('memofs.log')
  local path = log.path(root)
  if vim.fn.filereadable(path) == 1 then
    health.ok('daemon: ' .. path)
  else
    health.info('daemon: none yet (' .. path .. ')')
  end
  local lsp = vim.lsp.log and vim.lsp.log.get_filename or vim.lsp.get_log_path
  health.info('Neovim: ' .. lsp())
  for _, line in ipairs(vim.list_slice(log.lines(), math.max(1, #log.lines() - 4))) do
    health.info(line)
  end
end

function M.check()
  -- The report has a buffer of its own: the file that was looked at is in the window before it, else in the folder.
  local root = require('memofs.root').of_buffer(vim.fn.bufnr('#') > 0 and vim.fn.bufnr('#') or 0)
  check_neovim()
  if check_program(root) then
    check_workspace(root)
  end
  check_logs(root)
end

return M
