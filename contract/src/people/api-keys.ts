import { z } from 'zod'
import { call, id } from '#call.ts'
import { givenPassword, shortText } from '#fields.ts'
import { m } from '#messages.ts'
import { readScopes } from '#roles.ts'

/** Read-only capabilities of roles.ts; a key never has more rights than its creator. */
export const scopes = z.array(z.enum(readScopes)).min(1, m.required).max(readScopes.length)

export const apiKey = z.object({
  _id: id('api-key'),
  name: z.string(),
  ending: z.string(),
  scopes: z.array(z.string()),
  createdBy: z.string(),
  createdAt: z.iso.datetime(),
  expiresAt: z.iso.datetime().nullable(),
  lastUsedAt: z.iso.datetime().nullable(),
})
export type ApiKey = z.infer<typeof apiKey>

export const findApiKeys = call({
  method: 'GET',
  path: '/client/api-key',
  summary: 'List the valid and expired API keys of the customer; revoked keys are on the audit trail',
  may: 'api-key.manage',
  of: ['api-key'],
  response: z.object({ keys: z.array(apiKey) }),
})

export const addApiKey = call({
  method: 'POST',
  path: '/client/api-key',
  summary: 'Create an API key; `token` is shown only once',
  may: 'api-key.manage',
  touches: ['api-key'],
  body: z.strictObject({
    name: shortText,
    scopes,
    /** Days from now; null: until revoked. */
    expiresInDays: z.number().int().min(1).max(3650).nullable(),
    currentPassword: givenPassword,
  }),
  response: z.object({ key: apiKey, token: z.string() }),
  ok: m.keyCreated,
})

export const revokeApiKey = call({
  method: 'DELETE',
  path: '/client/api-key/{keyId}',
  summary: 'Revoke an API key; it stops within a second',
  may: 'api-key.manage',
  touches: ['api-key'],
  params: z.object({ keyId: id('api-key') }),
  ok: m.keyRevoked,
})
