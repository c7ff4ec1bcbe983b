import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
const manifest = read('package.json');
const texts = JSON.parse(read('package.nls.json')) as Record<string, string>;

it('every text of the manifest is there, and none is left over', () => {
  const named = [...manifest.matchAll(/"%([^%"]+)%"/g)].map((each) => each[1]);
  expect(new Set(Object.keys(texts))).toEqual(new Set(named));
});

it('no title, description or label of the manifest is written into it', () => {
  const contributes = JSON.stringify((JSON.parse(manifest) as { contributes: object }).contributes);
  const written = [
    ...contributes.matchAll(/"(?:title|markdownDescription|description|name|contents|altText)":"([^"]*)"/g),
  ];
  expect(written.map((each) => each[1]).filter((text) => !/^%.*%$/.test(text ?? ''))).toEqual([]);
});
