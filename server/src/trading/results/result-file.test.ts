import { bidResultHistory, findBidResultFiles, takeBidResults } from '@gridmast/contract/trading/bid-files.ts'
import { m } from '@gridmast/contract/messages.ts'
import { readConfig } from '#config.ts'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { newId } from '#platform/records/ids.ts'
import { startsOf } from '#platform/files/import-table.ts'
import { openTestApp } from '#testing/app.ts'
import { putPrices } from '#testing/prices.ts'
import { addRows, storedRows } from '#testing/rows.ts'
import { addBid, addPlaced, coldOf } from '#trading/requests/bid-requests.fixture.ts'
import { decideAndNotify } from './results.ts'

const nowIso = '2026-11-20T08:00:00Z'
const [ten, eleven] = ['2026-11-20T10:00:00Z', '2026-11-20T11:00:00Z']

const app = await openTestApp()
app.setNow(nowIso)
const cold = await coldOf(app.records)
const token = await app.tokenOf('expert@north.example')
const request = await addPlaced(app.records, cold, { market: 'FCR-D-INC', start: '2026-11-20' })
afterAll(() => app.close())

const addBidAt = (at: string, part: object = {}) =>
  app.byHand((tx) => addBid(tx, { ...cold, request_id: request }, Date.parse(at), part))
const price = (at: string, priceEur: string) =>
  putPrices(
    app.records,
    [{ market: 'FCR-D-INC', area: 'DK2', at, auction: 'D-1 early', priceEur, priceDkk: '1' }],
    nowIso,
  )
const bids = () =>
  storedRows(app.records, 'bid', {}, ['won', 'won_mw', 'marginal_price_eur', 'decided_by'], ['starts_at'])
const tell = () =>
  decideAndNotify({
    records: app.records,
    log: app.log,
    clock: app.clock,
    config: readConfig({ DATA_DIR: '/tmp/none', DEMO: 'off', PUBLIC_URL: 'https://portal.example' }),
  })
const subjects = async () =>
  (await storedRows(app.records, 'mail_outbox', {}, ['subject'], ['created_at'])).map(({ subject }) => subject)

beforeEach(async () => {
  app.setNow(nowIso)
  await app.byHand(async (tx) => {
    for (const table of ['bid_result', 'bid_result_file', 'bid', 'bid_file', 'email_subscription', 'outbox'] as const)
      await tx.deleteFrom(table).execute()
    for (const table of ['market_price', 'market_price_revision'] as const) await tx.deleteFrom(table).execute()
  })
  await addBidAt(ten)
  await addBidAt(eleven)
})

const head = 'Request;Instance;Product;Auction;From (UTC);Accepted (MW);Marginal price'
const line = (at: string, mw: string, eur = '', part: { instance?: string; request?: string } = {}) =>
  [part.request ?? request, part.instance ?? 'North Cold', 'FCR-D-INC', 'D-1 early', at, mw, eur].join(';')
const take = (lines: string[], body: object = {}, as = token, name = 'result.csv') =>
  app.ask(takeBidResults, {
    token: as,
    body: { save: false, ...body },
    file: { field: 'file', name, bytes: new Uint8Array(Buffer.from([head, ...lines].join('\n'))) },
  })
const files = async (as = token) => await app.data(findBidResultFiles, { token: as })

const example = [line(ten, '1,5', '3,50'), line(eleven, '2')]
const publish = async () => {
  await price(ten, '3.5')
  await price(eleven, '1.0')
  await tell()
}

