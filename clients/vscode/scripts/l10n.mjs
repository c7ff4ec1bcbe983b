// Collects the texts that the code shows into l10n/bundle.l10n.json, for translators: `node scripts/l10n.mjs`. With
// --check it writes nothing, and fails if the file is not current.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const here = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));
const texts = new Set();

function collect(node) {
  if (ts.isCallExpression(node) && node.expression.getText() === 'l10n.t') {
    const [text] = node.arguments;
    if (text === undefined || !ts.isStringLiteralLike(text)) throw new Error(`not a literal: ${node.getText()}`);
    texts.add(text.text);
  }
  ts.forEachChild(node, collect);
}

for (const name of readdirSync(here('src'), { recursive: true }).sort()) {
  if (!name.endsWith('.ts')) continue;
  collect(ts.createSourceFile(name, readFileSync(here(`src/${name}`), 'utf8'), ts.ScriptTarget.Latest, true));
}

const bundle = `${JSON.stringify(Object.fromEntries([...texts].sort().map((text) => [text, text])), null, 2)}\n`;
const file = here('l10n/bundle.l10n.json');
if (!process.argv.includes('--check')) writeFileSync(file, bundle);
else if (readFileSync(file, 'utf8') !== bundle) {
  console.error('l10n/bundle.l10n.json is not current: node scripts/l10n.mjs');
  process.exit(1);
}
