import { afterAll, expect, test } from 'vitest'
import { isMachineSecret } from '#platform/security/token.ts'
import { openTestRecords } from '#testing/records.ts'
import { applyProvisioning } from './apply.ts'
import { readProvisioning } from './read.ts'

const file = `
customers:
  - key: nord
    name: Nord
    licences:
      - { type: evCharging, name: EV charging }
    edges:
      - { key: gate-1, name: Gate, password: password-of-the-edge }
    chargers:
      - { identity: gate-1, name: Gate, type: AC, maxKw: 22, password: key-of-the-charger }`

const records = await openTestRecords()
afterAll(() => records.close())

test('an edge and a charger of the same name have their own passwords', async () => {
  await applyProvisioning(records, readProvisioning(file), { dryRun: false })
  const hashOf = (table: 'edge' | 'charger') =>
    records.system((tx) => tx.selectFrom(table).select('password_hash').executeTakeFirstOrThrow())
  expect(isMachineSecret('password-of-the-edge', (await hashOf('edge')).password_hash)).toBe(true)
  expect(isMachineSecret('key-of-the-charger', (await hashOf('charger')).password_hash)).toBe(true)
  expect(await applyProvisioning(records, readProvisioning(file), { dryRun: false })).toEqual([])
})
