import { exportBidRequests, importBidRequests, sentBidFile } from '@gridmast/contract/trading/bid-files.ts'
import * as contract from '@gridmast/contract/trading/bid-requests.ts'
import { limits } from '@gridmast/contract/limits.ts'
import { m } from '@gridmast/contract/messages.ts'
import { readXlsx, writeXlsx } from 'hucre'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { newId } from '#platform/records/ids.ts'
import { openTestApp } from '#testing/app.ts'
import { addRows, storedRows } from '#testing/rows.ts'
import { addPlaced, coldOf, head, hours } from './bid-requests.fixture.ts'

const app = await openTestApp()
app.setNow('2026-11-20T08:00:00Z')
const cold = await coldOf(app.records)
const token = await app.tokenOf('expert@north.example')
afterAll(() => app.close())
beforeEach(() =>
  app.byHand(async (tx) => {
    await tx.deleteFrom('bid_request').execute()
    const markets = ['FCR-D-INC', 'FFR', 'FCR', 'aFRR', 'DC-PLANNER']
    await tx.updateTable('instance').set({ markets }).where('key', '=', 'cold').execute()
    await tx
      .updateTable('customer')
      .set({ bidding_markets: [...markets, 'FCR-D-DEC'] })
      .execute()
  }),
)

type Row = (string | number | Date | null)[]
const row = (
  part: { market?: string; start?: string; end?: string; mw?: Row[number][]; instance?: string; licence?: string } = {},
): Row => {
  const { market = 'FFR', start = '2026-12-01', end = start, instance = 'North Cold', licence = '' } = part
  return [
    licence,
    instance,
    market,
    start,
    end,
    'x',
    '',
    '',
    ...(part.mw ?? hours.map(() => 0.2)),
    ...hours.map(() => 3),
  ]
}
const send = async (rows: Row[], save = false, as = token) => {
  const bytes = await writeXlsx({ sheets: [{ name: 'Bud', rows: [head, ...rows] }] })
  return upload(bytes, save, as)
}
const upload = (bytes: Uint8Array, save = false, as = token) =>
  app.ask(importBidRequests, {
    token: as,
    body: { save, watch: 'mine' },
    file: { field: 'file', name: 'bids.xlsx', bytes: new Uint8Array(bytes) },
  })
const list = async () => (await app.data(contract.findBidRequests, { token, query: { limit: '100' } })).bidRequests
const bytesOf = async (query: Record<string, string>) => {
  const answer = await app.http.inject({
    url: `/api${exportBidRequests.path}`,
    query: { format: 'xlsx', ...query },
    headers: { authorization: `Bearer ${token}` },
  })
  expect(answer.statusCode).toBe(200)
  return answer.rawPayload
}
const cells = (answer: Awaited<ReturnType<typeof send>>) =>
  answer.body.data.mistakes.map(({ cell, expected }) => [cell, expected])

