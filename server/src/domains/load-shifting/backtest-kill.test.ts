import { join } from 'node:path'
import { backtestForm } from '@gridmast/contract/load-backtests.ts'
import { slots } from '@gridmast/contract/slots.ts'
import { addDays, datesBetween } from '@gridmast/contract/time.ts'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { idOf, newId } from '#platform/ids.ts'
import { migrate } from '#platform/migrate.ts'
import type { Records } from '#platform/records.ts'
import { provisionTwoCustomers } from '#testing/factories.ts'
import { putPrices } from '#testing/prices.ts'
import { openWholeServer } from '#testing/whole-server.ts'
import { addBacktest } from './backtest-rows.ts'
import { monthsOf } from './backtest-request.ts'

let server: Awaited<ReturnType<typeof openWholeServer>>
beforeEach(async () => {
  server = await openWholeServer(join(import.meta.dirname, 'kill-backtest.process.ts'))
})
afterEach(() => server.close())

const prepare = () =>
  server.rows(async (records) => {
    await migrate(records)
    await provisionTwoCustomers(records)
    const nowMs = Date.now()
    const { first, last } = monthsOf('month', nowMs)
    for (const day of datesBetween(addDays(first, -8), addDays(last, 1))) {
      const prices = slots('quarter', day).map(({ fromMs, index }) => ({
        ...{
          market: 'day-ahead',
          area: 'DK2',
          at: new Date(fromMs).toISOString(),
          durationS: 900,
          unit: 'MWh' as const,
        },
        priceDkk: String(500 + (index % 24)),
      }))
      await putPrices(records, prices, new Date(nowMs).toISOString())
    }
    const asked = backtestForm.parse({
      instanceId: idOf('instance', 'north', 'cold'),
      kind: 'shiftable',
      needKwh: 10,
      maxKw: 5,
    })
    await records.system((tx) =>
      addBacktest(tx, idOf('customer', 'north'), {
        ...{ backtestId: newId(nowMs), name: 'Cold', madeByName: 'X', asked, nowMs },
      }),
    )
  })

/** A life that ends by kill -9, at the latest when its backtest is done; then its beats are old. */
const live = async (place: string) => {
  await server.serve(place).then(
    ({ ended }) => ended,
    (error: Error) => expect(error.message).toBe('ended before it was ready'),
  )
  return server.rows(async (records: Records) => {
    await records.system((tx) => sql`update load_backtest set seen_at = seen_at - interval '1 minute'`.execute(tx))
    const { rows } = await records.system((tx) =>
      sql`select state, tries, result ->> 'days' as days from load_backtest`.execute(tx),
    )
    return rows
  })
}

test('kill -9 while a backtest is taken, counted and written: the next server begins it again, and it is done once', async () => {
  await prepare()
  expect(await live('take')).toEqual([{ state: 'queued', tries: 0, days: null }])
  expect(await live('save')).toEqual([{ state: 'running', tries: 1, days: null }])
  const [done] = await live('after')
  expect(done).toMatchObject({ state: 'done', tries: 2 })
  expect(Number((done as { days: string }).days)).toBeGreaterThan(27)
}, 300_000)
