import * as tagCalls from '@gridmast/contract/charging/tags.ts'
import * as sessionCalls from '@gridmast/contract/charging/sessions.ts'
import * as contract from '@gridmast/contract/charging/ev-charging.ts'
import { limits } from '@gridmast/contract/limits.ts'
import { m } from '@gridmast/contract/messages.ts'
import { today } from '@gridmast/contract/time.ts'
import { sql } from 'kysely'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { idOf } from '#platform/records/ids.ts'
import { storedRow, storedRows } from '#testing/rows.ts'
import { type Connect, iso, openBench, type TestCharger } from '#charging/ledger/charger.fixture.ts'
import { portalTagOf } from '#charging/ledger/directory.ts'

const names =
  'remote modern plugged plugged-before refuser charted gone listed many paused odd crashed owned phased'.split(' ')
const bench = await openBench([...names, { identity: 'of-west', customer: 'west' }])
const { app } = bench
const token = await app.tokenOf('sudoer@north.example')
const auditor = await app.tokenOf('auditor@north.example')
afterEach(() => bench.hangUp())
afterAll(() => bench.close())

const connect = (identity: string, options: Connect = {}) => bench.connect(identity, options)
const idOfCharger = (identity: string, customer = 'north') => idOf('charger', customer, identity)

const addTag = async (tagID: string, more: object = {}) =>
  app.ask(tagCalls.addChargerTag, { token, body: { name: tagID, tagID, action: true, ...more } })

const sessionsOf = async (query: Record<string, string>) =>
  await app.data(sessionCalls.findChargerTransactions, { token: auditor, query })
const sessionsAt = async (identity: string) => (await sessionsOf({ chargerId: idOfCharger(identity) })).transactions

type Event = { reason: string; info: object; seqNo?: number; more?: object }
const event = (charger: TestCharger, transactionId: string, { reason, info, seqNo = 0, more = {} }: Event) =>
  charger.call('TransactionEvent', {
    eventType: seqNo === 0 ? 'Started' : 'Updated',
    seqNo,
    triggerReason: reason,
    timestamp: iso(0),
    evse: { id: 1 },
    transactionInfo: { transactionId, ...info },
    ...more,
  })

const begin = async (charger: TestCharger, idTag: string, agoS: number, more: object = {}) => {
  const start = { connectorId: 1, idTag, meterStart: 0, timestamp: iso(agoS), ...more }
  const { transactionId } = (await charger.call('StartTransaction', start)).payload
  return {
    transactionId,
    end: (meterStop: number, endedAgoS: number, details: object = {}) =>
      charger.call('StopTransaction', { transactionId, meterStop, timestamp: iso(endedAgoS), ...details }),
  }
}

const remoteOf = ({ asked }: TestCharger) => asked.filter(({ action }) => /Remote|Request/.test(action))

