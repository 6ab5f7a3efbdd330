import { sql } from 'kysely'
import { afterAll, afterEach, expect, test } from 'vitest'
import { type Connect, iso, openBench } from './charger.fixture.ts'
import { storedFrames } from './frame-ring.ts'
import { storedRows } from '#testing/rows.ts'

const names =
  'dup two lost orphan refused power clock swap-a swap-b backward order strange broken stands n-one many'.split(' ')
const bench = await openBench(
  [...names, { identity: 'w-one', customer: 'west' }],
  [
    { tag: 'ANNA' },
    { tag: 'BLOCKED', active: false },
    { tag: 'OLD', expiresAt: new Date('2020-01-01') },
    { tag: 'ANNA', customer: 'west' },
  ],
)
afterEach(() => bench.hangUp())
afterAll(() => bench.close())

const connect = (identity: string, options: Connect = {}) => bench.connect(identity, options)
const rowsOf = (identity: string) => bench.rowsOf(identity)
const start = (agoS: number, more: object = {}) => ({
  connectorId: 1,
  idTag: 'anna',
  meterStart: 1000,
  timestamp: iso(agoS),
  ...more,
})
const register = (wh: number, agoS: number, more: object = {}) => ({
  connectorId: 1,
  meterValue: [{ timestamp: iso(agoS), sampledValue: [{ value: String(wh) }] }],
  ...more,
})

test('D2 a repeated message, with its id or a new one or over another socket, is one row with the same answer', async () => {
  const [one] = [await connect('dup')]
  const begin = start(600)
  const first = await one.call('StartTransaction', begin, 'm-1')
  const again = await one.call('StartTransaction', begin, 'm-1')
  const renamed = await one.call('StartTransaction', begin, 'm-2')
  const two = await connect('dup')
  const elsewhere = await two.call('StartTransaction', begin, 'm-3')
  expect(again.text).toBe(first.text)
  expect([renamed.text, elsewhere.text]).toEqual([first.text.replace('m-1', 'm-2'), first.text.replace('m-1', 'm-3')])
  const end = { transactionId: first.payload['transactionId'], meterStop: 5200, timestamp: iso(10), idTag: 'ANNA' }
  const stops = [await two.call('StopTransaction', end, 's-1'), await two.call('StopTransaction', end, 's-2')]
  stops.push(await two.call('StopTransaction', { ...end, timestamp: iso(1), meterStop: 9999 }, 's-3'))
  expect(new Set(stops.map(({ text }) => text.replace(/s-\d/, '')))).toHaveProperty('size', 1)
  expect(await rowsOf('dup')).toMatchObject([
    { state: 'ended', consumption_wh: '4200.000', estimated: false, tag: 'ANNA', meter_stop_wh: '5200.000' },
  ])
})

test('a stop without the id of its transaction is matched by its tag', async () => {
  const charger = await connect('lost')
  await charger.call('StartTransaction', start(900))
  await charger.call('StopTransaction', { transactionId: -1, meterStop: 3000, timestamp: iso(5), idTag: 'Anna ' })
  expect(await rowsOf('lost')).toMatchObject([{ state: 'ended', consumption_wh: '2000.000' }])
})

test('a stop without a start is stored once for review and answered', async () => {
  const charger = await connect('orphan')
  const end = { transactionId: 0, meterStop: 3000, timestamp: iso(5), idTag: 'ANNA' }
  const answers = [await charger.call('StopTransaction', end), await charger.call('StopTransaction', end)]
  expect(answers).toMatchObject([
    { error: null, payload: {} },
    { error: null, payload: {} },
  ])
  expect(await rowsOf('orphan')).toMatchObject([{ state: 'orphan', estimated: true, consumption_wh: null }])
})

test('a stop with the transaction id of another charger changes nothing there', async () => {
  const [a, b] = [await connect('swap-a'), await connect('swap-b')]
  const { payload } = await a.call('StartTransaction', start(60))
  await b.call('StopTransaction', { transactionId: payload['transactionId'], meterStop: 2000, timestamp: iso(1) })
  expect(await rowsOf('swap-a')).toMatchObject([{ state: 'active' }])
  expect(await rowsOf('swap-b')).toMatchObject([{ state: 'orphan' }])
})

test('a refused start has an id, a row and a reason, and keeps the running transaction', async () => {
  const charger = await connect('refused')
  await charger.call('StartTransaction', start(300))
  for (const [idTag, status] of [
    ['BLOCKED', 'Blocked'],
    ['OLD', 'Expired'],
    ['NOBODY', 'Invalid'],
    ['', 'Invalid'],
  ] as const) {
    const { payload } = await charger.call('StartTransaction', start(100, { idTag }))
    expect(payload).toEqual({ transactionId: expect.any(Number), idTagInfo: expect.objectContaining({ status }) })
    expect(payload['transactionId']).toBeGreaterThan(0)
  }
  const [live, ...refused] = await rowsOf('refused')
  expect(live).toMatchObject({ state: 'active', refused: false })
  expect(refused).toHaveLength(4)
  expect(refused.every((row) => row.state === 'ended' && row.refused)).toBe(true)
  await charger.call('StopTransaction', { transactionId: refused[0]?.no, meterStop: 1500, timestamp: iso(1) })
  expect((await rowsOf('refused'))[1]).toMatchObject({ refused: true, consumption_wh: '500.000' })
})

