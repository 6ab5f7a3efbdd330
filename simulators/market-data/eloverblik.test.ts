import type { Server } from 'node:http'
import { addDays, hourMs, today } from '@gridmast/contract/time.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import * as contract from '@gridmast/contract/data-hub.ts'
import { m } from '@gridmast/contract/messages.ts'
import { watchMeters } from '../../server/src/domains/data-hub/backfill.ts'
import { runMeters } from '../../server/src/domains/data-hub/sync.ts'
import { readSources } from '../../server/src/domains/system/sources.ts'
import { openTestApp, type TestApp } from '../../server/src/testing/app.ts'
import { simulatedToken } from './eloverblik.ts'
import { demoCvrs, laterMeter, simulatedMeters } from './meters.ts'
import { openMarketData } from './server.ts'

/** The data hub against the simulator, over HTTP: what it asks, what it keeps, and how it gets over faults. */

const startIso = '2026-11-20T12:00:00Z'
let nowMs = Date.parse(startIso)
let server: Server
let app: TestApp
let baseUrl: string
let sudoer: string
const asked: string[] = []

const refreshType = 'THIRDPARTYAPI_Refresh'
const token = simulatedToken(refreshType, Date.parse('2027-06-01T00:00:00Z'))

const setNow = (iso: string) => {
  nowMs = Date.parse(iso)
  app.setNow(iso)
}
const fault = (body: object) =>
  fetch(`${baseUrl}/_faults`, { method: 'POST', body: JSON.stringify({ dataset: 'eloverblik', ...body }) })
/** So that a fault meets the request that is meant, and not the one for a token. */
const withAccess = () =>
  app.records.system((tx) =>
    tx
      .updateTable('connector_token')
      .set({
        access_sealed: app.secret.seal(simulatedToken('THIRDPARTYAPI_DataAccess', nowMs + 20 * hourMs)),
        access_until: new Date(nowMs + 20 * hourMs),
      })
      .execute(),
  )
const noFaults = () => fetch(`${baseUrl}/_faults`, { method: 'DELETE' })
const run = () => runMeters(app, performance.now() + 60_000)
const row = (table: 'connector_state' | 'connector_token') =>
  app.records.system((tx) => tx.selectFrom(table).selectAll().execute())
const meterState = async () =>
  await app.records.system((tx) =>
    tx.selectFrom('connector_state').selectAll().where('dataset', '=', 'MeterData').executeTakeFirst(),
  )
const daysStored = () =>
  app.records.system((tx) => tx.selectFrom('meter_day').select(['meter_id', 'day', 'version']).orderBy('day').execute())
/** Requests for time series since the last look: their days and how many there were of each. */
const seriesAsked = () =>
  asked
    .splice(0)
    .filter((path) => path.includes('gettimeseries'))
    .map((path) => path.split('/').slice(-3, -1).join(' '))