describe('starts and stops from the portal', () => {
  const ask = (
    call: typeof sessionCalls.remoteStart | typeof sessionCalls.remoteStop,
    identity: string,
    connectorId = 1,
  ) => app.ask(call, { token, body: { chargerId: idOfCharger(identity), connectorId } })

  test('C3 C4 a remote start is sent once, returns the answer of the charger and is linked to its session', async () => {
    const charger = await connect('remote')
    const begun = await ask(sessionCalls.remoteStart, 'remote')
    expect(begun.body.data).toEqual({ status: 'Accepted', accepted: true })
    const portalTag = portalTagOf(idOf('customer', 'north'))
    expect(remoteOf(charger)).toEqual([
      { action: 'RemoteStartTransaction', payload: { idTag: portalTag, connectorId: 1 } },
    ])
    const start = { connectorId: 1, idTag: portalTag, meterStart: 0, timestamp: iso(0) }
    const { payload } = await charger.call('StartTransaction', start)
    expect(payload['idTagInfo']).toEqual({ status: 'Accepted' })
    expect(await sessionsAt('remote')).toMatchObject([{ mode: 'remote', idTag: null, status: 'active' }])
    const no = Number(payload['transactionId'])
    const linked = await storedRows(app.records, 'charger_transaction', { no }, ['command_id'])
    expect(linked).toEqual([{ command_id: expect.any(String) }])
    expect((await ask(sessionCalls.remoteStart, 'remote')).body.message).toBe(m.connectorCharging)
    expect((await ask(sessionCalls.remoteStop, 'remote')).body.data).toEqual({ status: 'Accepted', accepted: true })
    expect((await ask(sessionCalls.remoteStop, 'remote')).body.message).toBe(m.chargerCommandOpen)
    expect(remoteOf(charger).slice(1)).toEqual([
      { action: 'RemoteStopTransaction', payload: { transactionId: payload['transactionId'] } },
    ])
    const trail = (await app.trail('charger.%')).filter(({ action }) => /start|answer/.test(action))
    expect(trail.slice(0, 2)).toMatchObject([
      { who: 'sudoer@north.example', action: 'charger.start', result: 'ok' },
      { who: 'remote', action: 'charger.answer', result: 'ok', after: { answer: 'Accepted' } },
    ])
  })

  test('C4 a remote start with a tag begins a session of that tag, is refused for a blocked tag and while another start is open', async () => {
    const { body: made } = await addTag('OWN1')
    const { body: shut } = await addTag('OWN2', { action: false })
    const startWith = (identity: string, tagId: string, connectorId = 1) =>
      app.ask(sessionCalls.remoteStart, { token, body: { chargerId: idOfCharger(identity), connectorId, tagId } })
    const charger = await connect('owned')
    expect((await startWith('owned', shut.data.tag._id)).body.message).toBe(m.tagRefused)
    expect((await startWith('owned', made.data.tag._id)).body.data).toEqual({ status: 'Accepted', accepted: true })
    expect(remoteOf(charger)).toEqual([
      { action: 'RemoteStartTransaction', payload: { idTag: 'OWN1', connectorId: 1 } },
    ])
    expect((await ask(sessionCalls.remoteStart, 'owned')).body.message).toBe(m.startWaiting)
    await charger.call('StartTransaction', { connectorId: 1, idTag: 'own1', meterStart: 0, timestamp: iso(0) })
    expect(await sessionsAt('owned')).toMatchObject([
      { mode: 'remote', idTag: 'OWN1', tagName: 'OWN1', status: 'active' },
    ])
    const modern = await connect('owned', { version: 'ocpp2.0.1' })
    await startWith('owned', made.data.tag._id, 2)
    const remoteStartId = remoteOf(modern)[0]?.payload['remoteStartId']
    const info = { remoteStartId, chargingState: 'Charging' }
    await event(modern, 'own-2', { reason: 'RemoteStart', info, more: { evse: { id: 2 } } })
    expect(await sessionsAt('owned')).toMatchObject([
      { connectorId: 2, mode: 'remote', idTag: 'OWN1', tagName: 'OWN1' },
      { connectorId: 1 },
    ])
  })

  test.each(['plugged', 'plugged-before'])(
    '2.0.1, %s the start: a session that began with the cable belongs to the start that its charger names',
    async (identity) => {
      const { body: made } = await addTag(`OF ${identity}`)
      const body = { chargerId: idOfCharger(identity), connectorId: 1, tagId: made.data.tag._id }
      const charger = await connect(identity, { version: 'ocpp2.0.1' })
      const plug = () => event(charger, identity, { reason: 'CablePluggedIn', info: { chargingState: 'EVConnected' } })
      if (identity === 'plugged-before') {
        await plug()
        const { tagId: _, ...connector } = body
        const { body: stopped } = await app.ask(sessionCalls.remoteStop, { token, body: connector })
        expect(stopped).toMatchObject({ message: m.connectorIdle })
      }
      expect(await app.data(sessionCalls.remoteStart, { token, body })).toMatchObject({ accepted: true })
      if (identity === 'plugged') await plug()
      const remoteStartId = remoteOf(charger)[0]?.payload['remoteStartId']
      const info = { chargingState: 'Charging', remoteStartId }
      await event(charger, identity, { seqNo: 1, reason: 'RemoteStart', info })
      expect(await sessionsAt(identity)).toMatchObject([
        { mode: 'remote', idTag: `OF ${identity}`.toUpperCase(), status: 'active', refused: false },
      ])
      const { command_id } = await storedRow(app.records, 'charger_transaction', { ocpp_id: identity }, ['command_id'])
      expect(await storedRows(app.records, 'charger_command', { command_id: command_id ?? '' }, ['no'])).toEqual([
        { no: remoteStartId },
      ])
      expect((await app.ask(sessionCalls.remoteStart, { token, body })).body.message).toBe(m.connectorCharging)
    },
  )

  test('2.0.1: a session is linked by the number of its remote start and stopped by the id of the charger', async () => {
    const charger = await connect('modern', { version: 'ocpp2.0.1' })
    await ask(sessionCalls.remoteStart, 'modern')
    const remoteStartId = remoteOf(charger)[0]?.payload['remoteStartId']
    expect(remoteOf(charger)[0]).toMatchObject({ action: 'RequestStartTransaction', payload: { evseId: 1 } })
    const info = { chargingState: 'Charging' }
    await event(charger, 'own-1', { reason: 'RemoteStart', info: { ...info, remoteStartId } })
    const sampledValue = [
      { value: 7360, measurand: 'Power.Active.Import' },
      { value: 55, measurand: 'SoC', unitOfMeasure: { unit: 'Percent' } },
    ]
    const meterValue = [{ timestamp: iso(0), sampledValue }]
    await event(charger, 'own-1', { seqNo: 1, reason: 'MeterValuePeriodic', info, more: { meterValue } })
    const modern = async () => {
      const params = { id: idOf('licence', 'north', 'evCharging') }
      const { chargers } = await app.data(contract.findChargers, { token: auditor, params })
      return chargers.find(({ identity }) => identity === 'modern')
    }
    const shown = await modern()
    expect(shown).toMatchObject({ meta: { isActive: true, connectors: 2, version: 'ocpp2.0.1' } })
    expect(shown?.connectors).toMatchObject([
      { transactionId: expect.any(String), powerKw: 7.36, soc: 55 },
      { transactionId: null, powerKw: null, soc: null },
    ])
    await app.byHand((tx) => sql`update charger_command set issued_at = ${new Date(0)}`.execute(tx))
    await ask(sessionCalls.remoteStop, 'modern')
    expect(remoteOf(charger)[1]).toEqual({ action: 'RequestStopTransaction', payload: { transactionId: 'own-1' } })
    const available = { timestamp: iso(-1), connectorStatus: 'Available', evseId: 1, connectorId: 1 }
    await charger.call('StatusNotification', available)
    const free = { state: 'available', transactionId: null, powerKw: null }
    expect((await modern())?.connectors[0]).toMatchObject(free)
  })

  test('a rejection of the charger is returned; an offline charger, an idle connector and an unknown one are refused', async () => {
    await connect('refuser', { onAsked: () => ({ status: 'Rejected' }) })
    expect((await ask(sessionCalls.remoteStart, 'refuser')).body.data).toEqual({ status: 'Rejected', accepted: false })
    const gone = await ask(sessionCalls.remoteStart, 'gone')
    expect([gone.status, gone.body.message]).toEqual([409, m.chargerOffline])
    expect((await ask(sessionCalls.remoteStop, 'refuser', 2)).body.message).toBe(m.connectorIdle)
    expect((await ask(sessionCalls.remoteStart, 'refuser', 3)).body.message).toBe(m.noSuchConnector)
  })

  test('a remote start ends when the socket closes before the answer', async () => {
    const onAsked: Connect['onAsked'] = ({ action }) =>
      action === 'RemoteStartTransaction' ? null : { configurationKey: [] }
    const charger = await connect('gone', { onAsked })
    const asked = ask(sessionCalls.remoteStart, 'gone')
    await expect.poll(() => remoteOf(charger).length).toBe(1)
    charger.socket.terminate()
    expect((await asked).body.data).toEqual({ status: m.chargerSilent, accepted: false })
  })

  test('T1 R1 the charger of another customer is not found, and an auditor cannot start a session', async () => {
    const body = { chargerId: idOfCharger('of-west', 'west'), connectorId: 1 }
    expect((await app.ask(sessionCalls.remoteStart, { token, body })).status).toBe(404)
    expect((await app.ask(sessionCalls.remoteStart, { token: auditor, body })).status).toBe(403)
  })
})

