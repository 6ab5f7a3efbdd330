import * as sites from '@gridmast/contract/charging/charging-sites.ts'
import * as contract from '@gridmast/contract/charging/sessions.ts'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { App } from '#context.ts'
import { idOf } from '#platform/records/ids.ts'
import { openLive } from '#platform/http/live.ts'
import { openMetrics } from '#platform/process/metrics.ts'
import { openBus } from '#platform/messaging/bus.ts'
import { openTestApp, type TestApp } from '#testing/app.ts'
import { changeRows, storedRow, storedRows } from '#testing/rows.ts'
import {
  addChargers,
  addTags,
  type Connect,
  connectCharger,
  iso,
  openDoor,
  type TestCharger,
} from './charger.fixture.ts'

type Door = Awaited<ReturnType<typeof openDoor>>

describe.skipIf(!process.env['TEST_DATABASE_URL'])('two processes with the role ocpp on one PostgreSQL', () => {
  let app: TestApp
  let second: App
  let here: Door
  let there: Door
  let token: string
  const open: TestCharger[] = []
  beforeAll(async () => {
    app = await openTestApp()
    if (!app.records.server) throw new Error('not a server')
    await addChargers(
      app.records,
      ['one', 'two', 'moving', 'left', 'site-1', 'site-2'].map((identity) => ({ identity })),
    )
    await addTags(app.records, [{ tag: 'ANNA' }, { tag: 'BERT' }])
    await app.byHand((tx) => tx.updateTable('charger').set({ connectors: 1 }).execute())
    const bus = await openBus(app)
    second = { ...app, bus, live: openLive(bus), metrics: openMetrics() }
    here = await openDoor(app)
    there = await openDoor(second)
    token = await app.tokenOf('sudoer@north.example')
  })
  afterEach(async () => {
    for (const charger of open.splice(0)) await charger.close()
  })
  afterAll(async () => {
    await here.close()
    await there.close()
    second.live.close()
    await second.bus.close()
    await app.close()
  })

  const connect = async (door: Door, identity: string, options?: Connect) => {
    const charger = await connectCharger(door.port, identity, options)
    open.push(charger)
    return charger
  }
  const chargerId = (identity: string) => idOf('charger', 'north', identity)
  const rowOf = (identity: string) => storedRow(app.records, 'charger', { identity }, ['online', 'generation'])
  const remoteStart = async (identity: string) => {
    const body = { chargerId: chargerId(identity), connectorId: 1 }
    return await app.data(contract.remoteStart, { token, body })
  }
  const starts = ({ asked }: TestCharger) => asked.filter(({ action }) => action === 'RemoteStartTransaction')

  test('C3 a remote start from either process reaches its charger once', async () => {
    const [one, two] = [await connect(here, 'one'), await connect(there, 'two')]
    expect([(await rowOf('one')).online, (await rowOf('two')).online]).toEqual([true, true])
    expect(await remoteStart('two')).toEqual({ status: 'Accepted', accepted: true })
    expect(await remoteStart('one')).toEqual({ status: 'Accepted', accepted: true })
    expect([starts(one).length, starts(two).length]).toEqual([1, 1])
  })

  test('D2 a charger that reconnects to the other process closes its old socket and keeps its session', async () => {
    const old = await connect(here, 'moving')
    const start = { connectorId: 1, idTag: 'ANNA', meterStart: 1000, timestamp: iso(60) }
    const first = await old.call('StartTransaction', start, 's-1')
    const moved = await connect(there, 'moving')
    await old.closed
    const again = await moved.call('StartTransaction', start, 's-1')
    expect(again.text).toBe(first.text)
    expect(await rowOf('moving')).toEqual({ online: true, generation: 2 })
    const { transactionId } = first.payload
    const stop = { transactionId, meterStop: 1900, timestamp: iso(1), idTag: 'ANNA' }
    const ended = await moved.call('StopTransaction', stop, 's-2')
    expect(await remoteStart('moving')).toMatchObject({ accepted: true })
    expect([starts(old).length, starts(moved).length]).toEqual([0, 1])
    const back = await connect(here, 'moving')
    await moved.closed
    expect((await back.call('StopTransaction', stop, 's-3')).payload).toEqual(ended.payload)
    const rows = await storedRows(app.records, 'charger_transaction', { charger_id: chargerId('moving') }, [
      'state',
      'consumption_wh',
    ])
    expect(rows).toEqual([{ state: 'ended', consumption_wh: '900.000' }])
  })

  test('chargers of a site share its limit across processes', async () => {
    const limits = new Map<string, number>()
    const onAsked: (identity: string) => Connect['onAsked'] = (identity) => (asked) => {
      const profile = asked.payload['csChargingProfiles'] as
        | { chargingProfilePurpose: string; chargingSchedule: { chargingSchedulePeriod: { limit: number }[] } }
        | undefined // frames of our own server
      if (profile?.chargingProfilePurpose === 'TxProfile')
        limits.set(identity, profile.chargingSchedule.chargingSchedulePeriod[0]?.limit ?? NaN)
      return { status: 'Accepted' }
    }
    const chargers = [
      await connect(here, 'site-1', { onAsked: onAsked('site-1') }),
      await connect(there, 'site-2', { onAsked: onAsked('site-2') }),
    ]
    const ids = ['site-1', 'site-2'].map((identity) => ({ chargerId: chargerId(identity), phases: 'L1L2L3' as const }))
    const body = { name: 'Both', limitA: 40, fallbackA: 0, chargers: ids }
    expect((await app.ask(sites.addChargingSite, { token, body })).status).toBe(200)
    const tags = ['ANNA', 'BERT']
    for (const [i, charger] of chargers.entries())
      await charger.call('StartTransaction', { connectorId: 1, idTag: tags[i], meterStart: 0, timestamp: iso(5) })
    await expect.poll(() => Object.fromEntries(limits)).toEqual({ 'site-1': 20, 'site-2': 20 })
  })

  test('the chargers of a silent process are offline until it reports again', async () => {
    await connect(there, 'left')
    const silent = () => changeRows({ system: app.byHand }, 'ocpp_process', {}, { alive_at: new Date(0) })
    await silent()
    await here.beat()
    expect((await rowOf('left')).online).toBe(false)
    await there.beat()
    expect((await rowOf('left')).online).toBe(true)
    await here.beat()
    expect((await rowOf('left')).online).toBe(true)
  })
})
