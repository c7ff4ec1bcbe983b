// Bundles the extension: its entry, the language client, which is read only when there is a daemon to talk to, and the
// search view's script.
import { build } from 'esbuild';

const shared = { bundle: true, minify: true, legalComments: 'none', logLevel: 'warning' };

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

// Reading the client's 400 kB would be most of the time that activation takes.
const clientApart = {
  name: 'client-apart',
  setup({ onResolve }) {
    onResolve({ filter: /\/projects\/client$/ }, ({ kind }) =>
      kind === 'dynamic-import' ? { path: './client.js', external: true } : undefined,
    );
  },
};

const host = {
  ...shared,
  platform: 'node',
  format: 'cjs',
  target: 'node18',
  external: ['vscode'],
  conditions: ['node'],
  supported: { 'dynamic-import': false },
};

await Promise.all([
  build({ ...host, entryPoints: ['src/extension.ts'], outfile: 'dist/extension.js', plugins: [clientApart] }),
  build({ ...host, entryPoints: ['src/projects/client.ts'], outfile: 'dist/client.js', plugins: [noVersionCheck] }),
  build({
    ...shared,
    entryPoints: ['src/webview/search.ts'],
    outfile: 'dist/search.js',
    platform: 'browser',
    format: 'iife',
    target: 'chrome120',
  }),
]);
