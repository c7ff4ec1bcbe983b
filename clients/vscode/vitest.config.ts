import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

export default defineConfig({
  test: {
    include: ['test/unit/**/*.test.ts'],
    alias: { vscode: here('test/unit/vscode.ts') },
    restoreMocks: true,
    sequence: { shuffle: true },
  },
});
