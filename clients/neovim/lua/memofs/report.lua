--- What the daemon says of itself: status and doctor, as buffers.
local M = {}

---@param counts table<string, integer>?
---@return string
local function counts_of(counts)
  local parts = {}
  for name, count in vim.spairs(counts or {}) do
    parts[#parts + 1] = ('%d %s'):format(count, name)
  end
  return #parts > 0 and table.concat(parts, ', ') or 'none'
end

--- A model's name; of the digest behind it a beginning is enough for people.
---@param name string
---@return string
function M.model(name)
  return (name:gsub('(:%x%x%x%x%x%x%x%x)%x+$', '%1'))
end

---@param result table
---@param encoding string
---@return string[]
function M.status_lines(result, encoding)
  local embedder = result.embedder
  local meaning = ('%s, %s, %d of %d'):format(
    M.model(embedder.name),
    embedder.state,
    embedder.embedded,
    embedder.embedded + embedder.pending
  )
  if embedder.state == 'off' then
    meaning = 'off: recall goes by words alone'
  elseif embedder.problem then
    meaning = ('%s (%s)'):format(meaning, embedder.problem)
  end
  return {
    'workspace  ' .. result.root .. (result.projectName and (' (%s)'):format(result.projectName) or ''),
    ('memories   %d · %s'):format(result.memories, counts_of(result.byStatus)),
    'kinds      ' .. counts_of(result.byKind),
    'flags      ' .. counts_of(result.byFlag),
    'anchors    ' .. counts_of(result.byVerdict),
    ('problems   %s'):format(result.problems == 0 and 'none' or tostring(result.problems) .. ', see :Memofs doctor'),
    'meaning    ' .. meaning,
    ('daemon     version %s, %d client%s, up %d min, %d MB'):format(
      result.version,
      result.sessions,
      result.sessions == 1 and '' or 's',
      math.floor(result.uptimeS / 60),
      math.floor(result.rssBytes / 1e6)
    ),
    'positions  ' .. encoding,
    'missing    ' .. (#result.degraded > 0 and table.concat(result.degraded, ', ') or 'nothing'),
  }
end

---@param root string
function M.status(root)
  local client = require('memofs.client')
  require('memofs.requests').send('memofs/status', {}, function(failure, result)
    if failure then
      require('memofs.message').failure(failure)
      return
    end
    local lines = M.status_lines(result, client.encoding(client.of_root(root)))
    require('memofs.scratch').open({ name = 'memofs://status', lines = lines, root = root })
    vim.api.nvim_win_set_height(0, math.min(#lines, vim.o.lines - 6))
  end, { root = root })
end

---@param result table
---@return string[]
function M.doctor_lines(result)
  local lines = {}
  for _, found in ipairs(result.findings) do
    local place = found.path and ('%s:%d: '):format(found.path, found.line + 1) or ''
    local mended = found.fixed and ' (mended)' or found.fixable and ' (:Memofs! doctor mends it)' or ''
    lines[#lines + 1] = ('%-8s %s%s%s'):format(found.severity, place, (found.message:gsub('%s*\n%s*', ' ')), mended)
    if found.hint then
      lines[#lines + 1] = '         ' .. (found.hint:gsub('%s*\n%s*', ' '))
    end
  end
  if #lines == 0 then
    lines = { 'nothing is wrong' }
  end
  lines[#lines + 1] = ''
  for name, value in vim.spairs(result.facts) do
    lines[#lines + 1] = ('%-16s %s'):format(name, (tostring(value):gsub('%s*\n%s*', ' ')))
  end
  return lines
end

---@param root string
---@param fix boolean
function M.doctor(root, fix)
  require('memofs.requests').send('memofs/doctor', { fix = fix }, function(failure, result)
    if failure then
      require('memofs.message').failure(failure)
      return
    end
    require('memofs.scratch').open({ name = 'memofs://doctor', lines = M.doctor_lines(result), root = root })
  end, { root = root })
end

return M
