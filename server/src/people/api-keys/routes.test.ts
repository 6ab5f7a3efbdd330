import { addApiKey, findApiKeys, revokeApiKey } from '@gridmast/contract/people/api-keys.ts'
import type { CallShape } from '@gridmast/contract/call.ts'
import { calls } from '@gridmast/contract/calls.ts'
import { limits } from '@gridmast/contract/limits.ts'
import { m } from '@gridmast/contract/messages.ts'
import { readScopes } from '@gridmast/contract/roles.ts'
import { systemStatus } from '@gridmast/contract/operator/system.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { forgetViewers } from '#access/viewer.ts'
import { openTestApp } from '#testing/app.ts'
import { idsOf, validRequest } from '#testing/tenant-matrix.ts'
import { changeRows } from '#testing/rows.ts'

const app = await openTestApp()
// A key is limited to the licences of its creator, so the creator gets all of them.
await app.byHand((tx) =>
  sql`insert into licence (customer_id, licence_id, type, name, icon, enabled)
    select customer_id, gen_random_uuid(), type, type, 'bolt', true from customer cross join unnest(array['evCharging', 'loadShifting']) type
    where key = 'north'`.execute(tx),
)
let sudoer = await app.tokenOf('sudoer@north.example')
afterAll(() => app.close())

type Made = { token: string; key: { _id: string; ending: string; lastUsedAt: string | null } }
const form = (scopes: readonly string[], more: object = {}) => ({
  name: 'Metering',
  scopes,
  expiresInDays: null,
  currentPassword: 'gridmast-demo',
  ...more,
})
const make = async (scopes: readonly string[], more: object = {}, token = sudoer): Promise<Made> => {
  const answer = await app.ask(addApiKey, { token, body: form(scopes, more) })
  expect(answer.status).toBe(200)
  return answer.body.data
}
const list = async (token = sudoer) => (await app.data(findApiKeys, { token })).keys
const revoke = (keyId: string, token = sudoer) => app.ask(revokeApiKey, { token, params: { keyId } })
const setUser = (email: string, columns: { enabled?: boolean; role?: string }) =>
  app.records.system((tx) => tx.updateTable('app_user').set(columns).where('email', '=', email).execute())

describe('creating a key', () => {
  test('S1 the token is shown once and stored as a hash', async () => {
    const { token, key } = await make(['power.read', 'power.read', 'prices.read'], { expiresInDays: 30 })
    expect(token).toMatch(/^gmk_[\w-]{43}$/)
    expect(key).toMatchObject({
      name: 'Metering',
      ending: token.slice(-4),
      scopes: ['power.read', 'prices.read'],
      createdBy: 'sudoer@north.example',
      lastUsedAt: null,
    })
    expect(await list()).toEqual([key])
    const stored = await app.records.system(async (tx) =>
      JSON.stringify([
        await tx.selectFrom('api_key').selectAll().execute(),
        await tx.selectFrom('audit_entry').selectAll().where('action', 'like', 'api-key%').execute(),
      ]),
    )
    expect(stored).toContain('api-key.add')
    expect(stored).not.toContain(token.slice(4, -4))
    await revoke(key._id)
  })

  test.each([
    [{ name: '' }, { name: m.required }],
    [{ name: 'x'.repeat(101) }, { name: 'Must be at most 100 characters' }],
    [{ scopes: [] }, { scopes: m.required }],
    [{ scopes: ['profile.edit'] }, { 'scopes.0': expect.anything() }],
    [{ expiresInDays: 0 }, { expiresInDays: expect.anything() }],
    [{ expiresInDays: 3651 }, { expiresInDays: expect.anything() }],
    [{ expiresInDays: 1.5 }, { expiresInDays: expect.anything() }],
    [{ currentPassword: undefined }, { currentPassword: m.required }],
    [{ currentPassword: 'not-this-one' }, { currentPassword: m.wrongPassword }],
    [{ customerId: 'x' }, { customerId: 'Unknown field: customerId' }],
  ])('R3 %j is refused', async (wrong, errors) => {
    const answer = await app.ask(addApiKey, { token: sudoer, body: form(['power.read'], wrong) })
    expect([answer.status, answer.body.errors]).toEqual([400, errors])
  })

  test('the shortest and the longest validity are accepted', async () => {
    for (const expiresInDays of [1, 3650]) await revoke((await make(['power.read'], { expiresInDays })).key._id)
  })

  test('R4 at most 50 valid keys, also with concurrent requests; expired keys do not count', async () => {
    app.setNow('2026-11-01T08:00:00Z')
    sudoer = await app.tokenOf('sudoer@north.example')
    await make(['power.read'], { expiresInDays: 1 })
    app.setNow('2026-11-03T08:00:00Z')
    sudoer = await app.tokenOf('sudoer@north.example')
    const made = []
    for (let i = 0; i < limits.apiKeys - 1; i++) made.push(await make(['power.read']))
    const body = form(['power.read'])
    const last = await Promise.all([1, 2].map(() => app.ask(addApiKey, { token: sudoer, body })))
    expect(last.map((answer) => answer.status).toSorted((a, b) => a - b)).toEqual([200, 409])
    expect(last.find((answer) => answer.status === 409)?.body.message).toBe(m.tooManyKeys(50))
    await changeRows(app.records, 'api_key', {}, { revoked_at: new Date() })
    app.setNow(new Date().toISOString())
    sudoer = await app.tokenOf('sudoer@north.example')
  }, 60_000)
})

