import { expect, it } from 'vitest';
import type { Webview } from 'vscode';
import { searchPage } from '../../src/views/page';
import { Uri } from './vscode';

const webview = { cspSource: 'https://w.test', asWebviewUri: (uri: Uri) => uri } as unknown as Webview;
const page = (): string => searchPage(webview, Uri.file('/ext') as never);
const nonces = (text: string): string[] =>
  [...text.matchAll(/nonce[-=]"?([A-Za-z0-9+/=]+)/g)].map((each) => each[1] ?? '');

it('allows one style sheet and the one script that has its nonce', () => {
  const text = page();
  expect(/content="([^"]*)"/.exec(text)?.[1]).toMatch(
    /^default-src 'none'; style-src https:\/\/w\.test; script-src 'nonce-[^']+'$/,
  );
  const [policy, script] = nonces(text);
  expect(script).toBe(policy);
  expect(text.match(/<script/g)).toHaveLength(1);
  expect(text).not.toMatch(/ on[a-z]+=|style="|<style|https?:\/\/(?!w\.test)/);
});

it('has another nonce every time', () => {
  expect(nonces(page())[0]).not.toBe(nonces(page())[0]);
});