describe('a file of requests', () => {
  test('C4 an exported file is imported unchanged', async () => {
    const common = { licenseId: cold.licence_id, groupId: cold.instance_id, note: '=1+1; two\nlines "x"' }
    const list24 = (value: number) => hours.map((_, i) => Number((value + i / 10).toFixed(3)))
    const bodies = [
      {
        ...common,
        biddingMarket: 'aFRR',
        startDate: '2026-12-01',
        endDate: '2026-12-09',
        customBidding: true,
        capacity: list24(0.123),
        price: list24(9.99),
        regulationPrice: list24(0),
        excludedDays: [
          { date: '2026-12-02', reason: 'Service; 2026-12-03 too' },
          { date: '2026-12-05', reason: '-' },
        ],
      },
      {
        ...common,
        biddingMarket: 'FCR',
        startDate: '2026-12-01',
        endDate: '2027-06-01',
        customBidding: true,
        capacity: [1, 0, 0, 2, 0, 0.001],
        price: [1, 2, 3, 4, 5, 999_999.99],
        excludedDays: [],
      },
      {
        ...common,
        biddingMarket: 'FFR',
        startDate: '2026-12-24',
        endDate: '2026-12-24',
        customBidding: false,
        capacity: [],
        price: [],
        excludedDays: [],
      },
    ]
    for (const body of bodies)
      expect((await app.ask(contract.createBidRequest, { token, body })).body).toMatchObject({ success: true })
    const before = await list()
    const file = await bytesOf({})
    const one = await bytesOf({ requestId: before[0]?._id ?? '' })
    await app.byHand((tx) => tx.deleteFrom('bid_request').execute())
    expect((await upload(file, true)).body.data).toMatchObject({ saved: true, mistakeCount: 0, sheet: 'Bid requests' })
    const values = (rows: contract.BidRequest[]) =>
      rows
        .map(({ _id: _, createdAt: __, updatedAt: ___, ...rest }) => rest)
        .toSorted((a, b) => a.biddingMarket.localeCompare(b.biddingMarket))
    expect(values(await list())).toEqual(values(before))
    const [entry] = await storedRows(app.records, 'audit_entry', { action: 'bid-request.import' }, ['subject', 'after'])
    expect(entry).toMatchObject({ subject: 'bids.xlsx', after: { requests: 3 } })
    await app.byHand((tx) => tx.deleteFrom('bid_request').execute())
    expect((await upload(one, true)).body.data.requests).toHaveLength(1)
    expect(values(await list())).toEqual(values(before.slice(0, 1)))
  })

  test('the template of a market can be imported', async () => {
    const file = await bytesOf({ content: 'template', market: 'FCR' })
    expect((await readXlsx(file)).sheets[0]?.rows[0]?.filter((name) => String(name).startsWith('MW'))).toHaveLength(6)
    expect((await upload(file)).body.data).toMatchObject({ mistakeCount: 0, requests: [{ biddingMarket: 'FCR' }] })
  })

  test('a preview lists the request of each row with warnings and stores nothing', async () => {
    const answer = await send([row({ mw: [0.2, '0,5', ...hours.slice(2).map(() => '')] })])
    expect(answer.body.data).toEqual({
      sheet: 'Bud',
      requests: [
        {
          line: 2,
          instance: 'North Cold',
          biddingMarket: 'FFR',
          startDate: '2026-12-01',
          endDate: '2026-12-01',
          excludedCount: 0,
          customBidding: true,
          offered: { slots: 2, mostMw: 0.5 },
          mistakes: 0,
          warnings: [
            expect.objectContaining({ kind: 'above-flexible' }),
            { kind: 'below-minimum', slots: [0], offered: 0.2, limit: 0.3 },
          ],
        },
      ],
      mistakes: [],
      mistakeCount: 0,
      saved: false,
    })
    expect(await list()).toEqual([])
  })

  test('one error keeps the whole file from being saved', async () => {
    const answer = await send([row(), row({ start: '2026-12-02', mw: ['much', ...hours.slice(1).map(() => 1)] })], true)
    expect(answer.body.data).toMatchObject({ saved: false, mistakeCount: 1 })
    expect(answer.body.data.mistakes).toEqual([
      { row: 3, column: 'MW 00:00', cell: 'I3', found: 'much', expected: m.number },
    ])
    expect(await list()).toEqual([])
  })

  test.each([
    ['an instance that is not there', { instance: 'West Cold' }, [['B2', m.noSuchInstance]]],
    ['a licence that is not there', { licence: 'Nothing' }, [['A2', m.noSuchLicence]]],
    ['a market of no requests', { market: 'DC-PLANNER' }, [['C2', m.marketNotSupported]]],
    ['a market of other instances', { market: 'FCR-D-DEC' }, [['C2', m.notOfEventType]]],
    ['a market that the company has not', { market: 'mFRR' }, [['C2', m.marketNotSupported]]],
    ['a day past its cut-off', { start: '2026-11-20', end: '2026-12-01' }, [['D2', m.bidsClosed]]],
  ])('%s is reported with its cell', async (_, part, expected) => {
    expect(cells(await send([row(part)]))).toEqual(expected)
  })

  test('a missing slot column is reported once for all rows', async () => {
    const short = (cellsOf: Row) => cellsOf.slice(0, -1)
    const bytes = await writeXlsx({
      sheets: [{ name: 'Bud', rows: [short(head), short(row()), short(row({ start: '2026-12-02' }))] }],
    })
    expect((await upload(bytes)).body.data.mistakes).toEqual([
      { row: 1, column: 'EUR/MW 23:00', cell: null, found: '', expected: m.columnMissing },
    ])
  })

  test('many missing slot columns are one line per unit', async () => {
    const short = (cellsOf: Row) => cellsOf.slice(0, -30)
    const bytes = await writeXlsx({ sheets: [{ name: 'Bud', rows: [short(head), short(row())] }] })
    expect((await upload(bytes)).body.data.mistakes.map(({ column }) => column)).toEqual([
      'MW 18:00 … MW 23:00 (6)',
      'EUR/MW 00:00 … EUR/MW 23:00 (24)',
    ])
  })

  test('a slot with a bid of another request or row is refused with its row', async () => {
    const night = hours.map((_, i) => (i < 6 ? 1 : 0))
    const day = hours.map((_, i) => (i < 6 ? 0 : 1))
    await send([row({ start: '2026-12-01', end: '2026-12-31', mw: night })], true)
    const answer = await send([
      row({ start: '2026-12-24', mw: day }),
      row({ start: '2026-12-31', mw: night }),
      row({ start: '2026-12-20', end: '2026-12-28', mw: day }),
      row({ start: '2027-01-01', mw: night }),
    ])
    expect(cells(answer)).toEqual([
      ['D3', m.bidsOverlap],
      ['D4', m.rowsOverlap(2)],
    ])
  })

  test('T1 a file of another customer finds no instance by name or id', async () => {
    const answer = await send(
      [row(), row({ instance: cold.instance_id })],
      true,
      await app.tokenOf('sudoer@west.example'),
    )
    expect(cells(answer)).toEqual([
      ['B2', m.noSuchInstance],
      ['B3', m.noSuchInstance],
    ])
  })

  test('a file without a table, rows or columns, or with too many rows, is refused as a whole', async () => {
    const refused = async (bytes: Uint8Array) => (await upload(bytes)).body.errors?.['file']
    expect(await refused(Buffer.from('PK\u0003\u0004 no'))).toBe(m.tableUnreadable)
    expect(await refused(await writeXlsx({ sheets: [{ name: 'a', rows: [head] }] }))).toBe(m.tableEmpty)
    expect(await refused(Buffer.from('a;b\n1;2'))).toBe(m.bidColumns)
    const long = `${head.join(';')}\n${'a;b\n'.repeat(limits.importedBidRows + 1)}`
    expect(await refused(Buffer.from(long))).toBe(m.tableTooLong(limits.importedBidRows))
  })

  test('of two simultaneous imports of a file one is saved', async () => {
    const answers = await Promise.all([send([row()], true), send([row()], true)])
    expect(answers.filter(({ body }) => body.data.saved)).toHaveLength(1)
    expect(await list()).toHaveLength(1)
  })
})

