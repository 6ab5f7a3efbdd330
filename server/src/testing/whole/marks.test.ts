import { dayBounds, hourMs } from '@gridmast/contract/time.ts'
import { afterAll, describe, expect, test } from 'vitest'
import { markSessions } from '#charging/ledger/transactions.ts'
import { saveRegisters } from '#charging/ledger/group-commit.ts'
import { savePrices } from '#grid/market-data/save-prices.ts'
import { applyProvisioning } from '#operator/provisioning/apply.ts'
import { readProvisioning } from '#operator/provisioning/read.ts'
import { idOf, newId } from '#platform/records/ids.ts'
import type { Marks } from '#platform/records/marks.ts'
import type { Tx } from '#platform/records/records.ts'
import { markContracts, removeSettlements, saveSettlements } from '#settlement/economics/due-queries.ts'
import type { SettlementRow } from '#settlement/economics/settle.ts'
import { openTestApp } from '#testing/app.ts'
import { addChargers } from '#testing/chargers.ts'
import { northOnly } from '#testing/factories.ts'
import { addBid, placeRequest, setContract } from '#testing/settlements.ts'
import { addBids, type PlacedBid } from '#trading/placing/placing-queries.ts'
import { decideOpen } from '#trading/results/results.ts'
import { storedRows } from '#testing/rows.ts'

/** Each row of due work is written with its cause, in its transaction: the same on both stores. */

const day = '2026-11-18'
const nowMs = Date.parse('2026-11-20T12:00:00Z')
const startMs = dayBounds(day).fromMs
const customerId = idOf('customer', 'north')
const chargerId = idOf('charger', 'north', 'C')

const app = await openTestApp()
app.setNow(new Date(nowMs).toISOString())
const of = await placeRequest(app.records, day)
await addChargers(app.records, [{ identity: 'C' }])
afterAll(() => app.close())

const undone = new Error('undone')
const settlement = () => ({ customer_id: customerId, instance_id: of.instance_id, day, product: 'aFRR-INC' })
const settlementRow = (): SettlementRow => ({
  ...settlement(),
  market: 'aFRR',
  version: 1,
  made_at: new Date(nowMs),
  is_closed: true,
  is_result_fetched: true,
  won_mw: '1',
  capacity_eur: null,
  penalty_eur: null,
  gross_eur: '1',
  energy_eur: null,
  energy_state: 'unknown',
  customer_eur: null,
  partner_eur: null,
  sc_eur: null,
  enablers: null,
  inputs: { bids: [], availability: null, energy: [], contract: null },
  inputs_sha256: '',
})
const price = (market: string) => ({
  market,
  area: 'DK2',
  product: '',
  auction: '',
  startsAtMs: startMs,
  durationS: 900,
})
const amounts = (priceEur: string) => ({ priceEur, priceDkk: null, volumeMw: null, unit: 'MWh' as const })
const bidOf = (slot: number): PlacedBid => ({
  product: 'FCR-D-DEC',
  starts_at: new Date(startMs + slot * hourMs),
  ends_at: new Date(startMs + (slot + 1) * hourMs),
  slot,
  capacity_mw: '0.4',
  price_eur: '2',
  regulation_price_eur: null,
  request_id: of.request_id,
  instance_id: of.instance_id,
  instance_name: 'Cold',
})
const origin = { source: 'test', simulated: false }
const instanceDay = () => ({ customer_id: customerId, instance_id: of.instance_id, day })
const connectorDay = { customer_id: customerId, charger_id: chargerId, evse_no: 1, day }
const statementId = newId()

