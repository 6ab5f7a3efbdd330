import { afterAll, afterEach, expect, test } from 'vitest'
import { pendingS } from './states.ts'
import { iso, openBench } from './charger.fixture.ts'
import { storedRows } from '#testing/rows.ts'

const names = 'whole twice reversed late bare blocked second-tag plugged-in apart plain forgot from-0 same-north'.split(
  ' ',
)
const bench = await openBench(
  [...names.map((identity) => ({ identity, maxKw: 150 })), { identity: 'same-west', customer: 'west', maxKw: 150 }],
  [{ tag: 'ANNA' }, { tag: 'BLOCKED', active: false }, { tag: 'ANNA', customer: 'west' }],
)
afterEach(() => bench.hangUp())
afterAll(() => bench.close())

const connect = (identity: string) => bench.connect(identity, { version: 'ocpp2.0.1' })
const rowsOf = (identity: string) => bench.rowsOf(identity)
const token = (idToken: string) => ({ idToken, type: 'ISO14443' })
const register = (wh: number, context: string, agoS: number) => ({
  timestamp: iso(agoS),
  sampledValue: [
    { value: wh / 1000, context, unitOfMeasure: { unit: 'kWh' } },
    { value: 11_000, measurand: 'Power.Active.Import', unitOfMeasure: { unit: 'W' } },
    { value: 40, measurand: 'SoC', location: 'EV', unitOfMeasure: { unit: 'Percent' } },
  ],
})
const said = (eventType: string, seqNo: number, agoS: number, transactionId: string, more: object = {}) => ({
  eventType,
  seqNo,
  timestamp: iso(agoS),
  triggerReason: 'Authorized',
  transactionInfo: { transactionId },
  ...more,
})
const started = (agoS: number, id: string, more: object = {}) =>
  said('Started', 0, agoS, id, {
    evse: { id: 1, connectorId: 1 },
    idToken: token('anna'),
    meterValue: [register(5000, 'Transaction.Begin', agoS)],
    ...more,
  })
const ended = (agoS: number, id: string, more: object = {}) =>
  said('Ended', 9, agoS, id, {
    transactionInfo: { transactionId: id, stoppedReason: 'EVDisconnected' },
    meterValue: [register(12_500, 'Transaction.End', agoS)],
    ...more,
  })
const charging = (id: string) => ({ transactionInfo: { transactionId: id, chargingState: 'Charging' } })

test('later events of a session name neither connector nor tag', async () => {
  const charger = await connect('whole')
  expect((await charger.call('TransactionEvent', started(600, 'T1'))).payload).toEqual({
    idTokenInfo: { status: 'Accepted' },
  })
  expect(await rowsOf('whole')).toMatchObject([{ state: 'starting', evse_no: 1, connector_no: 1, tag: 'ANNA' }])
  const update = said('Updated', 1, 300, 'T1', {
    ...charging('T1'),
    meterValue: [register(8000, 'Sample.Periodic', 300)],
  })
  expect((await charger.call('TransactionEvent', update)).payload).toEqual({})
  expect(await rowsOf('whole')).toMatchObject([{ state: 'active', charging_state: 'charging' }])
  await charger.call('TransactionEvent', ended(10, 'T1'))
  expect(await rowsOf('whole')).toMatchObject([
    { state: 'ended', consumption_wh: '7500.000', estimated: false, reason: 'EVDisconnected', charging_state: null },
  ])
  const registers = await storedRows(bench.app.records, 'charger_register', {}, ['wh', 'evse_no'], ['at'])
  expect(registers.map(({ wh, evse_no }) => [Number(wh), evse_no])).toEqual([
    [5000, 1],
    [8000, 1],
    [12_500, 1],
  ])
})

test('after a power loss the first register of the next session does not change the abandoned one', async () => {
  const charger = await connect('from-0')
  const begun = (agoS: number, id: string) =>
    started(agoS, id, { meterValue: [register(0, 'Transaction.Begin', agoS)] })
  await charger.call('TransactionEvent', begun(600, 'Z1'))
  const update = said('Updated', 1, 300, 'Z1', {
    ...charging('Z1'),
    meterValue: [register(6000, 'Sample.Periodic', 300)],
  })
  await charger.call('TransactionEvent', update)
  await charger.call('TransactionEvent', begun(60, 'Z2'))
  expect(await rowsOf('from-0')).toMatchObject([
    { ocpp_id: 'Z1', state: 'abandoned', estimated: true, consumption_wh: '6000.000' },
    { ocpp_id: 'Z2', state: 'starting' },
  ])
})

