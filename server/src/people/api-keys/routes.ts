import { addApiKey, findApiKeys, revokeApiKey, type ApiKey } from '@gridmast/contract/people/api-keys.ts'
import { limits } from '@gridmast/contract/limits.ts'
import { m } from '@gridmast/contract/messages.ts'
import { can } from '@gridmast/contract/roles.ts'
import { dayMs } from '@gridmast/contract/time.ts'
import { checkCurrentPassword } from '#access/passwords.ts'
import { invalid, notFound, Refusal } from '#platform/http/errors.ts'
import { newId } from '#platform/records/ids.ts'
import { newToken, tokenSha256 } from '#platform/security/token.ts'
import { route } from '#context.ts'
import { addKey, countKeys, findKeys, revokeKey } from './queries.ts'

const endingLength = 4

type KeyRow = Awaited<ReturnType<typeof findKeys>>[number]
const toApiKey = (row: KeyRow): ApiKey => ({
  _id: row.key_id,
  name: row.name,
  ending: row.ending,
  scopes: row.scopes,
  createdBy: row.created_by,
  createdAt: row.created_at.toISOString(),
  expiresAt: row.expires_at?.toISOString() ?? null,
  lastUsedAt: row.last_used_at?.toISOString() ?? null,
})

const find = route(findApiKeys, async ({ own }) => ({ keys: (await own(findKeys)).map(toApiKey) }))

const add = route(addApiKey, async (context) => {
  const { viewer, own, audit, nowMs, body } = context
  if (!body.scopes.every((scope) => can(viewer, scope))) throw invalid({ scopes: m.scopeNotYours })
  await checkCurrentPassword(context, body.currentPassword)
  const now = new Date(nowMs)
  const token = newToken('apiKey')
  const row: KeyRow = {
    key_id: newId(nowMs),
    name: body.name,
    ending: token.slice(-endingLength),
    scopes: [...new Set(body.scopes)],
    created_by: viewer.email,
    created_at: now,
    expires_at: body.expiresInDays === null ? null : new Date(nowMs + body.expiresInDays * dayMs),
    last_used_at: null,
  }
  await own(async (tx, customerId) => {
    if ((await countKeys(tx, customerId, now)) >= limits.apiKeys) throw new Refusal(409, m.tooManyKeys(limits.apiKeys))
    const { created_by: _, ...columns } = row
    await addKey(tx, { customer_id: customerId, user_id: viewer.userId, token_sha256: tokenSha256(token), ...columns })
    const after = { scopes: row.scopes, expiresAt: row.expires_at?.toISOString() ?? null }
    await audit(tx, 'api-key.add', `${row.name} (…${row.ending})`, { after })
  })
  return { key: toApiKey(row), token }
})

const revoke = route(revokeApiKey, async ({ own, audit, nowMs, params }) => {
  await own(async (tx, customerId) => {
    const revoked = await revokeKey(tx, customerId, params.keyId, new Date(nowMs))
    if (!revoked) throw notFound()
    await audit(tx, 'api-key.revoke', `${revoked.name} (…${revoked.ending})`)
  })
})

export const apiKeys = [find, add, revoke]