test('the day of a connector has power in kW, consumption per hour and no state of charge without samples', async () => {
  const charger = await connect('charted')
  const at = (minute: number) => new Date(Date.UTC(2026, 10, 20, 9, minute)).toISOString()
  const phase = (name: string, value: string) => ({ value, phase: name, measurand: 'Power.Active.Import', unit: 'kW' })
  const phases = [phase('L1', '2.5'), phase('L2', '2.5'), phase('L3', ' 2.4')]
  for (const [i, wh] of [1000, 4000, 8000, 8500].entries()) {
    const sampledValue = [{ value: String(wh) }, ...phases]
    await charger.call('MeterValues', { connectorId: 2, meterValue: [{ timestamp: at(30 * i), sampledValue }] })
  }
  const connector = { chargerId: idOfCharger('charted'), connectorId: '2' }
  const query = { ...connector, date: '2026-11-20' }
  const data = await app.data(contract.chargerOverview, { token: auditor, query })
  expect(data.powerData[0]?.y.filter((y) => y !== null)).toEqual([7.4, 7.4, 7.4, 7.4])
  expect(data.consumptionData[0]?.y.filter((y) => y !== null)).toEqual([3, 4.5])
  expect(data).toMatchObject({ SocData: [], lastReported: at(90), simulated: false })
  const during = (start: string, end: string) => ({ token: auditor, query: { ...connector, start, end } })
  const hour = await app.data(contract.chargerOverview, during(at(15), at(75)))
  // The commenced hours, from 10:00 and 11:00 in Berlin.
  expect(hour.consumptionData[0]).toMatchObject({
    x: [Date.UTC(2026, 10, 20, 9), Date.UTC(2026, 10, 20, 10)],
    y: [3, 4.5],
  })
  expect(hour.powerData[0]?.y.filter((y) => y !== null)).toEqual([7.4, 7.4])
  const month = await app.data(contract.chargerOverview, during('2026-11-01T00:00:00Z', '2026-11-30T00:00:00Z'))
  expect(month.consumptionData[0]?.x).toHaveLength(30)
  expect(month.consumptionData[0]?.y.filter((y) => y !== null)).toEqual([7.5])
  const tooLong = await app.ask(contract.chargerOverview, during('2026-01-01T00:00:00Z', '2026-11-30T00:00:00Z'))
  expect(tooLong).toMatchObject({ status: 400, body: { errors: { end: m.tooManyDays(limits.chargerDays) } } })
  const last = await app.data(contract.chargerLastReported, { token: auditor, query: connector })
  expect(last.lastReported).toBe(at(90))
  const asFile = { ...query, chart: 'consumption', format: 'csv' }
  const { text } = await app.ask(contract.chargerOverview, { token, query: asFile })
  expect(text).toContain('Energy register (Wh)')
})

