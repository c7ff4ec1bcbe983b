// Bundles the extension (one CommonJS file for the extension host) and the search view's script (one for the browser).
import { build } from 'esbuild';

// The language client checks which VS Code it runs in; package.json's `engines` has VS Code check that already.
const noVersionCheck = {
  name: 'no-version-check',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^semver\/functions\/(parse|satisfies)$/ }, ({ path }) => ({
      path,
      namespace: 'no-version-check',
    }));
    onLoad({ filter: /.*/, namespace: 'no-version-check' }, () => ({ contents: 'module.exports = () => ({});' }));
  },
};

const shared = { bundle: true, minify: true, legalComments: 'none', logLevel: 'warning' };

await Promise.all([
  build({
    ...shared,
    entryPoints: ['src/extension.ts'],
    outfile: 'dist/extension.js',
    platform: 'node',
    format: 'cjs',
    target: 'node18',
    external: ['vscode'],
    conditions: ['node'],
    plugins: [noVersionCheck],
  }),
  build({
    ...shared,
    entryPoints: ['src/webview/search.ts'],
    outfile: 'dist/search.js',
    platform: 'browser',
    format: 'iife',
    target: 'chrome120',
  }),
]);
