import { addApiKey, findApiKeys, revokeApiKey, type ApiKey } from '@gridmast/contract/api-keys.ts'
import { limits } from '@gridmast/contract/limits.ts'
import { m } from '@gridmast/contract/messages.ts'
import { can } from '@gridmast/contract/roles.ts'
import { forgetViewers } from '#access/viewer.ts'
import { writeAudit } from '#platform/audit.ts'
import { invalid, notFound, Refusal } from '#platform/errors.ts'
import { newId } from '#platform/ids.ts'
import { newToken, tokenSha256 } from '#platform/token.ts'
import { route } from '#route.ts'
import { addKey, countKeys, findKeys, revokeKey } from './queries.ts'

const dayMs = 86_400_000
const endingLength = 4

type Row = Awaited<ReturnType<typeof findKeys>>[number]
const shown = (row: Row): ApiKey => ({
  _id: row.key_id,
  name: row.name,
  ending: row.ending,
  scopes: row.scopes,
  createdBy: row.created_by,
  createdAt: row.created_at.toISOString(),
  expiresAt: row.expires_at?.toISOString() ?? null,
  lastUsedAt: row.last_used_at?.toISOString() ?? null,
})

const find = route(findApiKeys, async ({ app, viewer }) => ({
  keys: (await app.records.tenant(viewer.customerId, (tx) => findKeys(tx, viewer.customerId))).map(shown),
}))

const add = route(addApiKey, async ({ app, viewer, body, requestId }) => {
  const { customerId, userId } = viewer
  if (!body.scopes.every((scope) => can(viewer, scope))) throw invalid({ scopes: m.scopeNotYours })
  const nowMs = app.clock.now()
  const now = new Date(nowMs)
  const token = newToken('apiKey')
  const row: Row = {
    key_id: newId(nowMs),
    name: body.name,
    ending: token.slice(-endingLength),
    scopes: [...new Set(body.scopes)],
    created_by: viewer.email,
    created_at: now,
    expires_at: body.expiresInDays === null ? null : new Date(nowMs + body.expiresInDays * dayMs),
    last_used_at: null,
  }
  await app.records.tenant(customerId, async (tx) => {
    if ((await countKeys(tx, customerId, now)) >= limits.apiKeys) throw new Refusal(409, m.tooManyKeys(limits.apiKeys))
    const { created_by: _, ...columns } = row
    await addKey(tx, { customer_id: customerId, user_id: userId, token_sha256: tokenSha256(token), ...columns })
    await writeAudit(tx, customerId, nowMs, {
      userId,
      who: viewer.email,
      action: 'api-key.add',
      subject: `${row.name} (…${row.ending})`,
      after: { scopes: row.scopes, expiresAt: row.expires_at?.toISOString() ?? null },
      result: 'ok',
      requestId,
    })
  })
  return { key: shown(row), token }
})

const revoke = route(revokeApiKey, async ({ app, viewer, params, requestId }) => {
  const { customerId } = viewer
  const nowMs = app.clock.now()
  await app.records.tenant(customerId, async (tx) => {
    const revoked = await revokeKey(tx, customerId, params.keyId, new Date(nowMs))
    if (!revoked) throw notFound()
    await writeAudit(tx, customerId, nowMs, {
      userId: viewer.userId,
      who: viewer.email,
      action: 'api-key.revoke',
      subject: `${revoked.name} (…${revoked.ending})`,
      result: 'ok',
      requestId,
    })
  })
  forgetViewers()
  return undefined
})

export const apiKeys = [find, add, revoke]
