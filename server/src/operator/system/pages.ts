import { gzipSync } from 'node:zlib'
import type { CallShape } from '@gridmast/contract/call.ts'
import type { OpenApiDocument } from '@gridmast/contract/openapi.ts'
import { readScopes } from '@gridmast/contract/roles.ts'
import { m } from '@gridmast/contract/messages.ts'
import { formatDateTime } from '@gridmast/contract/time.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { isAtThisMachine } from '#platform/http/address.ts'
import type { App } from '#context.ts'
import { findDemoMail } from './queries.ts'

/** For text between tags only. */
const escapeHtml = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

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

const page = (title: string, body: string): string => `<!doctype html><html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width"><title>${escapeHtml(title)}</title><style>${style}</style></head>
<body><main>${body}</main></body></html>`

const json = (value: unknown) => `<pre>${escapeHtml(JSON.stringify(value, null, 1))}</pre>`

type Operation = { parameters?: unknown; requestBody?: unknown; responses: Record<string, unknown> }

const callDetails = (name: string, call: CallShape, document: OpenApiDocument) => {
  const operation = document.paths[call.path]?.[call.method.toLowerCase()] as Operation | undefined // the document was generated from this list
  const who = call.may === 'public' ? 'No token needed' : `Token needed; capability ${call.may}`
  const part = (title: string, value: unknown) => (value ? `<h3>${title}</h3>${json(value)}` : '')
  return `<details id="${name}"><summary><b>${call.method}</b> <code>/api${escapeHtml(call.path)}</code><span>${escapeHtml(call.summary)}</span></summary>
<p>${escapeHtml(who)}</p>${part('Parameters', operation?.parameters)}${part('Body', operation?.requestBody)}${part('Answer', operation?.responses['200'])}</details>`
}

const scopes: readonly string[] = readScopes
const groupOf = ({ may, path }: CallShape) =>
  scopes.includes(may)
    ? `Scope ${may}`
    : (path.split('/').find((part) => part && part !== 'client' && part !== 'data') ?? 'other')
const placeOf = (group: string) => (group === 'api-key' ? 0 : group.startsWith('Scope ') ? 1 : 2)

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
Instants are ISO 8601 UTC; <code>date</code> is a local day in Europe/Berlin. Every refusal is <code>{"success": false, "message", "errors"}</code>. Machine-readable: <a href="/api/openapi.json">/api/openapi.json</a>.</p>${sections.join('')}`,
  )
}

export const serveDevMail = (http: FastifyInstance, app: App): void => {
  http.get('/dev/mail', async (request, reply) => {
    if (!isAtThisMachine(request)) return reply.code(404).send({ success: false, message: m.notFound })
    const mails = await app.records.system(findDemoMail)
    const entries = mails.map((mail) => {
      const state = mail.sent_at ? `sent ${formatDateTime(mail.sent_at.getTime())}` : (mail.last_error ?? 'waiting')
      return `<details><summary><b>${escapeHtml(mail.subject)}</b><span>${escapeHtml(mail.recipient)} · ${escapeHtml(state)}</span></summary><pre>${escapeHtml(mail.body)}</pre></details>`
    })
    return reply
      .type('text/html; charset=utf-8')
      .header('cache-control', 'no-store')
      .send(
        page(
          'Mail',
          `<h1>Mail</h1><p>The last 100 mails of this demo.</p>${entries.join('') || '<p>No mail yet.</p>'}`,
        ),
      )
  })
}

/**
 * An answer that is equal for all clients, written and compressed at the first request: written per request, eight clients in a loop delayed all
 * others for seconds (measured).
 */
export const madeOnce = (type: string, write: () => string) => {
  let page: { plain: Buffer; packed: Buffer } | undefined
  return ({ request, reply }: { request: FastifyRequest; reply: FastifyReply }): { taken: true } => {
    if (!page) {
      const plain = Buffer.from(write())
      page = { plain, packed: gzipSync(plain) }
    }
    void reply.type(type).header('vary', 'accept-encoding')
    if (/\bgzip\b/.test(String(request.headers['accept-encoding'])))
      void reply.header('content-encoding', 'gzip').send(page.packed)
    else {
      request.headers['x-no-compression'] = '' // otherwise the frame compresses it again for each client that accepts only deflate
      void reply.send(page.plain)
    }
    return { taken: true }
  }
}