test('an event with meter values only is answered', async () => {
  const charger = await connect('plain')
  await charger.call('TransactionEvent', started(600, 'T0'))
  const update = said('Updated', 1, 300, 'T0', {
    triggerReason: 'MeterValuePeriodic',
    meterValue: [register(8000, 'Sample.Periodic', 300)],
  })
  expect((await charger.call('TransactionEvent', update)).payload).toEqual({})
  expect(await rowsOf('plain')).toMatchObject([{ state: 'starting', evse_no: 1 }])
})

test('D2 a repeated event, with its id or a new one or over another socket, changes nothing and gets the same answer', async () => {
  const charger = await connect('twice')
  const events = [started(600, 'T2'), said('Updated', 1, 300, 'T2', charging('T2')), ended(10, 'T2')]
  const first: string[] = []
  for (const [i, event] of events.entries()) first.push((await charger.call('TransactionEvent', event, `e-${i}`)).text)
  const before = await rowsOf('twice')
  const again = await connect('twice')
  for (const [i, event] of events.entries())
    expect((await again.call('TransactionEvent', event, `e-${i}`)).text).toBe(first[i])
  for (const event of events) await again.call('TransactionEvent', event)
  await again.call('TransactionEvent', said('Updated', 12, 1, 'T2', charging('T2')))
  expect(await rowsOf('twice')).toEqual(before)
})

test('an end that arrives before its start is one session with its energy', async () => {
  const charger = await connect('reversed')
  await charger.call('TransactionEvent', ended(10, 'T3', { offline: true }))
  expect(await rowsOf('reversed')).toMatchObject([{ state: 'ended', consumption_wh: null, start_seen: false }])
  await charger.call('TransactionEvent', started(600, 'T3', { offline: true }))
  expect(await rowsOf('reversed')).toMatchObject([
    { state: 'ended', consumption_wh: '7500.000', start_seen: true, tag: 'ANNA', evse_no: 1 },
  ])
})

test('a replayed session of earlier hours does not end the running one', async () => {
  const charger = await connect('late')
  await charger.call('TransactionEvent', started(60, 'T5'))
  await charger.call('TransactionEvent', started(7200, 'T4', { offline: true }))
  await charger.call('TransactionEvent', ended(6000, 'T4', { offline: true }))
  expect((await rowsOf('late')).map(({ ocpp_id, state, told_late }) => [ocpp_id, state, told_late])).toEqual([
    ['T5', 'starting', false],
    ['T4', 'ended', true],
  ])
})

test('an event without a connector uses the only known connector of its EVSE, and none of two', async () => {
  const charger = await connect('bare')
  const status = (connectorId: number) => ({
    timestamp: iso(1),
    connectorStatus: 'Available',
    evseId: 1,
    connectorId,
  })
  await charger.call('StatusNotification', status(2))
  await charger.call('TransactionEvent', started(50, 'T6', { evse: { id: 1 } }))
  await charger.call('StatusNotification', status(1))
  await charger.call('TransactionEvent', started(40, 'T7', { evse: { id: 1 } }))
  expect((await rowsOf('bare')).map(({ connector_no }) => connector_no)).toEqual([2, null])
})

test('a refused tag is answered with the reason, and its session and energy are stored', async () => {
  const charger = await connect('blocked')
  expect((await charger.call('Authorize', { idToken: token('nobody') })).payload).toEqual({
    idTokenInfo: { status: 'Unknown' },
  })
  const answer = await charger.call('TransactionEvent', started(120, 'T8', { idToken: token('blocked') }))
  expect(answer.payload).toEqual({ idTokenInfo: { status: 'Blocked' } })
  await charger.call('TransactionEvent', ended(1, 'T8'))
  expect(await rowsOf('blocked')).toMatchObject([{ refused: true, state: 'ended', consumption_wh: '7500.000' }])
})

