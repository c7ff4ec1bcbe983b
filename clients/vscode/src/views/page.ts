/** The search view's page: nothing in it comes from a memory, and its policy allows one style sheet and one script. */

import { randomBytes } from 'node:crypto';
import { l10n, Uri, type Webview } from 'vscode';

export function searchPage(webview: Webview, extension: Uri): string {
  const nonce = randomBytes(16).toString('base64');
  const style = webview.asWebviewUri(Uri.joinPath(extension, 'media', 'search.css'));
  const script = webview.asWebviewUri(Uri.joinPath(extension, 'dist', 'search.js'));
  const policy = `default-src 'none'; style-src ${webview.cspSource}; script-src 'nonce-${nonce}'`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="${style}">
<title>${escaped(l10n.t('Search memories'))}</title>
</head>
<body>
<form id="form" role="search">
<input id="query" type="search" autocomplete="off" spellcheck="false" aria-controls="results" aria-describedby="status"
 aria-label="${escaped(l10n.t('Search memories'))}" placeholder="${escaped(l10n.t('Search memories'))}">
<div class="filters" role="group" aria-label="${escaped(l10n.t('Filters'))}">
<select id="kind" aria-label="${escaped(l10n.t('Kind'))}"></select>
<select id="task" aria-label="${escaped(l10n.t('Task'))}"></select>
<label><input id="stale" type="checkbox">${escaped(l10n.t('Stale only'))}</label>
<select id="root" aria-label="${escaped(l10n.t('Project'))}" hidden></select>
</div>
</form>
<p id="status" role="status" aria-live="polite"></p>
<p id="note" role="status" aria-live="polite"></p>
<div id="state"></div>
<ul id="results" aria-label="${escaped(l10n.t('Memories'))}"></ul>
<script nonce="${nonce}" src="${script}"></script>
</body>
</html>`;
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
