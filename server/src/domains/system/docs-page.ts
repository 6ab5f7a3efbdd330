import type { CallShape } from '@gridmast/contract/call.ts'
import type { OpenApiDocument } from '@gridmast/contract/openapi.ts'
import { escapeHtml, page } from './page.ts'

const json = (value: unknown) => `<pre>${escapeHtml(JSON.stringify(value, null, 2))}</pre>`

const callDetails = (name: string, call: CallShape, document: OpenApiDocument) => {
  const operation = document.paths[call.path]?.[call.method.toLowerCase()] as Record<string, unknown> | undefined // the document was printed from this very list
  const who = call.may === 'public' ? 'No token needed' : `Token needed; capability ${call.may}`
  const part = (title: string, value: unknown) => (value ? `<h3>${title}</h3>${json(value)}` : '')
  return `<details id="${name}"><summary><b>${call.method}</b> <code>/api${escapeHtml(call.path)}</code><span>${escapeHtml(call.summary)}</span></summary>
<p>${escapeHtml(who)}</p>${part('Parameters', operation?.['parameters'])}${part('Body', operation?.['requestBody'])}${part('Answers', operation?.['responses'])}</details>`
}

/** The API as one readable page: no script, no third party. */
export const docsPage = (calls: Record<string, CallShape>, document: OpenApiDocument): string => {
  const groups = Map.groupBy(
    Object.entries(calls),
    ([, call]) => call.path.split('/').find((part) => part && part !== 'client' && part !== 'data') ?? 'other',
  )
  const sections = [...groups].map(
    ([group, members]) =>
      `<h2>${escapeHtml(group)}</h2>${members.map(([name, call]) => callDetails(name, call, document)).join('')}`,
  )
  return page(
    'Gridmast API',
    `<h1>Gridmast API ${escapeHtml(document.info.version)}</h1><p>Sign in with <a href="#login">POST /api/user/login</a> and send <code>Authorization: Bearer &lt;token&gt;</code> with every other call.
Instants are ISO 8601 UTC; <code>date</code> is a local day in Europe/Berlin. Machine-readable: <a href="/api/openapi.json">/api/openapi.json</a>.</p>${sections.join('')}`,
  )
}