test('the worked example: a preview lists contradictions with the published price, and saving requires their confirmation', async () => {
  await publish()
  const preview = (await take(example)).body.data
  expect(preview).toMatchObject({
    before: null,
    missing: null,
    saved: false,
    days: { first: '2026-11-20', last: '2026-11-20' },
    counts: { rows: 2, changed: 2, first: 0, contradictions: 1 },
    columns: { start: 'From (UTC)', wonMw: 'Accepted (MW)', marginalPrice: 'Marginal price' },
  })
  expect(preview.rows).toMatchObject([
    { line: 3, contradiction: 'won-above', wonMw: '2', before: { wonMw: '0' }, publishedEur: '1' },
    { line: 2, contradiction: null, wonMw: '1.5', before: { wonMw: '2', marginalPriceEur: '3.5' } },
  ])
  expect((await take(example, { save: true })).body).toMatchObject({ success: false, message: m.contradictionsChanged })
  expect(await bids()).toMatchObject([{ decided_by: 'price' }, { decided_by: 'price' }])
  expect((await take(example, { save: true, contradictions: 1 })).body.data.saved).toBe(true)
  expect(await bids()).toEqual([
    { won: true, won_mw: '1.500', marginal_price_eur: '3.500000', decided_by: 'result-file' },
    { won: true, won_mw: '2.000', marginal_price_eur: '1.000000', decided_by: 'result-file' },
  ])
})

test('C4 the trail and the history have the values of the file and those before', async () => {
  await publish()
  await take(example, { save: true, contradictions: 1 })
  const [entry] = await storedRows(app.records, 'audit_entry', { action: 'bid-result.take' }, [
    'who',
    'subject',
    'after',
  ])
  expect(entry).toMatchObject({ who: 'expert@north.example', subject: 'result.csv', after: { bids: 2, changed: 2 } })
  const { files: taken, totalCount } = await files()
  expect(taken).toMatchObject([{ name: 'result.csv', takenBy: 'expert@north.example', bids: 2, contradictions: 1 }])
  expect(totalCount).toBe(1)
  const history = await app.ask(bidResultHistory, {
    token,
    params: { id: taken[0]?._id ?? '' },
    query: { format: 'csv' },
  })
  const lines = history.text.split('\r\n')
  expect(lines[1]).toContain('1.5,3.5,2,3.5,price')
  expect(lines[2]).toContain('2,1,0,1,price')
})

test('bids that the file omits keep the result of the price, and imported ones ignore a revised price', async () => {
  await publish()
  await take([line(ten, '0', '3,50')], { save: true, contradictions: 1 })
  await price(ten, '9')
  await price(eleven, '2.5')
  await tell()
  expect(await bids()).toMatchObject([
    { won: false, marginal_price_eur: '3.500000', decided_by: 'result-file' },
    { won: true, marginal_price_eur: '2.500000', decided_by: 'price' },
  ])
})

test('the same file again names the first import and stores nothing', async () => {
  await take(example, { save: true })
  const again = (await take(example, { save: true }, token, 'copy.csv')).body.data
  expect(again).toMatchObject({ before: { name: 'result.csv', takenBy: 'expert@north.example' }, saved: false })
  expect((await files()).totalCount).toBe(1)
})

test('a later file replaces the result, and notified recipients get one correction', async () => {
  const { customer_id, instance_id } = cold
  const file = { customer_id, file_id: newId(), market: 'FCR-D-INC', auction: 'D-1 early', day: '2026-11-20' }
  await addRows(app.records, 'bid_file', { ...file, name: 'bids.csv', content: 'x', sent_at: nowIso })
  await addRows(app.records, 'email_subscription', {
    customer_id,
    instance_id,
    subscription_id: newId(),
    email: 'a@north.example',
    event_type: 'fcr_based',
    activation: false,
    bid_result: true,
    created_at: nowIso,
  })
  await take([line(ten, '2'), line(eleven, '0')], { save: true })
  await tell()
  expect(await subjects()).toEqual(['North Cold: 1 of 2 bids won'])
  const same = await take([line(eleven, '0', ''), line(ten, '2', '')], { save: true })
  expect(same.body.data).toMatchObject({ saved: true, counts: { same: 2 } })
  await tell()
  expect(await subjects()).toHaveLength(1)
  app.setNow('2026-11-20T08:05:00Z')
  await take([line(eleven, '1')], { save: true })
  await Promise.all([tell(), tell()])
  expect(await subjects()).toEqual(['North Cold: 1 of 2 bids won', 'Corrected: North Cold: 2 of 2 bids won'])
  expect((await bids()).map(({ won_mw }) => won_mw)).toEqual(['2.000', '1.000'])
  expect((await files()).totalCount).toBe(3)
})

