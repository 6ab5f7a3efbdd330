import type { CallShape } from '@gridmast/contract/call.ts'
import type { OpenApiDocument } from '@gridmast/contract/openapi.ts'

const escape = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

const json = (value: unknown) => `<pre>${escape(JSON.stringify(value, null, 2))}</pre>`

const style = `
:root{color-scheme:light dark;--ink:#10161f;--ink3:#667080;--card:#fff;--page:#f6f7f9;--line:#e7eaee;--link:#255898}
@media (prefers-color-scheme:dark){:root{--ink:#e9ecf0;--ink3:#8a94a2;--card:#14181d;--page:#0d1014;--line:#232830;--link:#82aee7}}
body{margin:0;background:var(--page);color:var(--ink);font:14px/1.5 Inter,system-ui,sans-serif}
main{max-width:880px;margin:0 auto;padding:32px 20px}
h1{font-size:22px;margin:0 0 4px}h2{font-size:15px;margin:32px 0 8px;text-transform:capitalize}p{margin:0 0 12px;color:var(--ink3)}
details{background:var(--card);border:1px solid var(--line);border-radius:10px;margin:0 0 8px;padding:10px 14px}
summary{cursor:pointer}code{font:13px ui-monospace,monospace}summary b{display:inline-block;min-width:56px}
summary span{display:block;color:var(--ink3);padding-left:60px}
pre{overflow:auto;font:12px/1.45 ui-monospace,monospace;background:var(--page);border-radius:8px;padding:10px}h3{font-size:12px;margin:12px 0 4px;color:var(--ink3)}
a{color:var(--link)}`

const callDetails = (name: string, call: CallShape, document: OpenApiDocument) => {
  const operation = document.paths[call.path]?.[call.method.toLowerCase()] as Record<string, unknown> | undefined // the document was printed from this very list
  const who = call.may === 'public' ? 'No token needed' : `Token needed; capability ${call.may}`
  const part = (title: string, value: unknown) => (value ? `<h3>${title}</h3>${json(value)}` : '')
  return `<details id="${name}"><summary><b>${call.method}</b> <code>/api${escape(call.path)}</code><span>${escape(call.summary)}</span></summary>
<p>${escape(who)}</p>${part('Parameters', operation?.['parameters'])}${part('Body', operation?.['requestBody'])}${part('Answers', operation?.['responses'])}</details>`
}

/** The API as one readable page: no script, no third party. */
export const docsPage = (calls: Record<string, CallShape>, document: OpenApiDocument): string => {
  const groups = Map.groupBy(
    Object.entries(calls),
    ([, call]) => call.path.split('/').find((part) => part && part !== 'client' && part !== 'data') ?? 'other',
  )
  const sections = [...groups].map(
    ([group, members]) =>
      `<h2>${escape(group)}</h2>${members.map(([name, call]) => callDetails(name, call, document)).join('')}`,
  )
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Gridmast API</title><style>${style}</style></head>
<body><main><h1>Gridmast API ${escape(document.info.version)}</h1><p>Sign in with <a href="#login">POST /api/user/login</a> and send <code>Authorization: Bearer &lt;token&gt;</code> with every other call.
Instants are ISO 8601 UTC; <code>date</code> is a local day in Europe/Berlin. Machine-readable: <a href="/api/openapi.json">/api/openapi.json</a>.</p>${sections.join('')}</main></body></html>`
}
