import { isDeepStrictEqual } from 'node:util'
import type { Updateable } from 'kysely'
import { hourMs, dayBounds, minuteMs, type LocalDate } from '@gridmast/contract/time.ts'
import { addMarks } from '#platform/records/marks.ts'
import type { Records, Tx } from '#platform/records/records.ts'
import type { DB } from '#platform/records/db-types.ts'
import type { TestApp } from '#testing/app.ts'
import { changeRows } from '#testing/rows.ts'
import { addBid as placeBid, addPlaced } from '#trading/requests/bid-requests.fixture.ts'
import { markContracts } from './due-queries.ts'

const market = 'FCR-D-DEC'

export type Bidder = {
  customer_id: string
  instance_id: string
  licence_id: string
  request_id: string
  power: number
  setPoint: number
}

export const placeRequest = async (records: Records, day: LocalDate, customer = 'north', instance = 'cold') => {
  const of = await records.system((tx) =>
    tx
      .selectFrom('instance as i')
      .innerJoin('customer as c', 'c.customer_id', 'i.customer_id')
      .innerJoin('signal as s', 's.instance_id', 'i.instance_id')
      .innerJoin('signal as p', 'p.instance_id', 'i.instance_id')
      .select(['i.customer_id', 'i.instance_id', 'i.licence_id', 's.no as power', 'p.no as setPoint'])
      .where('c.key', '=', customer)
      .where('i.key', '=', instance)
      .where('s.kind', '=', 'power')
      .where('p.kind', '=', 'setPoint')
      .executeTakeFirstOrThrow(),
  )
  const { customer_id, instance_id, licence_id } = of
  const request_id = await addPlaced(records, { customer_id, instance_id, licence_id }, { market, start: day })
  return { ...of, request_id }
}

export const addBid = (records: Records, of: Bidder, day: LocalDate, slot: number, part: object = {}) =>
  records.system(async (tx) => {
    addMarks(tx, 'settlement_due', [{ customer_id: of.customer_id, instance_id: of.instance_id, day }])
    const bid = { market, product: market, day, slot, capacity_mw: '0.4', ...part }
    await placeBid(tx, of, dayBounds(day).fromMs + slot * hourMs, bid)
  })

export const changeBids = (records: Records, change: (tx: Tx) => Promise<unknown>) =>
  records.system(async (tx) => {
    const days = await tx.selectFrom('bid').select(['customer_id', 'instance_id', 'day']).distinct().execute()
    addMarks(tx, 'settlement_due', days)
    await change(tx)
  })

type BidKey = { day?: LocalDate; slot?: number }
export const setBids = (records: Records, key: BidKey, values: Updateable<DB['bid']>) =>
  changeBids(records, (tx) => changeRows({ system: (work) => work(tx) }, 'bid', key, values))

export const decide = (records: Records, eur: string, won = true) =>
  setBids(records, {}, { won, won_mw: won ? '0.4' : null, marginal_price_eur: eur, decided_by: 'price' })

/** 70 % for the customer, 20 % for the partner, 10 % for the service company; like provisioning, an equal contract flags nothing as due. */
export const setContract = (records: Records, { customer_id, instance_id }: Bidder, part: object = {}) =>
  records.system(async (tx) => {
    const rows = tx.selectFrom('instance_contract').selectAll().where('instance_id', '=', instance_id)
    const before = await rows.execute()
    await tx
      .insertInto('instance_contract')
      .values({
        customer_id,
        instance_id,
        valid_from: '2026-01-01',
        customer_percent: '70',
        partner_percent: '20',
        sc_percent: '10',
        auctions: [],
        default_price_eur: '1',
        penalty_to: 'shares',
        ...part,
      })
      .onConflict((conflict) =>
        conflict
          .columns(['customer_id', 'instance_id', 'valid_from'])
          .doUpdateSet({ customer_percent: '70', partner_percent: '20', ...part }),
      )
      .execute()
    if (!isDeepStrictEqual(await rows.execute(), before)) await markContracts(tx, customer_id, [instance_id])
  })

export const measure = ({ readings }: TestApp, { power }: Bidder, day: LocalDate, [first, end] = [0, 1440]) =>
  readings.insert([
    {
      signalNo: power,
      t0Ms: dayBounds(day).fromMs + (first ?? 0) * minuteMs,
      dtMs: minuteMs,
      values: Array.from({ length: (end ?? 0) - (first ?? 0) }, () => 900),
    },
  ])

export const ask = (
  { readings }: Pick<TestApp, 'readings'>,
  { setPoint }: Bidder,
  day: LocalDate,
  values: readonly number[],
  first = 0,
) =>
  readings.insert([
    { signalNo: setPoint, t0Ms: dayBounds(day).fromMs + first * minuteMs, dtMs: minuteMs, values: [...values] },
  ])

export const clear = (app: TestApp) =>
  app.byHand(async (tx) => {
    for (const table of ['settlement_revision', 'settlement', 'bid', 'instance_contract', 'settlement_due'] as const)
      await tx.deleteFrom(table).execute()
  })
