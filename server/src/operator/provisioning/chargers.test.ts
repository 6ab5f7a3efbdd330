import { afterAll, expect, test } from 'vitest'
import { isMachineSecret } from '#platform/security/token.ts'
import { openTestRecords } from '#testing/records.ts'
import { applyProvisioning } from './apply.ts'
import { BadProvisioningFile, readProvisioning } from './read.ts'

const file = (charger: string, more = '') => `
customers:
  - key: nord
    name: Nord
    licences:
      - { type: evCharging, name: EV charging }
    chargers:
      - ${charger}
${more}`

const records = await openTestRecords()
afterAll(() => records.close())

const apply = (text: string, dryRun = false) => applyProvisioning(records, readProvisioning(text), { dryRun })
const stored = () =>
  records.system((tx) => tx.selectFrom('charger').selectAll().orderBy('identity').executeTakeFirstOrThrow())

const problemsOf = (text: string) => {
  try {
    readProvisioning(text)
  } catch (error) {
    if (error instanceof BadProvisioningFile) return error.problems
    throw error
  }
  return []
}

test('a charger without a key gets one of 40 hex digits, shown once and kept', async () => {
  const text = file('{ identity: CP-1, name: Gate, type: AC, maxKw: 22 }')
  expect((await apply(text, true)).map(({ what }) => what)).not.toContainEqual(expect.stringContaining('key'))
  const shown = (await apply(text)).find(({ table }) => table === 'charger')
  const key = /shown this once: ([0-9a-f]{40})$/.exec(shown?.what ?? '')?.[1] ?? ''
  expect(shown).toMatchObject({ sign: '+', name: 'CP-1' })
  expect(isMachineSecret(key, (await stored()).password_hash)).toBe(true)
  expect(await apply(text)).toEqual([])
})

test('a new key is valid at once and the previous one for a day; a charger removed from the file is disabled', async () => {
  const before = (await stored()).password_hash
  const nowMs = Date.now()
  const text = file('{ identity: CP-1, name: Gate, type: AC, maxKw: 22, password: the second key }')
  expect((await apply(text)).map(({ what }) => what).join()).not.toContain('second')
  const { password_hash, previous_hash, previous_until } = await stored()
  expect([isMachineSecret('the second key', password_hash), previous_hash]).toEqual([true, before])
  expect(previous_until?.getTime()).toBeGreaterThan(nowMs + 86_000_000)
  expect(await apply(text)).toEqual([])
  await apply(file('{ identity: CP-2, name: Gate, type: AC, maxKw: 22 }'))
  expect(await stored()).toMatchObject({ identity: 'CP-1', enabled: false })
})

test.each([
  ['{ identity: "a/b", name: Gate, type: AC, maxKw: 22 }', 'identity', 'expected what the charger calls itself'],
  ['{ identity: CP, name: Gate, type: GAS, maxKw: 22 }', 'type', 'expected AC or DC'],
  ['{ identity: CP, name: Gate, type: AC, maxKw: 0 }', 'maxKw', 'expected a number of kW above 0'],
  [
    '{ identity: CP, name: Gate, type: AC, maxKw: 22, securityProfile: 0 }',
    'securityProfile',
    'expected security profile',
  ],
  ['{ identity: CP, name: Gate, type: AC, maxKw: 22, password: short }', 'password', 'expected at least 12 characters'],
  [
    '{ identity: CP, name: Gate, type: AC, maxKw: 22, licence: CFM }',
    'licence',
    'expected the key of a licence: evCharging',
  ],
])('%s is refused with its line and the expected value', (charger, field, expected) => {
  expect(problemsOf(file(charger))).toEqual([
    { line: 8, path: `customers[0].chargers[0].${field}`, expected: expect.stringContaining(expected) },
  ])
})

test('an identity belongs to one charger of one customer', () => {
  const charger = '{ identity: CP, name: Gate, type: AC, maxKw: 22 }'
  expect(problemsOf(file(charger, `      - ${charger}`))).toMatchObject([
    { line: 9, path: 'customers[0].chargers[1].identity' },
  ])
  const other = `  - { key: syd, name: Syd, licences: [{ type: evCharging, name: EV }], chargers: [${charger}] }`
  expect(problemsOf(file(charger, other))).toMatchObject([{ line: 9, path: 'customers[1]' }])
})