const walked = Object.entries(calls as Record<string, CallShape>).filter(([, call]) => call.may !== 'public')
const reads = walked.filter(
  ([, call]) =>
    call.method === 'GET' && (readScopes as readonly string[]).includes(call.may) && call.answer !== 'events',
)
const others = walked.filter(
  ([, call]) => call.method !== 'GET' || !(readScopes as readonly string[]).includes(call.may),
)
let ids: Record<string, string>
const ask = (name: string, call: CallShape, token: string) =>
  app.ask(call, {
    token,
    ...validRequest(name, call, (ref) => ids[ref] ?? '018f0000-0000-7000-8000-000000000000'),
  })

describe('calls with a key', () => {
  beforeAll(async () => {
    ids = await app.records.system((tx) => idsOf(tx, 'north'))
  })

  test('R1 the test data contains calls that read and other calls', () => {
    expect(reads.map(([name]) => name)).toEqual(expect.arrayContaining(['profile', 'frequencySeries', 'findAudit']))
    expect(others.map(([name]) => name)).toEqual(expect.arrayContaining(['verify', 'findApiKeys', 'updateProfile']))
  })

  describe.each([...Map.groupBy(reads, ([, { may }]) => may)])('R1 of %s', (scope, own) => {
    let within: Made
    let without: Made
    beforeAll(async () => {
      within = await make([scope])
      without = await make(readScopes.filter((one) => one !== scope))
    })
    afterAll(async () => {
      for (const { key } of [within, without]) await revoke(key._id)
    })
    test.each(own)('R1 %s is open to a key with its scope and closed to a key without it', async (name, call) => {
      expect([401, 403, 500]).not.toContain((await ask(name, call, within.token)).status)
      expect(await ask(name, call, without.token)).toMatchObject({ status: 403, body: { message: m.keyScope } })
    })
  })

  describe('R1 all scopes', () => {
    let all: Made
    beforeAll(async () => {
      all = await make(readScopes)
    })
    afterAll(() => revoke(all.key._id))
    test.each(others)('R1 %s is closed to a key with every read scope', async (name, call) => {
      expect(await ask(name, call, all.token)).toMatchObject({ status: 403, body: { message: m.keyScope } })
    })
  })

  test('S1 a revoked key is refused at once and cannot be revoked again', async () => {
    const { token, key } = await make(['system.read'])
    expect((await app.ask(systemStatus, { token })).status).toBe(200)
    expect(await revoke(key._id)).toMatchObject({ status: 200, body: { message: 'API key revoked' } })
    expect((await app.ask(systemStatus, { token })).status).toBe(401)
    expect((await revoke(key._id)).status).toBe(404)
    expect(await list()).not.toContainEqual(expect.objectContaining({ _id: key._id }))
  })

  test('S1 an expired key is refused', async () => {
    app.setNow('2026-11-10T08:00:00Z')
    sudoer = await app.tokenOf('sudoer@north.example')
    const { token } = await make(['system.read'], { expiresInDays: 1 })
    app.setNow('2026-11-11T07:59:59Z')
    expect((await app.ask(systemStatus, { token })).status).toBe(200)
    app.setNow('2026-11-11T08:00:00Z')
    expect((await app.ask(systemStatus, { token })).status).toBe(401)
    app.setNow(new Date().toISOString())
    sudoer = await app.tokenOf('sudoer@north.example')
  })

  test('S1 R1 a key loses access with its creator: after a disabled account or a reduced role', async () => {
    const { token } = await make(['audit.read', 'system.read'])
    const findAudit = reads.find(([name]) => name === 'findAudit')?.[1]
    if (!findAudit) throw new Error('findAudit is not walked')
    await setUser('sudoer@north.example', { role: 'expert' })
    forgetViewers()
    expect(await app.ask(findAudit, { token })).toMatchObject({ status: 403, body: { message: m.forbidden } })
    expect((await app.ask(systemStatus, { token })).status).toBe(200)
    await setUser('sudoer@north.example', { role: 'sudoer', enabled: false })
    forgetViewers()
    expect((await app.ask(systemStatus, { token })).status).toBe(401)
    await setUser('sudoer@north.example', { enabled: true })
    forgetViewers()
  })

  test('the last use is stored at most once a minute', async () => {
    const used = async (id: string) => (await list()).find((key) => (key as Made['key'])._id === id) as Made['key']
    app.setNow('2026-11-12T08:00:00Z')
    sudoer = await app.tokenOf('sudoer@north.example')
    const { token, key } = await make(['system.read'])
    await app.ask(systemStatus, { token })
    expect((await used(key._id)).lastUsedAt).toBe('2026-11-12T08:00:00.000Z')
    app.setNow('2026-11-12T08:01:00Z')
    await app.ask(systemStatus, { token })
    expect((await used(key._id)).lastUsedAt).toBe('2026-11-12T08:00:00.000Z')
    app.setNow('2026-11-12T08:01:01Z')
    await app.ask(systemStatus, { token })
    expect((await used(key._id)).lastUsedAt).toBe('2026-11-12T08:01:01.000Z')
    app.setNow(new Date().toISOString())
    sudoer = await app.tokenOf('sudoer@north.example')
  })

  test('T1 a key reads its customer only, and a key of another customer is not found', async () => {
    const { token, key } = await make(['profile.read'])
    const { text } = await app.ask(calls.profile, { token })
    expect(text).toContain('North')
    expect(text).not.toContain('West')
    const west = await app.tokenOf('sudoer@west.example')
    expect((await revoke(key._id, west)).status).toBe(404)
    expect(await list(west)).toEqual([])
    expect((await app.ask(calls.profile, { token })).status).toBe(200)
  })
})