const startServer = async () => {
  server = openMarketData({ prices: new Map(), hours: new Map() } as never, () => nowMs) // nothing but Eloverblik is asked here
  server.prependListener('request', (request) => {
    if (request.url?.startsWith('/eloverblik/')) asked.push(request.url)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (typeof address !== 'object' || !address) throw new Error('no address')
  return `http://127.0.0.1:${address.port}`
}

beforeAll(async () => {
  baseUrl = await startServer()
  app = await openTestApp({
    ELOVERBLIK_URL: `${baseUrl}/eloverblik`,
    ELOVERBLIK_TOKEN: token,
    ELOVERBLIK_MIN_INTERVAL_MS: '0',
    ELOVERBLIK_HISTORY_DAYS: '50',
  })
  app.setNow(startIso)
  await app.records.system(async (tx) => {
    await tx
      .updateTable('customer')
      .set({ cvrs: Object.values(demoCvrs) })
      .where('key', '=', 'north')
      .execute()
  })
  sudoer = await app.tokenOf('sudoer@north.example')
}, 120_000)
afterAll(async () => {
  await app?.close()
  server?.close()
})
beforeEach(() => noFaults())

const addKey = (key: string) => app.ask(contract.addMeterGroup, { token: sudoer, body: { dataHub: { key } } })
/** The clock moves by days, so each look signs in anew. */
const groups = async () =>
  (await app.ask(contract.findMeterGroups, { token: await app.tokenOf('sudoer@north.example') })).body.data.groups

/** Switches meters on as a person does in their settings. */
const configure = async (names: string[]) => {
  const signal = await app.records.system((tx) =>
    tx
      .selectFrom('price_signal')
      .select('price_signal_id')
      .innerJoin('customer', 'customer.customer_id', 'price_signal.customer_id')
      .where('customer.key', '=', 'north')
      .executeTakeFirstOrThrow(),
  )
  for (const group of await groups())
    for (const meter of group.meterIdData) {
      const simulated = simulatedMeters.find(({ id }) => id === meter.meteringPointId)
      if (!simulated || !names.includes(simulated.name)) continue
      const body = {
        dataHub: { name: `${simulated.name} meter`, priceSignal: signal.price_signal_id, taxValue: 119, enabled: true },
      }
      await app.ask(contract.saveMeter, { token: sudoer, params: { groupId: group._id, meterId: meter.id }, body })
    }
}

describe('adding a key', () => {
  test('a power of attorney brings its meters, not switched on; a number without one is refused in the words of the specification', async () => {
    const added = await addKey(demoCvrs.nordhavn)
    expect(added.body).toMatchObject({ message: m.keyAdded, data: { warning: null } })
    const { meterIdData } = added.body.data.group
    expect(meterIdData).toHaveLength(8)
    expect(meterIdData.every(({ dataHub, configured }) => !dataHub.enabled && !configured)).toBe(true)
    expect(meterIdData.find(({ dataHub }) => dataHub.address.includes('Orientkaj 6'))).toMatchObject({ area: 'DK2' })
    expect((await addKey(demoCvrs.refused)).body.errors).toEqual({ 'dataHub.key': m.noAuthorization(demoCvrs.refused) })
    expect(await addKey(demoCvrs.nordhavn)).toMatchObject({ status: 409, body: { message: m.keyExists } })
  })

  test('S1 both tokens are sealed in the store, and one access token serves all requests of its 24 hours', async () => {
    const [kept] = (await row('connector_token')) as { refresh_sealed: Uint8Array; access_sealed: Uint8Array }[]
    expect(Buffer.from(kept?.refresh_sealed ?? []).includes(token.slice(0, 30))).toBe(false)
    expect(app.secret.unseal(kept?.refresh_sealed ?? new Uint8Array())).toBe(token)
    expect(asked.filter((path) => path.endsWith('/token'))).toHaveLength(1)
  })

  test.each([
    ['is down', { kind: 'down', times: 0 }, 503, m.eloverblikAway],
    ['refuses the token', { kind: 'refused', times: 0 }, 409, m.eloverblikToken],
  ])('where Eloverblik %s the person is told and nothing is half added', async (_, kind, status, message) => {
    await fault(kind)
    expect(await addKey(demoCvrs.free)).toMatchObject({ status, body: { message } })
    expect((await groups()).map(({ key }) => key)).toEqual([demoCvrs.nordhavn])
    await app.records.system((tx) => tx.updateTable('connector_state').set({ not_before: null, failures: 0 }).execute())
    await app.records.system((tx) => tx.updateTable('connector_token').set({ access_sealed: null }).execute())
    setNow(new Date(nowMs + 2 * 60_000).toISOString())
  })
})

describe('the sync', () => {
  test('asks in bundles, fetches what is switched on with its past, and asks nothing twice', async () => {
    await configure(
      simulatedMeters
        .filter(({ cvr }) => cvr === demoCvrs.nordhavn)
        .map(({ name }) => name)
        .slice(0, 7),
    )
    asked.splice(0)
    await run()
    const first = seriesAsked()
    // 14 days of the sync, then November and October: seven meters fit into one bundle each time.
    expect(first).toEqual(['2026-11-06 2026-11-20', '2026-11-01 2026-11-20', '2026-10-01 2026-11-01'])
    await run()
    expect(seriesAsked()).toEqual([])
    const days = await daysStored()
    expect(new Set(days.map(({ meter_id }) => meter_id)).size).toBe(7)
    expect(days.at(-1)?.day).toBe('2026-11-19')
    const [group] = await groups()
    expect(group?.meterIdData.find(({ dataHub }) => dataHub.name === 'Frost store 1 meter')).toMatchObject({
      lastRead: '2026-11-19T23:00:00.000Z',
      resolution: 'quarter',
      gridCompany: { name: 'Radius Elnet A/S', gln: '5790000705689' },
    })
    expect(group?.meterIdData.find(({ dataHub }) => dataHub.name === 'Office meter')?.resolution).toBe('hour')
  })

  test('goes again at 14:00 and at 07:30; a day that says the same gets no new version', async () => {
    setNow('2026-11-20T12:59:00Z')
    await run()
    expect(seriesAsked()).toEqual([])
    setNow('2026-11-20T13:00:00Z')
    await run()
    expect(seriesAsked()).toEqual(['2026-11-06 2026-11-20'])
    const before = await daysStored()
    expect(before.every(({ version }) => version === 1)).toBe(true)
    setNow('2026-11-21T06:30:00Z')
    await run()
    expect(seriesAsked()).toEqual(['2026-11-07 2026-11-21'])
    expect((await daysStored()).length).toBe(before.length + 7)
  })

  test('an estimate that is replaced by the measurement days later is a revision, and so is a correction', async () => {
    const versionsOf = (day: string) =>
      app.records.system((tx) =>
        tx.selectFrom('meter_day_revision').select(['day', 'corrected', 'quality']).where('day', '=', day).execute(),
      )
    setNow('2026-11-22T06:30:00Z')
    await run()
    const [estimate] = await versionsOf('2026-11-18')
    expect(estimate).toMatchObject({ corrected: true })
    expect(estimate?.quality).toMatch(/^e+$/)
    await fault({ kind: 'correction' })
    setNow('2026-11-22T13:00:00Z')
    await run()
    expect(await versionsOf('2026-11-21')).toHaveLength(7)
    seriesAsked()
  })

  test('a process that dies between asking and storing leaves its bundle to the next', async () => {
    setNow('2026-11-23T06:30:00Z')
    await app.records.system((tx) =>
      tx
        .updateTable('meter')
        .set({ claimed_until: new Date(nowMs + 120_000) })
        .execute(),
    )
    await run()
    expect(seriesAsked()).toEqual([])
    setNow('2026-11-23T06:32:00Z')
    await run()
    expect(seriesAsked()).toEqual(['2026-11-09 2026-11-23'])
  })
})

test('a backfill puts older months on the list and tells of each; what is there is not asked for again', async () => {
  const steps = []
  const request = { dataset: 'eloverblik' as const, from: '2026-08-15', to: '2026-10-31', again: false }
  for await (const step of watchMeters(app, request, { everyMs: 1, work: run })) steps.push(step)
  expect(steps.map((step) => ('month' in step ? step.month : `${step.there} of ${step.months}`))).toEqual([
    '1 of 3',
    '2026-09',
    '2026-08',
  ])
  expect(seriesAsked()).toEqual(['2026-09-01 2026-10-01', '2026-08-01 2026-09-01'])
})

describe('L4 faults of the source', () => {
  test('half an answer: the good half is kept, the other says why and is asked in the next sync', async () => {
    setNow('2026-11-23T13:00:00Z')
    await fault({ kind: 'half' })
    await run()
    seriesAsked()
    const problems = (await groups()).flatMap(({ meterIdData }) => meterIdData).filter(({ problem }) => problem)
    expect(problems.map(({ problem }) => problem)).toEqual(Array.from({ length: 3 }, () => '[20011] UnknownError'))
    setNow('2026-11-24T06:30:00Z')
    await run()
    expect((await groups()).flatMap(({ meterIdData }) => meterIdData).filter(({ problem }) => problem)).toEqual([])
    seriesAsked()
  })

  test.each([
    ['down', { kind: 'down' }, 'http: HTTP 503', true],
    ['429 without a word', { kind: '429', retryAfterS: 0 }, 'rate-limited: too many requests', true],
    ['a web page', { kind: 'html' }, 'html: a web page instead of data', false],
    ['cut off', { kind: 'truncated' }, 'not-json: not JSON', false],
    ['nothing for anybody', { kind: 'empty' }, null, false],
  ])(
    '%s: what is stored stays, the source is marked, and a minute later all is well',
    async (_, kind, error, isBusy) => {
      const days = (await daysStored()).length
      nowMs += 24 * hourMs
      const slot = `${today(nowMs)}T13:00:00Z`
      setNow(slot)
      await withAccess()
      await fault(kind)
      await run()
      seriesAsked()
      if (error) expect((await meterState())?.last_error).toContain(error)
      expect((await daysStored()).length).toBe(days)
      if (isBusy) expect(await run()).toBe(0)
      expect(seriesAsked()).toEqual([])
      setNow(new Date(nowMs + 61_000).toISOString())
      await run()
      if (error) {
        expect(seriesAsked()).toEqual([`${addDays(today(nowMs), -14)} ${today(nowMs)}`])
        expect((await meterState())?.last_error).toBe(null)
        expect((await daysStored()).length).toBeGreaterThan(days)
      }
    },
  )

  test('a token that was refused is replaced once and the request made again', async () => {
    nowMs += 24 * hourMs
    setNow(`${today(nowMs)}T13:00:00Z`)
    await withAccess()
    await app.records.system((tx) =>
      tx
        .updateTable('connector_token')
        .set({ access_sealed: app.secret.seal('revoked') })
        .execute(),
    )
    asked.splice(0)
    await run()
    expect(
      asked.map((path) =>
        path
          .split('/')
          .slice(2)
          .join('/')
          .replace(/\/\d.*/, ''),
      ),
    ).toEqual([
      ...['meterdata/gettimeseries', 'token', 'meterdata/gettimeseries'],
      `authorization/authorization/meteringpoints/customerCVR`, // the list of the day
    ])
  })
})

describe('meters that a company gets after its key was added', () => {
  const listsAsked = () =>
    asked
      .splice(0)
      .map((path) => path.replace('/eloverblik/', ''))
      .filter((path) => path.startsWith('authorization/') || path === 'meteringpoint/getdetails')
  const later = async () =>
    (await groups())
      .flatMap(({ meterIdData }) => meterIdData)
      .find(({ meteringPointId }) => meteringPointId === laterMeter?.id)
  const nextMorning = async () => {
    nowMs += 24 * hourMs
    setNow(`${today(nowMs)}T06:30:00Z`)
    await withAccess()
    asked.splice(0)
  }
  const list = `authorization/authorization/meteringpoints/customerCVR/${demoCvrs.nordhavn}`
  const ids = `authorization/authorization/meteringpointids/customerCVR/${demoCvrs.nordhavn}`

  test('appear with the first sync of the day, not switched on, and stand in the trail; each key is listed once a day', async () => {
    await nextMorning()
    await fault({ kind: 'new-meter' })
    await run()
    expect(listsAsked()).toEqual([list])
    expect(await later()).toMatchObject({
      configured: false,
      dataHub: { name: 'Sundkrogsgade 19, 2150 Nordhavn', enabled: false },
      area: 'DK2',
    })
    const entry = await app.records.system((tx) =>
      tx
        .selectFrom('audit_entry')
        .select(['who', 'subject', 'after'])
        .where('action', '=', 'data-hub.new-meters')
        .executeTakeFirstOrThrow(),
    )
    expect(entry).toEqual({ who: 'server', subject: demoCvrs.nordhavn, after: { meters: [laterMeter?.id] } })
    await run()
    // Its grid company is looked up, and nothing else.
    expect(listsAsked()).toEqual(['meteringpoint/getdetails'])
    setNow(`${today(nowMs)}T13:00:00Z`)
    await run()
    expect(listsAsked()).toEqual([])
    expect(await later()).toMatchObject({ gridCompany: { name: 'Radius Elnet A/S' } })
  })

  test('a power of attorney that was renewed is known the next day', async () => {
    await app.records.system((tx) => tx.updateTable('meter').set({ access_to: '2026-12-31' }).execute())
    await nextMorning()
    await run()
    const [meter] = (await groups())[0]?.meterIdData ?? []
    expect(Number(meter?.accessTo?.slice(0, 4))).toBeGreaterThan(2028)
  })

  test('a list that the source cannot make is asked for by ids, and only those that are new in full', async () => {
    await app.records.system((tx) =>
      tx
        .deleteFrom('meter')
        .where('metering_point_id', '=', laterMeter?.id ?? '')
        .execute(),
    )
    await nextMorning()
    await fault({ kind: 'new-meter' })
    await fault({ kind: 'no-list' })
    await run()
    expect(listsAsked()).toEqual([list, ids, 'meteringpoint/getdetails'])
    expect(await later()).toMatchObject({ area: 'DK2', gridCompany: { gln: '5790000705689' } })
    // The source is not marked for it.
    expect(await meterState()).toMatchObject({ last_error: null, failures: 0 })
    await run()
    expect(listsAsked()).toEqual([])
  })

  test('a person who adds a key then gets all of its meters, ten in a request', async () => {
    sudoer = await app.tokenOf('sudoer@north.example')
    asked.splice(0)
    await fault({ kind: 'no-list' })
    const added = await addKey(demoCvrs.free)
    expect(added.body.data.group.meterIdData.map(({ dataHub }) => dataHub.address)).toEqual([
      'Færgehavnsvej 20, 2150 Nordhavn',
      'Færgehavnsvej 22, 2150 Nordhavn',
    ])
    expect(listsAsked().slice(1)).toEqual([
      list.replace(demoCvrs.nordhavn, demoCvrs.free),
      ids.replace(demoCvrs.nordhavn, demoCvrs.free),
      'meteringpoint/getdetails',
    ])
  })

  test("T1 a key that is no longer the customer's is not listed", async () => {
    await app.records.system((tx) =>
      tx
        .updateTable('customer')
        .set({ cvrs: [demoCvrs.free] })
        .where('key', '=', 'north')
        .execute(),
    )
    await nextMorning()
    await run()
    expect(listsAsked()).toEqual([list.replace(demoCvrs.nordhavn, demoCvrs.free)])
  })

  test('a key whose list fails waits ten minutes for its next try', async () => {
    await app.records.system((tx) =>
      tx
        .updateTable('customer')
        .set({ cvrs: [demoCvrs.nordhavn] })
        .where('key', '=', 'north')
        .execute(),
    )
    await nextMorning()
    await run()
    await app.records.system((tx) => tx.updateTable('meter_group').set({ listed_at: null }).execute())
    asked.splice(0)
    await fault({ kind: 'down', times: 0 })
    await run()
    expect(listsAsked()).toEqual([list])
    await noFaults()
    setNow(new Date(nowMs + 5 * 60_000).toISOString())
    await run()
    expect(listsAsked()).toEqual([])
    setNow(new Date(nowMs + 6 * 60_000).toISOString())
    await run()
    expect(listsAsked()).toEqual([list])
  })
})

describe('the end of the refresh token', () => {
  const mails = () =>
    app.records.system((tx) => tx.selectFrom('outbox').select('payload').where('kind', '=', 'mail').execute())

  test('is told to the operator 30, 7 and 1 days ahead, once each', async () => {
    const told = []
    for (const day of ['2027-04-30', '2027-05-02', '2027-05-03', '2027-05-25', '2027-05-26', '2027-05-31']) {
      setNow(`${day}T02:00:00Z`)
      await run()
      told.push((await mails()).length)
    }
    expect(told).toEqual([0, 1, 1, 2, 2, 3])
    const sources = await readSources(app, nowMs)
    expect(sources.find(({ source }) => source === 'eloverblik: Token')?.detail).toBe(
      'The refresh token ends on 01.06.2027',
    )
    expect(JSON.stringify((await mails())[0]?.payload)).toContain('the refresh token ends on 01.06.2027')
  })
})
