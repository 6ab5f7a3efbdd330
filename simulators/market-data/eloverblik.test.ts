import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { m } from '@gridmast/contract/messages.ts'
import { datesBetween } from '@gridmast/contract/time.ts'
import { watchMeters } from '../../server/src/meters/data-hub/sync.ts'
import { readSources } from '../../server/src/operator/system/sources.ts'
import { openHub, refreshToken, sevenMeters } from './eloverblik.fixture.ts'
import { demoCvrs } from './meters.ts'
import { changeRows, storedRows } from '../../server/src/testing/rows.ts'

const hub = await openHub()
afterAll(() => hub?.close())
beforeEach(() => hub.noFaults())

describe('adding a key', () => {
  test('a power of attorney adds its meters disabled, and a number without one is refused with the message of the specification', async () => {
    const added = await hub.addKey(demoCvrs.nordhavn)
    expect(added.body).toMatchObject({ message: m.keyAdded, data: { warning: null } })
    const { meterIdData } = added.body.data.group
    expect(meterIdData).toHaveLength(8)
    expect(meterIdData.every(({ dataHub, configured }) => !dataHub.enabled && !configured)).toBe(true)
    expect(meterIdData.find(({ dataHub }) => dataHub.address.includes('Orientkaj 6'))).toMatchObject({ area: 'DK2' })
    expect((await hub.addKey(demoCvrs.refused)).body.errors).toEqual({
      'dataHub.key': m.noAuthorization(demoCvrs.refused),
    })
    expect(await hub.addKey(demoCvrs.nordhavn)).toMatchObject({ status: 409, body: { message: m.keyExists } })
  })

  test('S1 both tokens are stored encrypted, and one access token is used for its 24 hours', async () => {
    const kept = await hub.app.records.system((tx) =>
      tx.selectFrom('connector_token').select('refresh_sealed').executeTakeFirstOrThrow(),
    )
    expect(Buffer.from(kept.refresh_sealed).includes(refreshToken.slice(0, 30))).toBe(false)
    expect(hub.app.secret.unseal(kept.refresh_sealed)).toBe(refreshToken)
    expect(hub.asked.filter((path) => path.endsWith('/token'))).toHaveLength(1)
  })

  test.each([
    ['is down', { kind: 'down', times: 0 }, 503, m.eloverblikAway],
    ['refuses the token', { kind: 'refused', times: 0 }, 409, m.eloverblikToken],
  ])('where Eloverblik %s the error is reported and nothing is stored', async (_, kind, status, message) => {
    await hub.fault(kind)
    expect(await hub.addKey(demoCvrs.free)).toMatchObject({ status, body: { message } })
    expect((await hub.groups()).map(({ key }) => key)).toEqual([demoCvrs.nordhavn])
    await changeRows(hub.app.records, 'connector_state', {}, { not_before: null, failures: 0 })
    await changeRows(hub.app.records, 'connector_token', {}, { access_sealed: null })
    hub.setNow(new Date(hub.now() + 2 * 60_000).toISOString())
  })
})