test('C4 T1 a sent file is downloaded unchanged by its own customer only', async () => {
  const id = await addPlaced(app.records, cold, { market: 'FFR', start: '2026-11-21' })
  const file = { customer_id: cold.customer_id, file_id: newId(), market: 'FFR', auction: '', day: '2026-11-21' }
  const content = '\uFEFFMarket,Product\r\nFFR,FFR\r\n'
  await addRows({ system: app.byHand }, 'bid_file', {
    ...file,
    name: 'bids-FFR-2026-11-21.csv',
    content,
    sent_at: new Date(),
  })
  const download = (day: string, as = token) =>
    app.ask(sentBidFile, { token: as, params: { id }, query: { day, format: 'csv' } })
  const answer = await download('2026-11-21')
  expect(answer.text).toBe(content)
  expect(answer.headers['content-disposition']).toBe('attachment; filename="bids-FFR-2026-11-21.csv"')
  const [entry] = await app.records.system((tx) =>
    tx.selectFrom('audit_entry').select('subject').where('action', '=', 'export').orderBy('entry_no', 'desc').execute(),
  )
  expect(entry).toEqual({ subject: 'bids-FFR-2026-11-21.csv' })
  expect((await download('2026-11-22')).status).toBe(404)
  expect((await download('2026-11-21', await app.tokenOf('sudoer@west.example'))).status).toBe(404)
})
