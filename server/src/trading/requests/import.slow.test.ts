import { importBidRequests } from '@gridmast/contract/trading/bid-files.ts'
import { findBidRequests } from '@gridmast/contract/trading/bid-requests.ts'
import { m } from '@gridmast/contract/messages.ts'
import { addDays } from '@gridmast/contract/time.ts'
import { afterAll, expect, test } from 'vitest'
import { openTestApp } from '#testing/app.ts'
import { coldOf, head, hours } from './bid-requests.fixture.ts'

const app = await openTestApp()
app.setNow('2026-11-20T08:00:00Z')
const cold = await coldOf(app.records)
const token = await app.tokenOf('expert@north.example')
await app.byHand(async (tx) => {
  await tx
    .updateTable('instance')
    .set({ markets: ['FFR'] })
    .where('key', '=', 'cold')
    .execute()
  await tx
    .updateTable('customer')
    .set({ bidding_markets: ['FFR'] })
    .execute()
})
afterAll(() => app.close())

// The file's parsing is slow, and no store is involved.
test.skipIf(process.env['TEST_DATABASE_URL'])(
  'of 10,000 rows three invalid cells are reported without blocking other calls, and the corrected file is imported',
  async () => {
    const rows = Array.from({ length: 10_000 }, (_, i) => {
      const day = addDays('2026-12-01', i % 420)
      const mw = hours.map((_hour, slot) => (slot === Math.floor(i / 420) ? '0,5' : ''))
      return ['', 'North Cold', 'FFR', day, day, 'x', '', '', ...mw, ...mw]
    })
    const put = (table: string[][], at: number, column: number, text: string) =>
      table.with(at, table[at]?.with(column, text) ?? [])
    const upload = (table: string[][], save = false) =>
      app.ask(importBidRequests, {
        token,
        body: { save, watch: 'mine' },
        file: {
          field: 'file',
          name: 'bids.csv',
          bytes: new Uint8Array(Buffer.from([head, ...table].map((cells) => cells.join(';')).join('\n'))),
        },
      })
    const list = () => app.ask(findBidRequests, { token, query: { limit: '100' } })
    const bad = put(put(put(rows, 17, 11, '-1'), 5000, 8, 'x'), 9999, 4, '2026-11-30')
    const order: string[] = []
    const progress: unknown[] = []
    const stop = app.live.subscribe(
      cold.customer_id,
      (event, data) => void (event === 'progress' && progress.push(data)),
    )
    const [answer] = await Promise.all([
      upload(bad).finally(() => order.push('import')),
      list().finally(() => order.push('list')),
    ])
    stop()
    expect(order).toEqual(['list', 'import'])
    expect(progress[0]).toEqual({ watch: 'mine', done: 0, total: 10_000 })
    expect(answer.body.data.mistakes.map(({ cell, expected }) => [cell, expected])).toEqual([
      ['L19', m.atLeast(0)],
      ['I5002', m.number],
      ['E10001', m.endBeforeStart],
    ])
    expect(answer.body.data.requests).toHaveLength(10_000)
    expect((await upload(rows, true)).body.data).toMatchObject({ saved: true, mistakeCount: 0 })
    expect((await list()).body.data.totalCount).toBe(10_000)
  },
)