test('after a power loss the next start estimates the open session, and a late stop corrects it', async () => {
  const charger = await connect('power')
  const { payload } = await charger.call('StartTransaction', start(3600))
  await charger.call('MeterValues', register(2500, 3000, { transactionId: payload['transactionId'] }))
  await charger.boot()
  expect(await rowsOf('power')).toMatchObject([{ state: 'active' }])
  await charger.call('StartTransaction', start(600, { meterStart: 4000 }))
  expect(await rowsOf('power')).toMatchObject([
    { state: 'abandoned', estimated: true, consumption_wh: '1500.000' },
    { state: 'active' },
  ])
  const end = { transactionId: payload['transactionId'], meterStop: 4000, timestamp: iso(1200), reason: 'PowerLoss' }
  await charger.call('StopTransaction', end)
  expect(await rowsOf('power')).toMatchObject([
    { state: 'ended', estimated: false, consumption_wh: '3000.000', reason: 'PowerLoss' },
    { state: 'active' },
  ])
})

test('a replayed older start does not end the newer session', async () => {
  const charger = await connect('order')
  await charger.call('StartTransaction', start(60, { meterStart: 8000 }))
  await charger.call('StartTransaction', start(7200))
  expect((await rowsOf('order')).map(({ state }) => state)).toEqual(['active', 'active'])
})

test('a register that runs backwards ends a session with its last reading as an estimate', async () => {
  const charger = await connect('backward')
  const { payload } = await charger.call('StartTransaction', start(600))
  await charger.call('MeterValues', register(1800, 120))
  await charger.call('StopTransaction', { transactionId: payload['transactionId'], meterStop: 12, timestamp: iso(5) })
  expect(await rowsOf('backward')).toMatchObject([{ state: 'ended', estimated: true, consumption_wh: '800.000' }])
})

test('a timestamp of 1970, in the future, without a zone or without a date is corrected', async () => {
  const charger = await connect('clock')
  const fromMs = Date.now()
  await charger.call('StatusNotification', {
    connectorId: 1,
    errorCode: 'NoError',
    status: 'Available',
    timestamp: '1970-01-01T00:10:00Z',
  })
  const stamps = [
    '1970-01-01T00:05:00Z',
    new Date(Date.now() + 7_200_000).toISOString(),
    iso(100).replace('Z', ''),
    'now',
  ]
  for (const timestamp of stamps) await charger.call('StartTransaction', start(0, { timestamp }))
  for (const [i, { started_at }] of (await rowsOf('clock')).entries()) {
    const movedMs = started_at.getTime() + ([300, 0, 100, 0][i] ?? NaN) * 1000
    expect(movedMs).toBeGreaterThanOrEqual(fromMs - 1000)
    expect(movedMs).toBeLessThanOrEqual(Date.now())
  }
  const said = await bench.app.records.system((tx) =>
    tx.selectFrom('charger_message').select('said_at').where('said_at', 'in', stamps).execute(),
  )
  expect(said).toHaveLength(4)
})

test.each(['1970-01-01T00:00:00Z', '2099-01-01T00:00:00Z', 'none'])(
  'with a clock fixed at %s each session is separate and a repeated start is not a new one',
  async (timestamp) => {
    const charger = await connect('stands')
    const begin = start(0, { timestamp, meterStart: 0 })
    const before = (await rowsOf('stands')).length
    for (const wh of [500, 700]) {
      const first = await charger.call('StartTransaction', begin)
      const again = await charger.call('StartTransaction', begin)
      expect(again.payload).toEqual(first.payload)
      const end = { transactionId: first.payload['transactionId'], meterStop: wh, timestamp }
      const stops = [await charger.call('StopTransaction', end), await charger.call('StopTransaction', end)]
      expect(stops[1]?.payload).toEqual(stops[0]?.payload)
    }
    expect((await rowsOf('stands')).slice(before)).toMatchObject([
      { state: 'ended', consumption_wh: '500.000' },
      { state: 'ended', consumption_wh: '700.000' },
    ])
  },
)

