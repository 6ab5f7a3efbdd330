import type { CallShape } from '@gridmast/contract/call.ts'
import type { OpenApiDocument } from '@gridmast/contract/openapi.ts'
import { readScopes } from '@gridmast/contract/roles.ts'
import { escapeHtml, page } from './page.ts'

const json = (value: unknown) => `<pre>${escapeHtml(JSON.stringify(value, null, 2))}</pre>`

const callDetails = (name: string, call: CallShape, document: OpenApiDocument) => {
  const operation = document.paths[call.path]?.[call.method.toLowerCase()] as Record<string, unknown> | undefined // the document was printed from this very list
  const who = call.may === 'public' ? 'No token needed' : `Token needed; capability ${call.may}`
  const part = (title: string, value: unknown) => (value ? `<h3>${title}</h3>${json(value)}` : '')
  return `<details id="${name}"><summary><b>${call.method}</b> <code>/api${escapeHtml(call.path)}</code><span>${escapeHtml(call.summary)}</span></summary>
<p>${escapeHtml(who)}</p>${part('Parameters', operation?.['parameters'])}${part('Body', operation?.['requestBody'])}${part('Answers', operation?.['responses'])}</details>`
}

/** Calls that a key may read stand by its scope, all others by the first word of their path. */
const scopes: readonly string[] = readScopes
const groupOf = ({ may, path }: CallShape) =>
  scopes.includes(may)
    ? `Scope ${may}`
    : (path.split('/').find((part) => part && part !== 'client' && part !== 'data') ?? 'other')
/** Keys first, then what they read. */
const placeOf = (group: string) => (group === 'api-key' ? 0 : group.startsWith('Scope ') ? 1 : 2)

/** The API as one readable page: no script, no third party. */
export const docsPage = (calls: Record<string, CallShape>, document: OpenApiDocument): string => {
  const groups = Map.groupBy(Object.entries(calls), ([, call]) => groupOf(call))
  const sections = [...groups]
    .toSorted(([a], [b]) => placeOf(a) - placeOf(b))
    .map(
      ([group, members]) =>
        `<h2>${escapeHtml(group)}</h2>${members.map(([name, call]) => callDetails(name, call, document)).join('')}`,
    )
  return page(
    'Gridmast API',
    `<h1>Gridmast API ${escapeHtml(document.info.version)}</h1><p>Create an API key in the portal (profile menu, API keys) and send <code>Authorization: Bearer &lt;key&gt;</code> with every call. A key reads what its scopes name.
A person signs in with <a href="#login">POST /api/user/login</a> and sends the token of the answer in the same way.
Instants are ISO 8601 UTC; <code>date</code> is a local day in Europe/Berlin. Machine-readable: <a href="/api/openapi.json">/api/openapi.json</a>.</p>${sections.join('')}`,
  )
}
