export const escapeHtml = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

const style = `
:root{color-scheme:light dark;--ink:#10161f;--ink3:#667080;--card:#fff;--page:#f6f7f9;--line:#e7eaee;--link:#255898}
@media (prefers-color-scheme:dark){:root{--ink:#e9ecf0;--ink3:#8a94a2;--card:#14181d;--page:#0d1014;--line:#232830;--link:#82aee7}}
body{margin:0;background:var(--page);color:var(--ink);font:14px/1.5 Inter,system-ui,sans-serif}
main{max-width:880px;margin:0 auto;padding:32px 20px}
h1{font-size:22px;margin:0 0 4px}h2{font-size:15px;margin:32px 0 8px;text-transform:capitalize}p{margin:0 0 12px;color:var(--ink3)}
details{background:var(--card);border:1px solid var(--line);border-radius:10px;margin:0 0 8px;padding:10px 14px}
summary{cursor:pointer}code{font:13px ui-monospace,monospace}summary b{display:inline-block;min-width:56px}
summary span{display:block;color:var(--ink3);padding-left:60px}
pre{overflow:auto;white-space:pre-wrap;font:12px/1.45 ui-monospace,monospace;background:var(--page);border-radius:8px;padding:10px}
h3{font-size:12px;margin:12px 0 4px;color:var(--ink3)}a{color:var(--link)}`

/** A plain page of the server itself: no script, no third party. `body` is HTML. */
export const page = (
  title: string,
  body: string,
): string => `<!doctype html><html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width"><title>${escapeHtml(title)}</title><style>${style}</style></head>
<body><main>${body}</main></body></html>`
