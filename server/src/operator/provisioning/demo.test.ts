import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { addSession } from '#access/sessions.ts'
import type { Records } from '#platform/records/records.ts'
import { provisionTwoCustomers } from '#testing/factories.ts'
import { putPrices } from '#testing/prices.ts'
import { openTestRecords } from '#testing/records.ts'
import { applyProvisioning } from './apply.ts'
import { enterDemo, leaveDemo } from './demo.ts'
import { readProvisioning } from './read.ts'

const company = (key: string) =>
  readProvisioning(`
customers:
  - key: ${key}
    name: ${key}
    edges: [{ key: ${key}-edge, name: Edge, password: gridmast-demo }]
    licences: [{ type: evCharging, name: Charging }]
    chargers: [{ identity: ${key}-1, name: Charger, type: AC, connectors: 1, maxKw: 22, password: gridmast-demo-charger }]
    users: [{ email: a@${key}.example, name: A, role: sudoer, password: gridmast-demo }]`)
const world = company('demo')
const nowMs = Date.UTC(2026, 10, 21, 12)

let records: Records
beforeEach(async () => {
  records = await openTestRecords()
})
afterEach(() => records.close())

const count = (table: string, where: string) =>
  records.system(async (tx) => {
    const { rows } = await sql<{ n: number }>`
      select count(*)::int as n from ${sql.table(table)} where ${sql.raw(where)}`.execute(tx)
    return rows[0]?.n
  })
const price = { market: 'DayAheadPrices', area: 'DK1', at: '2026-11-20T12:00:00Z', priceEur: '41.5' }

test('a demo refuses a store with other customers, by name, and one with real prices', async () => {
  await putPrices(records, [price], '2026-11-20T12:00:00Z')
  await expect(enterDemo(records, world)).rejects.toThrow(/^DEMO: .* real published prices\. Set DEMO=off/)
  await provisionTwoCustomers(records)
  await expect(enterDemo(records, world)).rejects.toThrow(/^DEMO: .* not the demo's: north, west\. Set DEMO=off/)
  expect(await count('customer', `key = 'demo'`)).toBe(0)
})

test('S1 the end of a demo removes its passwords, sessions, edges and simulated prices', async () => {
  await enterDemo(records, world)
  await putPrices(records, [price], '2026-11-20T12:00:00Z')
  await records.system(async (tx) => {
    const user = await tx.selectFrom('app_user').selectAll().executeTakeFirstOrThrow()
    const whose = { customerId: user.customer_id, userId: user.user_id, userAgent: undefined, address: '::1' }
    await addSession(tx, { ...whose, remembered: true, nowMs })
    await sql`insert into connector_state (source, dataset, simulated) values ('Energinet', 'DayAheadPrices', true)`.execute(
      tx,
    )
  })
  expect(await leaveDemo(records, nowMs)).toBe(true)
  expect(await count('app_user', 'enabled')).toBe(0)
  expect(await count('edge', 'enabled')).toBe(0)
  expect(await count('charger', 'enabled')).toBe(0)
  expect(await count('user_session', 'ended_at is null')).toBe(0)
  expect(await count('market_price', 'true')).toBe(0)
  expect(await count('audit_entry', `action = 'customer.demo-ended'`)).toBe(1)
  expect(await leaveDemo(records, nowMs)).toBe(false)
  await enterDemo(records, world)
  expect(await count('app_user', 'enabled')).toBe(1)
})

test('real prices and customers are unchanged without a demo', async () => {
  await provisionTwoCustomers(records)
  await putPrices(records, [price], '2026-11-20T12:00:00Z')
  expect(await leaveDemo(records, nowMs)).toBe(false)
  expect(await count('app_user', 'not enabled')).toBe(0)
  expect(await count('market_price', 'true')).toBe(1)
})

test('customers provisioned into a demo end with it, and their keys cannot be used by real customers afterwards', async () => {
  await enterDemo(records, world)
  await applyProvisioning(records, company('added'), { dryRun: false, demo: true })
  await enterDemo(records, world)
  await leaveDemo(records, nowMs)
  expect(await count('app_user', 'enabled')).toBe(0)
  await applyProvisioning(records, company('real'), { dryRun: false })
  await expect(applyProvisioning(records, company('added'), { dryRun: false })).rejects.toThrow(/customer of the demo/)
  await expect(enterDemo(records, world)).rejects.toThrow(/: real\./)
})