test('power by phase is a separate series next to the total', async () => {
  const charger = await bench.connect('phased')
  await charger.boot()
  const watt = (value: string, phase: string) => ({ value, phase, measurand: 'Power.Active.Import', unit: 'W' })
  const sampledValue = [watt('2300', 'L1'), watt('2310', 'L2'), watt('2290', 'L3')]
  const timestamp = iso(0)
  await charger.call('MeterValues', { connectorId: 1, meterValue: [{ timestamp, sampledValue }] })
  const query = { chargerId: idOf('charger', 'north', 'phased'), date: today(Date.parse(timestamp)) }
  const day = await app.ask(contract.chargerOverview, { token, query })
  expect(day.body.data.powerData).toMatchObject([
    { name: 'Power', y: [6.9] },
    { name: 'L1', unit: 'kW', y: [2.3] },
    { name: 'L2', y: [2.31] },
    { name: 'L3', y: [2.29] },
  ])
})

test('1.6: a status notification sets the state of the session on its connector, unless it is older than the session', async () => {
  const charger = await connect('paused')
  await addTag('A')
  await begin(charger, 'A', 300)
  const states = async () => (await sessionsAt('paused')).map(({ chargingState }) => chargingState)
  const say = (status: string, agoS: number, connectorId = 1) =>
    charger.call('StatusNotification', { connectorId, errorCode: 'NoError', status, timestamp: iso(agoS) })
  await say('SuspendedEVSE', 301)
  expect(await states()).toEqual(['charging'])
  await say('SuspendedEVSE', 200)
  expect(await states()).toEqual(['suspended-evse'])
  await say('Charging', 150, 2)
  expect(await states()).toEqual(['suspended-evse'])
  await say('Charging', 100)
  expect(await states()).toEqual(['charging'])
})