describe('the sync', () => {
  test('meters are requested in bundles with their past, and nothing twice', async () => {
    await hub.configure(sevenMeters)
    hub.asked.splice(0)
    await hub.run()
    const first = hub.seriesAsked()
    // 14 days of the sync, then November and October: seven meters fit into one bundle each time.
    expect(first).toEqual(['2026-11-06 2026-11-20', '2026-11-01 2026-11-20', '2026-10-01 2026-11-01'])
    await hub.run()
    expect(hub.seriesAsked()).toEqual([])
    const days = await hub.daysStored()
    expect(new Set(days.map(({ meter_id }) => meter_id)).size).toBe(7)
    expect(days.at(-1)?.day).toBe('2026-11-19')
    const [group] = await hub.groups()
    expect(group?.meterIdData.find(({ dataHub }) => dataHub.name === 'Fryserum 1 meter')).toMatchObject({
      lastRead: '2026-11-19T23:00:00.000Z',
      resolution: 'quarter',
      gridCompany: { name: 'Radius Elnet A/S', gln: '5790000705689' },
    })
    expect(group?.meterIdData.find(({ dataHub }) => dataHub.name === 'Kontor meter')?.resolution).toBe('hour')
  })

  test('the sync runs at 14:00 and 07:30, and an unchanged day has no new version', async () => {
    hub.setNow('2026-11-20T12:59:00Z')
    await hub.run()
    expect(hub.seriesAsked()).toEqual([])
    hub.setNow('2026-11-20T13:00:00Z')
    await hub.run()
    expect(hub.seriesAsked()).toEqual(['2026-11-06 2026-11-20'])
    const before = await hub.daysStored()
    expect(before.every(({ version }) => version === 1)).toBe(true)
    hub.setNow('2026-11-21T06:30:00Z')
    await hub.run()
    expect(hub.seriesAsked()).toEqual(['2026-11-07 2026-11-21'])
    expect((await hub.daysStored()).length).toBe(before.length + 7)
  })

  test('a measurement that replaces an estimate and a correction are revisions', async () => {
    const versionsOf = (day: string) =>
      storedRows(hub.app.records, 'meter_day_revision', { day }, ['day', 'corrected', 'quality'])
    hub.setNow('2026-11-22T06:30:00Z')
    await hub.run()
    const [estimate] = await versionsOf('2026-11-18')
    expect(estimate).toMatchObject({ corrected: true })
    expect(estimate?.quality).toMatch(/^e+$/)
    await hub.fault({ kind: 'correction' })
    hub.setNow('2026-11-22T13:00:00Z')
    await hub.run()
    expect(await versionsOf('2026-11-21')).toHaveLength(7)
    hub.seriesAsked()
  })

  test('a bundle of a process that died before storing is requested by the next one', async () => {
    hub.setNow('2026-11-23T06:30:00Z')
    await changeRows(hub.app.records, 'meter', {}, { claimed_until: new Date(hub.now() + 120_000) })
    await hub.run()
    expect(hub.seriesAsked()).toEqual([])
    hub.setNow('2026-11-23T06:32:00Z')
    await hub.run()
    expect(hub.seriesAsked()).toEqual(['2026-11-09 2026-11-23'])
  })
})

test('days missed by the sync are imported once with the next one', async () => {
  const days = async () => new Set((await hub.daysStored()).map(({ day }) => day))
  hub.setNow('2027-01-20T06:30:00Z')
  await hub.run()
  expect(hub.seriesAsked()).toEqual([
    '2027-01-06 2027-01-20',
    '2027-01-01 2027-01-20',
    '2026-12-01 2027-01-01',
    '2026-11-01 2026-12-01',
  ])
  const stored = await days()
  expect(stored).toEqual(new Set(datesBetween('2026-10-01', '2027-01-19')))
  hub.setNow('2027-01-20T13:00:00Z')
  await hub.run()
  expect(hub.seriesAsked()).toEqual(['2027-01-06 2027-01-20'])
})

test('a backfill lists older months, reports each and requests no stored one', async () => {
  const steps = []
  const request = { dataset: 'eloverblik' as const, from: '2026-08-15', to: '2026-10-31', again: false }
  for await (const step of watchMeters(hub.app, request, { everyMs: 1, work: hub.run })) steps.push(step)
  expect(steps.map((step) => ('month' in step ? step.month : `${step.there} of ${step.months}`))).toEqual([
    '1 of 3',
    '2026-09',
    '2026-08',
  ])
  expect(hub.seriesAsked()).toEqual(['2026-09-01 2026-10-01', '2026-08-01 2026-09-01'])
})

describe('the expiry of the refresh token', () => {
  const mails = () => storedRows(hub.app.records, 'outbox', { kind: 'mail' }, ['payload'])

  test('the operator is notified once 30, 7 and 1 days before the expiry', async () => {
    const told = []
    for (const day of ['2027-04-30', '2027-05-02', '2027-05-03', '2027-05-25', '2027-05-26', '2027-05-31']) {
      hub.setNow(`${day}T02:00:00Z`)
      await hub.run()
      told.push((await mails()).length)
    }
    expect(told).toEqual([0, 1, 1, 2, 2, 3])
    const sources = await readSources(hub.app, hub.now())
    expect(sources.find(({ source }) => source === 'eloverblik: Token')?.detail).toBe(
      'The refresh token ends on 01.06.2027',
    )
    expect(JSON.stringify((await mails())[0]?.payload)).toContain('the refresh token ends on 01.06.2027')
  })
})