type Cause<T extends keyof Marks> = {
  prepare?: (tx: Tx) => Promise<unknown>
  cause: (tx: Tx) => Promise<unknown>
  marks: () => Marks[T]
}
const causes: { [T in keyof Marks]: Record<string, Cause<T>> } = {
  settlement_due: {
    'bids are placed': {
      cause: (tx) =>
        addBids(
          tx,
          { customer_id: customerId, market: 'FCR-D-DEC', auction: 'D-1 early', day, sent_at: new Date(nowMs) },
          [bidOf(1), bidOf(2)],
        ),
      marks: instanceDay,
    },
    'bids are decided by published prices': {
      prepare: async (tx) => {
        const published = { ...price('FCR-D-DEC'), auction: 'D-1 early', startsAtMs: startMs + hourMs, durationS: 3600 }
        await savePrices(tx, [{ ...published, ...amounts('3') }], origin, nowMs)
      },
      cause: (tx) => decideOpen(tx, nowMs, new Date(startMs)),
      marks: instanceDay,
    },
    'a contract changes': {
      cause: (tx) => markContracts(tx, customerId, [of.instance_id]),
      marks: instanceDay,
    },
    'a price of energy is published': {
      prepare: (tx) => saveSettlements(tx, [settlementRow()]),
      cause: (tx) => savePrices(tx, [{ ...price('aFRR-energy-INC'), ...amounts('10') }], origin, nowMs),
      marks: instanceDay,
    },
    'a price of energy is revised': {
      cause: (tx) => savePrices(tx, [{ ...price('aFRR-energy-INC'), ...amounts('20') }], origin, nowMs),
      marks: instanceDay,
    },
  },
  reconciliation_due: {
    'a settlement is calculated': {
      prepare: async (tx) => {
        const head = {
          customer_id: customerId,
          statement_id: statementId,
          name: 'x',
          sha256: Buffer.alloc(32),
          columns: '{}',
        }
        const taken = {
          taken_at: new Date(nowMs),
          taken_by: 'x',
          compares: 'gross',
          left_out: 0,
          products: ['aFRR-INC'],
        }
        await tx
          .insertInto('operator_statement')
          .values({ ...head, ...taken, first_day: day, last_day: day })
          .execute()
      },
      cause: (tx) => saveSettlements(tx, [{ ...settlementRow(), version: 2 }]),
      marks: () => ({ ...settlement(), statement_id: statementId }),
    },
    'a settlement is removed': {
      cause: (tx) => removeSettlements(tx, [settlement()]),
      marks: () => ({ ...settlement(), statement_id: statementId }),
    },
  },
  charging_due: {
    'registers are stored': {
      cause: (tx) =>
        saveRegisters(
          tx,
          [1, 2, 3].map((wh) => ({
            customer_id: customerId,
            charger_id: chargerId,
            evse_no: 1,
            at: new Date(startMs + 12 * hourMs + wh),
            context: 'Sample.Periodic',
            wh: String(wh),
          })),
        ),
      marks: () => connectorDay,
    },
    'a session changes': {
      cause: async (tx) =>
        markSessions(tx, [
          { customer_id: customerId, charger_id: chargerId, evse_no: 1, started_at: new Date(startMs + 12 * hourMs) },
        ]),
      marks: () => connectorDay,
    },
  },
}

describe.each(Object.entries(causes))('%s', (name, ofTable) => {
  const table = name as keyof Marks // the keys of the table
  const read = (tx: Tx) => tx.selectFrom(table).selectAll().execute()
  test.each(Object.entries(ofTable))(
    '%s: one row is flagged as due, in the transaction of the cause',
    async (_, { prepare, cause, marks }) => {
      if (prepare) await app.records.system(prepare)
      await app.records.system((tx) => tx.deleteFrom(table).execute())
      const failing = app.records.system(async (tx) => {
        await cause(tx)
        throw undone
      })
      await expect(failing).rejects.toThrow('undone')
      expect(await app.records.system(read)).toEqual([])
      await app.records.system(cause)
      expect(await app.records.system(read)).toMatchObject([marks()])
    },
  )
})

test('a contract of the file flags the days of its instance once, the same file again flags none', async () => {
  const due = () => storedRows(app.records, 'settlement_due', {}, ['day'])
  const withContract = northOnly('{}').replace(
    'licence: FCR-D-INC,',
    'licence: FCR-D-INC, contracts: [{ from: 2026-01-01, customer: 100 }],',
  )
  const apply = () => applyProvisioning(app.records, readProvisioning(withContract), { dryRun: false })
  await addBid(app.records, of, day, 5)
  await app.records.system((tx) => tx.deleteFrom('settlement_due').execute())
  await apply()
  expect(await due()).toEqual([{ day }])
  await app.records.system((tx) => tx.deleteFrom('settlement_due').execute())
  await apply()
  expect(await due()).toEqual([])
  await setContract(app.records, of, { customer_percent: '90', partner_percent: '10', sc_percent: '0' })
  expect(await due()).toEqual([{ day }])
})