test('the list of sessions has every filter, totals of all matches, pages of 15 and a file', async () => {
  const charger = await connect('listed')
  const { body: made } = await addTag('LIST')
  for (let i = 0; i < 17; i++) {
    const session = await begin(charger, 'LIST', 4000 - i * 100, { connectorId: 1 + (i % 2) })
    await session.end(1000, 3950 - i * 100)
  }
  const ask = async (query: Record<string, string>) => {
    const { transactions, overallConsumption, totalCount } = await sessionsOf(query)
    return [transactions.length, overallConsumption, totalCount]
  }
  const chargerId = idOfCharger('listed')
  expect(await ask({ chargerId })).toEqual([15, 17, 17])
  expect(await ask({ chargerId, skip: '15' })).toEqual([2, 17, 17])
  expect(await ask({ chargerId, connectorId: '2' })).toEqual([8, 8, 8])
  expect(await ask({ tagId: made.data.tag._id })).toEqual([15, 17, 17])
  expect(await ask({ chargerId, endDate: '2020-01-01' })).toEqual([0, 0, 0])
  const [first] = (await sessionsOf({ chargerId, limit: '1' })).transactions
  const tag = { idTag: 'LIST', tagName: 'LIST', mode: 'tag' }
  expect(first).toMatchObject({ ...tag, connectorId: 1, type: 'AC', status: 'ended' })
  expect(first).toMatchObject({ consumption: 1, estimated: false, refused: false })
  const params = { id: first?._id ?? '' }
  expect((await app.data(sessionCalls.getChargerTransaction, { token: auditor, params })).transaction).toEqual(first)
  const file = await app.ask(sessionCalls.findChargerTransactions, { token, query: { chargerId, format: 'csv' } })
  expect(file.text.trim().split('\n')).toHaveLength(18)
})

