// Formats Lua with StyLua: `node stylua.mjs check|write FOLDER_OF_NODE_MODULES FILE…` names the files that differ, or
// rewrites them. The settings are those of clients/neovim/stylua.toml, which a test compares.
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const [action, folder, ...files] = process.argv.slice(2);
const stylua = createRequire(`${folder}/`)('@johnnymorganz/stylua');

function settings() {
  const config = stylua.Config.new();
  config.column_width = 120;
  config.indent_type = stylua.IndentType.Spaces;
  config.indent_width = 2;
  config.quote_style = stylua.QuoteStyle.AutoPreferSingle;
  config.call_parentheses = stylua.CallParenType.Always;
  config.syntax = stylua.LuaVersion.LuaJIT;
  return config;
}

for (const file of files) {
  const before = readFileSync(file, 'utf8');
  const after = stylua.formatCode(before, settings(), undefined, stylua.OutputVerification.Full);
  if (before === after) continue;
  if (action === 'write') writeFileSync(file, after);
  console.log(file);
}