test('T1 two customers with equal tags have separate sessions and ids', async () => {
  const [north, west] = [await connect('n-one'), await connect('w-one')]
  const [n, w] = [await north.call('StartTransaction', start(60)), await west.call('StartTransaction', start(60))]
  expect(n.payload['transactionId']).not.toBe(w.payload['transactionId'])
  await west.call('StopTransaction', { transactionId: n.payload['transactionId'], meterStop: 1, timestamp: iso(1) })
  expect(await rowsOf('n-one')).toMatchObject([{ state: 'active' }])
  await bench.app.records.system((tx) =>
    tx
      .updateTable('charger_tag')
      .set({ active: false })
      .where('tag', '=', 'ANNA')
      .where('customer_id', '=', (eb) => eb.selectFrom('customer').select('customer_id').where('key', '=', 'west'))
      .execute(),
  )
  expect((await west.call('Authorize', { idTag: 'anna' })).payload).toEqual({ idTagInfo: { status: 'Blocked' } })
  expect((await north.call('Authorize', { idTag: 'anna' })).payload).toEqual({ idTagInfo: { status: 'Accepted' } })
})

test('a deviation from the protocol is corrected, counted and answered; an unsupported message is refused in the spelling of its version', async () => {
  const charger = await connect('strange')
  const { payload, error } = await charger.call('StartTransaction', {
    connectorId: '1',
    idTag: ' anna ',
    meterStart: '1000.4',
    timestamp: iso(10),
    vendorThing: { a: 1 },
    reservationId: null,
  })
  expect([error, payload['idTagInfo']]).toEqual([null, { status: 'Accepted' }])
  expect((await charger.call('StatusNotification', { status: 'Available' })).error).toBe('OccurenceConstraintViolation')
  expect((await charger.call('Nonsense', {})).error).toBe('NotImplemented')
  expect((await charger.call('DataTransfer', { vendorId: 'x' })).payload).toEqual({ status: 'UnknownVendorId' })
  await bench.door.flush()
  const found = await storedRows(bench.app.records, 'charger_deviation', {}, ['deviation'])
  expect(found.map(({ deviation }) => deviation)).toContain('StartTransaction connectorId: type')
  const pieces = await storedRows(bench.app.records, 'charger_frames', {}, ['frames'])
  const frames = pieces.flatMap((piece) => storedFrames.parse(piece.frames))
  expect(frames.some(([, direction, frame]) => direction === 'in' && frame.includes('"vendorThing"'))).toBe(true)
})

test('numbers out of range are refused or dropped, and the socket stays open', async () => {
  const charger = await connect('broken')
  const refused = 'PropertyConstraintViolation'
  for (const more of [{ meterStart: 1e308 }, { meterStart: 1e12 }, { connectorId: 99999999999 }, { connectorId: -1 }])
    expect((await charger.call('StartTransaction', start(9, more))).error).toBe(refused)
  expect((await charger.call('MeterValues', register(1e20, 8))).error).toBeNull()
  const { payload, error } = await charger.call('StartTransaction', start(7))
  expect(error).toBeNull()
  const stop = { transactionId: payload['transactionId'], meterStop: 1e15, timestamp: iso(6) }
  expect((await charger.call('StopTransaction', stop)).error).toBeNull()
  expect(await rowsOf('broken')).toMatchObject([{ state: 'ended', estimated: true, meter_stop_wh: null }])
  const modern = await connect('broken', { version: 'ocpp2.0.1' })
  const event = (id: number, value: number) => ({
    eventType: 'Started',
    timestamp: iso(5),
    triggerReason: 'CablePluggedIn',
    seqNo: 0,
    evse: { id },
    transactionInfo: { transactionId: 'x' },
    meterValue: [{ timestamp: iso(5), sampledValue: [{ value }] }],
  })
  expect((await modern.call('TransactionEvent', event(3e9, 1))).error).toBe(refused)
  expect((await modern.call('TransactionEvent', event(1, 1e300))).error).toBeNull()
})

test('D2 numbers of sessions stay within int32: after the largest one they begin again, and a number names the newest session', async () => {
  const charger = await connect('many')
  const setNext = (no: number) =>
    bench.app.records.owner((db) => sql`select setval('charger_transaction_no_seq', ${no}, false)`.execute(db))
  const run = async (agoS: number, wh: number) => {
    const { payload } = await charger.call('StartTransaction', start(agoS))
    const transactionId = Number(payload['transactionId'])
    await charger.call('StopTransaction', { transactionId, meterStop: 1000 + wh, timestamp: iso(agoS - 10) })
    return transactionId
  }
  await setNext(1)
  expect(await run(900, 100)).toBe(1)
  await setNext(2 ** 31 - 1)
  expect(await run(600, 200)).toBe(2 ** 31 - 1)
  expect(await run(300, 300)).toBe(1)
  const rows = (await rowsOf('many')).toSorted((a, b) => Number(a.started_at) - Number(b.started_at))
  expect(rows.map((row) => [row.state, Number(row.consumption_wh)])).toEqual([
    ['ended', 100],
    ['ended', 200],
    ['ended', 300],
  ])
})