test('T1 a file of another customer is refused like one without any bid', async () => {
  const west = await app.tokenOf('sudoer@west.example')
  const [theirs, nobodys] = await Promise.all([
    take(example, { save: true }, west),
    take([line(ten, '1', '', { request: newId(), instance: 'Nowhere' })], { save: true }, west),
  ])
  expect(theirs).toMatchObject({ status: 400, body: { message: m.noBidInFile } })
  expect(theirs.text).toBe(nobodys.text)
  expect(await bids()).toMatchObject([{ won: null }, { won: null }])
  expect((await files(west)).totalCount).toBe(0)
})

test('rows without a bid are counted and skipped, and unreadable rows are reported', async () => {
  const { data } = (
    await take([
      line(ten, '1'),
      line('2026-11-20T12:00:00Z', '1'),
      line(ten, '1', '', { instance: 'Nowhere' }),
      line(ten, '2'),
      line(eleven, '2,5'),
      line(eleven, 'much'),
      line('then', '1'),
      line(eleven, '1', '9999999999'),
    ])
  ).body
  expect(data.counts).toMatchObject({ first: 1, 'no-bid': 2, wrong: 5 })
  expect(data.rows.flatMap(({ mistake }) => (mistake ? [[mistake.row, mistake.expected]] : []))).toEqual([
    [5, m.bidTwice],
    [6, m.moreThanBid('2')],
    [7, m.number],
    [8, m.resultStart],
    [9, m.atMost(1_000_000)],
  ])
})

test('columns can be chosen and are remembered', async () => {
  const file = (rows: string[]) => ({
    field: 'file',
    name: 'op.csv',
    bytes: new Uint8Array(Buffer.from(['A;B;C', ...rows].join('\n'))),
  })
  const ask = (rows: string[], body: object) => app.ask(takeBidResults, { token, body, file: file(rows) })
  expect((await ask(['x;2026-11-20 11:00;won'], { save: false })).body.data).toMatchObject({
    missing: m.resultNoStart,
    names: ['A', 'B', 'C'],
    rows: [],
  })
  const columns = { instance: 'A', start: 'B', won: 'C' }
  const taken = await ask(['North Cold;2026-11-20 11:00;won'], { save: true, columns })
  expect(taken.body.data).toMatchObject({ saved: true, counts: { first: 1 } })
  expect(await bids()).toMatchObject([{ won: true, won_mw: '2.000' }, { won: null }])
  const next = await ask(['North Cold;20.11.2026 12:00;tabt'], { save: true })
  expect(next.body.data).toMatchObject({ saved: true, columns })
  expect(await bids()).toMatchObject([{ won: true }, { won: false, won_mw: null }])
})

test('a start is an instant, UTC, or a local time, twice in the repeated hour of October', () => {
  const iso = (text: string, isUtc = false) => startsOf(text, isUtc).map((ms) => new Date(ms).toISOString())
  expect(iso('2026-11-20T10:00:00Z')).toEqual(['2026-11-20T10:00:00.000Z'])
  expect(iso('2026-11-20 10:00:00', true)).toEqual(['2026-11-20T10:00:00.000Z'])
  expect(iso('20.11.2026 11:00')).toEqual(['2026-11-20T10:00:00.000Z'])
  expect(iso('2026-10-25 02:00')).toEqual(['2026-10-25T00:00:00.000Z', '2026-10-25T01:00:00.000Z'])
  expect([iso('soon'), iso('2026-13-20 10:00'), iso('2026-11-20 25:00')]).toEqual([[], [], []])
})
