import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { today } from '@gridmast/contract/time.ts'
import { openHub } from './eloverblik.fixture.ts'
import { demoCvrs, laterMeter } from './meters.ts'
import { changeRows, storedRow } from '../../server/src/testing/rows.ts'

const hub = await openHub()
await hub.addKey(demoCvrs.nordhavn)
await hub.run()
hub.asked.splice(0)
afterAll(() => hub?.close())
beforeEach(() => hub.noFaults())

describe('meters added to a power of attorney', () => {
  const listsAsked = () =>
    hub.asked
      .splice(0)
      .map((path) => path.replace('/eloverblik/', ''))
      .filter((path) => path.startsWith('authorization/') || path === 'meteringpoint/getdetails')
  const later = async () =>
    (await hub.groups())
      .flatMap(({ meterIdData }) => meterIdData)
      .find(({ meteringPointId }) => meteringPointId === laterMeter?.id)
  const nextMorning = async () => {
    hub.toNextDay('T06:30:00Z')
    await hub.withAccess()
    hub.asked.splice(0)
  }
  const list = `authorization/authorization/meteringpoints/customerCVR/${demoCvrs.nordhavn}`
  const ids = `authorization/authorization/meteringpointids/customerCVR/${demoCvrs.nordhavn}`

  test('new meters appear disabled with the first sync of the day and are on the trail; a key is listed once a day', async () => {
    await nextMorning()
    await hub.fault({ kind: 'new-meter' })
    await hub.run()
    expect(listsAsked()).toEqual([list])
    expect(await later()).toMatchObject({
      configured: false,
      dataHub: { name: 'Sundkrogsgade 19, 2150 Nordhavn', enabled: false },
      area: 'DK2',
    })
    const entry = await storedRow(hub.app.records, 'audit_entry', { action: 'data-hub.new-meters' }, [
      'who',
      'subject',
      'after',
    ])
    expect(entry).toEqual({ who: 'server', subject: demoCvrs.nordhavn, after: { meters: [laterMeter?.id] } })
    await hub.run()
    expect(listsAsked()).toEqual(['meteringpoint/getdetails'])
    hub.setNow(`${today(hub.now())}T13:00:00Z`)
    await hub.run()
    expect(listsAsked()).toEqual([])
    expect(await later()).toMatchObject({ gridCompany: { name: 'Radius Elnet A/S' } })
  })

  test('a renewed power of attorney is stored the next day', async () => {
    await changeRows(hub.app.records, 'meter', {}, { access_to: '2026-12-31' })
    await nextMorning()
    await hub.run()
    const [meter] = (await hub.groups())[0]?.meterIdData ?? []
    expect(Number(meter?.accessTo?.slice(0, 4))).toBeGreaterThan(2028)
  })

  test('a list that the source refuses is requested by ids, with full details of new meters only', async () => {
    await hub.app.records.system((tx) =>
      tx
        .deleteFrom('meter')
        .where('metering_point_id', '=', laterMeter?.id ?? '')
        .execute(),
    )
    await nextMorning()
    await hub.fault({ kind: 'new-meter' })
    await hub.fault({ kind: 'no-list' })
    await hub.run()
    expect(listsAsked()).toEqual([list, ids, 'meteringpoint/getdetails'])
    expect(await later()).toMatchObject({ area: 'DK2', gridCompany: { gln: '5790000705689' } })
    expect(await hub.meterState()).toMatchObject({ last_error: null, failures: 0 })
    await hub.run()
    expect(listsAsked()).toEqual([])
  })

  test('a new key has all of its meters added, ten per request, with progress', async () => {
    hub.asked.splice(0)
    await hub.fault({ kind: 'no-list' })
    const { customer_id } = await storedRow(hub.app.records, 'customer', { key: 'north' }, ['customer_id'])
    const told: unknown[] = []
    const stop = hub.app.live.subscribe(customer_id, (event, data) => void (event === 'progress' && told.push(data)))
    const added = await hub.addKey(demoCvrs.free, 'keys')
    stop()
    expect(told).toEqual([{ watch: 'keys', done: 0, total: 2 }])
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

  test('T1 a key deleted by the customer is not listed', async () => {
    await changeRows(hub.app.records, 'customer', { key: 'north' }, { cvrs: [demoCvrs.free] })
    await nextMorning()
    await hub.run()
    expect(listsAsked()).toEqual([list.replace(demoCvrs.nordhavn, demoCvrs.free)])
  })

  test('a key with a failed list is retried after ten minutes', async () => {
    await changeRows(hub.app.records, 'customer', { key: 'north' }, { cvrs: [demoCvrs.nordhavn] })
    await nextMorning()
    await hub.run()
    await changeRows(hub.app.records, 'meter_group', {}, { listed_at: null })
    hub.asked.splice(0)
    await hub.fault({ kind: 'down', times: 0 })
    await hub.run()
    expect(listsAsked()).toEqual([list])
    await hub.noFaults()
    hub.setNow(new Date(hub.now() + 5 * 60_000).toISOString())
    await hub.run()
    expect(listsAsked()).toEqual([])
    hub.setNow(new Date(hub.now() + 6 * 60_000).toISOString())
    await hub.run()
    expect(listsAsked()).toEqual([list])
  })
})