test('a session belongs to the tag that is accepted after a refused one', async () => {
  const authorised = (seqNo: number, agoS: number, id: string, idToken: string) =>
    said('Updated', seqNo, agoS, id, { idToken: token(idToken) })
  for (const [identity, first] of [
    ['second-tag', { idToken: token('blocked') }],
    ['plugged-in', { idToken: undefined }],
  ] as const) {
    const charger = await connect(identity)
    await charger.call('TransactionEvent', started(120, 'T10', first))
    for (const name of ['nobody', 'blocked']) {
      await charger.call('TransactionEvent', authorised(name === 'nobody' ? 1 : 2, 110, 'T10', name))
      expect(await rowsOf(identity)).toMatchObject([{ refused: true, tag: first.idToken ? 'BLOCKED' : 'NOBODY' }])
    }
    await charger.call('TransactionEvent', authorised(3, 100, 'T10', 'anna'))
    await charger.call('TransactionEvent', authorised(4, 90, 'T10', 'blocked'))
    await charger.call('TransactionEvent', ended(1, 'T10', { idToken: token('blocked') }))
    expect(await rowsOf(identity)).toMatchObject([
      { refused: false, tag: 'ANNA', state: 'ended', consumption_wh: '7500.000' },
    ])
  }
})

test('meter values outside of events belong to the EVSE and estimate an end without a register', async () => {
  const charger = await connect('apart')
  await charger.call('TransactionEvent', started(600, 'T9'))
  await charger.call('MeterValues', { evseId: 1, meterValue: [register(9000, 'Sample.Clock', 100)] })
  await charger.call('TransactionEvent', ended(5, 'T9', { meterValue: [] }))
  expect(await rowsOf('apart')).toMatchObject([{ state: 'ended', consumption_wh: '4000.000', estimated: true }])
})

test('after a reboot a session that its charger no longer knows ends with its last reading', async () => {
  const before = await connect('forgot')
  for (const id of ['gone', 'goes-on', 'untold']) {
    await before.call(
      'TransactionEvent',
      started(600, id, { evse: { id: id === 'gone' ? 1 : id === 'goes-on' ? 2 : 3 } }),
    )
  }
  await before.call('MeterValues', { evseId: 1, meterValue: [register(9000, 'Sample.Clock', 100)] })
  await bench.hangUp()
  const answers: Record<string, object> = {
    gone: { ongoingIndicator: false, messagesInQueue: false },
    'goes-on': { ongoingIndicator: true, messagesInQueue: false },
    untold: { ongoingIndicator: false, messagesInQueue: true },
  }
  const after = await bench.connect('forgot', {
    version: 'ocpp2.0.1',
    onAsked: ({ action, payload }) => ({
      ...(action === 'GetTransactionStatus' ? answers[String(payload['transactionId'])] : { getVariableResult: [] }),
    }),
  })
  await after.call('BootNotification', { reason: 'PowerUp', chargingStation: { model: 'M', vendorName: 'V' } })
  const states = async () =>
    (await rowsOf('forgot')).map(({ ocpp_id, state, consumption_wh }) => [ocpp_id, state, consumption_wh])
  await expect.poll(states).toEqual([
    ['gone', 'abandoned', '4000.000'],
    ['goes-on', 'starting', null],
    ['untold', 'starting', null],
  ])
  await expect.poll(() => after.asked.filter(({ action }) => action === 'GetTransactionStatus').length).toBe(3)
})

test('above 400 boots a minute chargers are asked to retry after different times', () => {
  expect([pendingS(0, 0.5), pendingS(400, 0.5)]).toEqual([0, 0])
  expect([pendingS(401, 0), pendingS(401, 0.999)]).toEqual([20, 79])
})

test('T1 two customers with equal tags, transaction ids and message ids have separate sessions', async () => {
  const [north, west] = [await connect('same-north'), await connect('same-west')]
  const id = 'tx-of-both'
  await north.call('TransactionEvent', started(600, id), 'm-1')
  await west.call(
    'TransactionEvent',
    started(300, id, { meterValue: [register(100_000, 'Transaction.Begin', 300)] }),
    'm-1',
  )
  await north.call('TransactionEvent', ended(10, id), 'm-2')
  expect(await rowsOf('same-west')).toMatchObject([{ state: 'starting', ocpp_id: id, meter_start_wh: '100000.000' }])
  await west.call('TransactionEvent', ended(5, id, { meterValue: [register(100_250, 'Transaction.End', 5)] }), 'm-2')
  expect(await rowsOf('same-north')).toMatchObject([{ state: 'ended', ocpp_id: id, consumption_wh: '7500.000' }])
  expect(await rowsOf('same-west')).toMatchObject([{ state: 'ended', ocpp_id: id, consumption_wh: '250.000' }])
  const [[northRow], [westRow]] = [await rowsOf('same-north'), await rowsOf('same-west')]
  expect(northRow?.transaction_id).not.toBe(westRow?.transaction_id)
  expect(northRow?.tag_id).not.toBe(westRow?.tag_id)
})
