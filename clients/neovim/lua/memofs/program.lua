--- Which program serves a workspace.
local M = {}

---@class memofs.Program
---@field cmd? string[] what to run, without `lsp`
---@field from 'setting'|'path'|'venv'|'none'
---@field problem? string
---@field remedy? string

--- The program that a workspace has in its virtual environment.
---@param root string
---@return string?
function M.in_venv(root)
  for _, name in ipairs({ '.venv/bin/memofs', '.venv/Scripts/memofs.exe' }) do
    local path = vim.fs.joinpath(root, name)
    if vim.fn.executable(path) == 1 then
      return path
    end
  end
end

--- Whether the person has allowed a program of a workspace: by `:Memofs trust`, which is |:trust|. A program that has
--- changed since is not allowed. Nobody is asked anything here.
---@param path string
---@return boolean
function M.is_trusted(path)
  local real = vim.uv.fs_realpath(path)
  local list = io.open(vim.fs.joinpath(vim.fn.stdpath('state') --[[@as string]], 'trust'), 'r')
  if not real or not list then
    return false
  end
  local wanted
  for line in list:lines() do
    local hash, file = line:match('^(%S+) (.+)$')
    if file == real then
      wanted = hash
    end
  end
  list:close()
  local program = wanted and io.open(real, 'rb')
  if not program then
    return false
  end
  local text = program:read('*a')
  program:close()
  return vim.fn.sha256(text) == wanted
end

--- Let the program in a workspace's virtual environment be run.
---@param root string
---@return boolean done
function M.trust(root)
  local message = require('memofs.message')
  local path = M.in_venv(root)
  if not path then
    message.warn('there is no .venv/bin/memofs in ' .. root, 'install it there: .venv/bin/pip install memofs')
    return false
  end
  -- vim.secure.trust() allows buffers only; the buffer holds what is run, and goes again.
  local buf = vim.fn.bufadd(path)
  vim.cmd(('noautocmd call bufload(%d)'):format(buf))
  local ok, said = vim.secure.trust({ action = 'allow', bufnr = buf })
  vim.api.nvim_buf_delete(buf, { force = true })
  if not ok then
    message.error('could not allow ' .. path .. ': ' .. said)
    return false
  end
  message.info(('%s may be run now; if it changes, ask again'):format(path))
  return true
end

--- The program for a workspace, or what keeps it from being found and the remedy.
---@param root string
---@return memofs.Program
function M.find(root)
  local config = require('memofs.config').get()
  if config.cmd then
    if vim.fn.executable(config.cmd[1]) == 1 then
      return { cmd = config.cmd, from = 'setting' }
    end
    local problem = ('the setting cmd names %s, which cannot be run'):format(config.cmd[1])
    return { from = 'none', problem = problem, remedy = 'change cmd, or leave it out if memofs is on PATH' }
  end
  if vim.fn.executable('memofs') == 1 then
    return { cmd = { vim.fn.exepath('memofs') }, from = 'path' }
  end
  local own = M.in_venv(root)
  if own and (config.allow_venv or M.is_trusted(own)) then
    return { cmd = { own }, from = 'venv' }
  end
  if own then
    local remedy = 'run :Memofs trust to allow this one, or set allow_venv = true'
    return { from = 'none', problem = ('%s was found and is not allowed to run'):format(own), remedy = remedy }
  end
  local remedy = 'install it (pipx install memofs, or uv tool install memofs), or set cmd; see :checkhealth memofs'
  return { from = 'none', problem = 'the program memofs is not on PATH', remedy = remedy }
end

return M
