--- Memories whose code has changed, as a quickfix list.
local M = {}

---@param found memofs.Finding
---@param encoding 'utf-8'|'utf-16'|'utf-32'
local function entry(found, encoding)
  local range = found.exists and found.anchor.range or nil
  local path = vim.uri_to_fname(found.exists and found.anchor.uri or found.memoryUri)
  local made = {
    filename = path,
    lnum = found.exists and (range and range.start.line or 0) + 1 or found.memoryLine + 1,
    text = found.message,
    type = 'W',
    user_data = { memory = found.anchor.memory, anchorIndex = found.anchor.anchorIndex },
  }
  local buf = require('memofs.buffers').of_path(path)
  if range and buf then
    local row, column, end_row, end_column = require('memofs.position').from_range(buf, range, encoding)
    made.lnum, made.col, made.end_lnum, made.end_col = row + 1, column + 1, end_row + 1, end_column + 1
  end
  return made
end

--- Check, and list what is stale: of the workspace in the quickfix list, of one file in the location list.
---@param root string
---@param path? string relative to the workspace
function M.list(root, path)
  local client = require('memofs.client')
  require('memofs.requests').send('memofs/check', { paths = path and { path } or nil }, function(failure, result)
    if failure then
      require('memofs.message').failure(failure)
      return
    end
    local encoding = client.encoding(client.of_root(root))
    local items = vim.tbl_map(function(found)
      return entry(found, encoding)
    end, result.findings)
    local what = { title = 'MemoFS: stale memories', items = items, context = { memofs = root } }
    if path then
      vim.fn.setloclist(0, {}, ' ', what)
    else
      vim.fn.setqflist({}, ' ', what)
    end
    local unchecked = #(result.unchecked or {})
    if #items == 0 then
      local looked = ({ [0] = 'nothing is remembered yet', '1 memory fits its code' })[result.memories]
        or ('%d memories fit their code'):format(result.memories)
      require('memofs.message').info(
        looked,
        unchecked > 0 and ('%d places could not be looked at'):format(unchecked) or nil
      )
      return
    end
    vim.cmd(path and 'lopen' or 'botright copen')
  end, { root = root })
end

return M
