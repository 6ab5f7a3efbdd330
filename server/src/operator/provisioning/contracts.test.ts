import { afterAll, expect, test } from 'vitest'
import { openTestRecords } from '#testing/records.ts'
import { applyProvisioning } from './apply.ts'
import { BadProvisioningFile, readProvisioning } from './read.ts'

const file = (contracts: string, gates = '[]') => `
gates: ${gates}
customers:
  - key: syd
    name: Syd
    licences: [{ type: FFR, name: FFR }]
    edges: [{ key: edge-syd, name: Edge, password: gridmast-demo }]
    instances:
      - key: cold
        name: Cold
        licence: FFR
        edge: edge-syd
        markets: [FFR]
        area: DK2
        kind: cold-store
        flexibleKw: 420
        contracts: ${contracts}
`
const split = 'customer: 70.5, partner: 10, sc: 9.5, enablers: { Hjælper: 10 }'

const records = await openTestRecords()
afterAll(() => records.close())

const apply = (text: string) => applyProvisioning(records, readProvisioning(text), { dryRun: false })

test('contracts and gates are stored as in the file, and a second run changes nothing', async () => {
  const text = file(
    `[{ from: 2026-01-01, to: 2026-06-30, ${split}, auctions: [late] }, { from: 2026-07-01, customer: 100, defaultPriceEur: 2.5, penaltyTo: sc }]`,
    `[{ market: FFR, daysAhead: 2, closesAt: '14:00' }]`,
  )
  await apply(text)
  expect(await apply(text)).toEqual([])
  const contracts = await records.system((tx) =>
    tx.selectFrom('instance_contract').selectAll().orderBy('valid_from').execute(),
  )
  expect(contracts).toMatchObject([
    {
      valid_from: '2026-01-01',
      valid_to: '2026-07-01',
      customer_percent: '70.5000',
      enablers: { Hjælper: 10 },
      auctions: ['D-1 late'],
      default_price_eur: '0.00',
      penalty_to: 'shares',
    },
    {
      valid_from: '2026-07-01',
      valid_to: null,
      default_price_eur: '2.50',
      auctions: ['D-1 early', 'D-1 late'],
      penalty_to: 'sc',
    },
  ])
  const gates = await records.system((tx) => tx.selectFrom('market_gate').selectAll().orderBy('market').execute())
  expect(gates.filter(({ market }) => market === 'FFR')).toEqual([
    { market: 'FFR', auction: '', days_ahead: 2, closes_at: '14:00' },
  ])
  expect(gates.filter(({ market }) => market === 'FCR')).toHaveLength(1)
})

test('a contract removed from the file is deleted, and the change is listed', async () => {
  expect(await apply(file('[{ from: 2026-07-01, customer: 100 }]'))).toMatchObject([
    { sign: '~', table: 'instance_contract', name: '2026-07-01' },
    { sign: '-', table: 'instance_contract', name: '2026-01-01' },
  ])
})

test.each([
  ['shares of 99 percent', '[{ from: 2026-01-01, customer: 99 }]', 'shares that sum to 100'],
  ['shares of 100.0001 percent', '[{ from: 2026-01-01, customer: 60.0001, sc: 40 }]', 'shares that sum to 100'],
  ['an end before the start', '[{ from: 2026-02-01, to: 2026-01-31, customer: 100 }]', 'a day not before from'],
  [
    'two on one day',
    '[{ from: 2026-01-01, to: 2026-02-01, customer: 100 }, { from: 2026-02-01, customer: 100 }]',
    'another contract begins on 2026-01-01',
  ],
  [
    'eleven enablers',
    `[{ from: 2026-01-01, customer: 89, enablers: {${Array.from({ length: 11 }, (_, i) => `E${i}: 1`).join()}} }]`,
    'at most 10 enablers',
  ],
  ['an auction that does not exist', '[{ from: 2026-01-01, customer: 100, auctions: [noon] }]', 'early or late'],
])('%s is refused with its line', (_, contracts, expected) => {
  try {
    readProvisioning(file(contracts))
    throw new Error('it was taken')
  } catch (error) {
    expect(error).toBeInstanceOf(BadProvisioningFile)
    expect(String(error)).toMatch(/line 17/)
    expect(String(error)).toContain(expected)
  }
})

test('a duplicate gate and one at an invalid time are refused', () => {
  for (const gates of [
    `[{ market: FFR, daysAhead: 1, closesAt: '14:00' }, { market: FFR, daysAhead: 2, closesAt: '14:00' }]`,
    `[{ market: FFR, daysAhead: 1, closesAt: '25:00' }]`,
    `[{ market: FFR, daysAhead: 9, closesAt: '14:00' }]`,
  ])
    expect(() => readProvisioning(file('[]', gates))).toThrow(BadProvisioningFile)
})