describe('review of a session', () => {
  test('R1 implausible energy is not counted until an expert or sudoer has reviewed it', async () => {
    await addTag('ODD')
    const charger = await connect('odd')
    await (await begin(charger, 'ODD', 40)).end(300_000, 4)
    await (await begin(charger, 'ODD', 7200)).end(8000, 3600)
    const chargerId = idOfCharger('odd')
    const [odd, usual] = (await sessionsOf({ chargerId })).transactions
    expect(odd).toMatchObject({ consumption: null, doubtedKwh: 300, energyReview: null, status: 'ended', maxKw: 22 })
    expect(usual).toMatchObject({ consumption: 8, doubtedKwh: null })
    expect(await sessionsOf({ chargerId })).toMatchObject({ overallConsumption: 8, totalCount: 2 })
    expect((await sessionsOf({ chargerId, attention: 'true' })).transactions).toEqual([odd])
    const review = (body: { kwh: string; reason: string }, as = token, id = odd?._id ?? '') =>
      app.ask(sessionCalls.reviewSessionEnergy, { token: as, params: { id }, body })
    const body = { kwh: '0.3', reason: 'Meter counts Wh as kWh' }
    expect((await review(body, auditor)).status).toBe(403)
    expect((await review({ ...body, reason: ' ' })).body.errors).toEqual({ reason: m.required })
    expect((await review({ ...body, kwh: '-1' })).body.errors).toEqual({ kwh: m.atLeast(0) })
    expect((await review(body, token, usual?._id)).body.message).toBe(m.energyNotDoubted)
    const saved = await review(body)
    expect(saved.body).toMatchObject({
      message: m.energyReviewed,
      data: { transaction: { consumption: 0.3, doubtedKwh: 300, energyReview: { reason: body.reason } } },
    })
    expect(await sessionsOf({ chargerId })).toMatchObject({ overallConsumption: 8.3 })
    expect((await sessionsOf({ chargerId, attention: 'true' })).transactions).toEqual([])
    expect(await app.trail('charger-session.energy')).toMatchObject([
      {
        who: 'sudoer@north.example',
        before: { session: odd?._id, reportedKwh: '300.000', kwh: null },
        after: { kwh: '0.300', reason: body.reason },
      },
    ])
  })

  test('R1 a user ends a session that its charger left open, and a later stop corrects its energy', async () => {
    const charger = await connect('crashed')
    const session = await begin(charger, 'ODD', 3600, { meterStart: 1000 })
    await charger.call('MeterValues', {
      connectorId: 1,
      transactionId: session.transactionId,
      meterValue: [{ timestamp: iso(1800), sampledValue: [{ value: '6000' }] }],
    })
    const chargerId = idOfCharger('crashed')
    const [open] = (await sessionsOf({ chargerId })).transactions
    const end = (as = token) =>
      app.ask(sessionCalls.endSession, { token: as, params: { id: open?._id ?? '' }, body: { reason: 'Car has left' } })
    expect((await end(auditor)).status).toBe(403)
    const { body } = await end()
    expect(body).toMatchObject({
      message: m.sessionEndedByUser,
      data: { transaction: { status: 'abandoned', consumption: 5, estimated: true, reason: 'Car has left' } },
    })
    expect([(await end()).status, (await end()).body.message]).toEqual([409, m.sessionNotOpen])
    expect(await app.trail('charger-session.end')).toMatchObject([{ after: { kwh: 5, reason: 'Car has left' } }])
    const { body: started } = await app.ask(sessionCalls.remoteStart, { token, body: { chargerId, connectorId: 1 } })
    expect(started.data).toEqual({ status: 'Accepted', accepted: true })
    await session.end(7500, 60, { reason: 'PowerLoss' })
    expect((await sessionsOf({ chargerId })).transactions).toMatchObject([
      { status: 'ended', consumption: 6.5, estimated: false, reason: 'PowerLoss' },
    ])
  })

  test('the energy of a refused session needs attention and has a total of its own', async () => {
    await addTag('SHUT', { action: false })
    const charger = await connect('odd')
    const session = await begin(charger, 'SHUT', 3600, { connectorId: 2 })
    await session.end(9500, 60)
    const query = { chargerId: idOfCharger('odd'), connectorId: '2' }
    const page = await sessionsOf({ ...query, attention: 'true' })
    expect(page.transactions).toMatchObject([{ refused: true, consumption: 9.5 }])
    expect(page).toMatchObject({ overallConsumption: 0, refusedConsumption: 9.5 })
  })
})

test('a file of more sessions than a page lists each session once, also with equal start times', async () => {
  await app.byHand((tx) =>
    sql`insert into charger_transaction (customer_id, transaction_id, charger_id, mode, state, started_at, ended_at, consumption_wh)
      select customer_id, gen_random_uuid(), charger_id, 'tag', 'ended', timestamptz '2026-10-01' + n / 900 * interval '1 hour',
        timestamptz '2026-10-02', n * 1000 from charger cross join generate_series(1, 2300) n where charger_id = ${idOfCharger('many')}`.execute(
      tx,
    ),
  )
  const query = { chargerId: idOfCharger('many'), format: 'csv' }
  const { text } = await app.ask(sessionCalls.findChargerTransactions, { token, query })
  const [head = [], ...rows] = Array.from(text.trim().split('\r\n'), (line) => line.split(','))
  const energy = rows.map((row) => Number(row[head.indexOf('Energy (kWh)')]))
  expect(energy.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 2300 }, (_, i) => i + 1))
})
