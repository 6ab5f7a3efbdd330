import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { addDays, datesBetween, today } from '@gridmast/contract/time.ts'
import { openHub, sevenMeters } from './eloverblik.fixture.ts'
import { demoCvrs } from './meters.ts'
import { changeRows } from '../../server/src/testing/rows.ts'

const hub = await openHub('2026-11-23T06:32:00Z')
await hub.addKey(demoCvrs.nordhavn)
await hub.configure(sevenMeters)
await hub.run()
hub.asked.splice(0)
afterAll(() => hub?.close())
beforeEach(() => hub.noFaults())

describe('L4 faults of the source', () => {
  test('a partial answer stores its valid part, and the other meters state the reason and are retried', async () => {
    hub.setNow('2026-11-23T13:00:00Z')
    await hub.fault({ kind: 'half' })
    await hub.run()
    hub.seriesAsked()
    const problems = (await hub.groups()).flatMap(({ meterIdData }) => meterIdData).filter(({ problem }) => problem)
    expect(problems.map(({ problem }) => problem)).toEqual(Array.from({ length: 3 }, () => '[20011] UnknownError'))
    hub.setNow('2026-11-24T06:30:00Z')
    await hub.run()
    expect((await hub.groups()).flatMap(({ meterIdData }) => meterIdData).filter(({ problem }) => problem)).toEqual([])
    hub.seriesAsked()
  })

  test('meters after weeks of failures have the missing days imported', async () => {
    await hub.fault({ kind: 'half', times: 0 })
    for (const day of ['2026-11-30', '2026-12-14', '2026-12-28']) {
      hub.setNow(`${day}T06:30:00Z`)
      await hub.run()
    }
    await hub.noFaults()
    hub.setNow('2026-12-28T13:00:00Z')
    hub.seriesAsked()
    await hub.run()
    expect(hub.seriesAsked()).toEqual(['2026-12-14 2026-12-28', '2026-12-01 2026-12-28', '2026-11-01 2026-12-01'])
    const stored = Map.groupBy(await hub.daysStored(), ({ meter_id }) => meter_id)
    expect([...stored.values()].map((days) => days.map(({ day }) => day))).toEqual(
      Array.from({ length: 7 }, () => datesBetween('2026-10-01', '2026-12-27')),
    )
  })

  test.each([
    ['down', { kind: 'down' }, 'http: HTTP 503', true],
    ['429 without a body', { kind: '429', retryAfterS: 0 }, 'rate-limited: too many requests', true],
    ['a web page', { kind: 'html' }, 'html: a web page instead of data', false],
    ['cut off', { kind: 'truncated' }, 'not-json: not JSON', false],
    ['an empty answer', { kind: 'empty' }, null, false],
  ])(
    '%s: stored readings are kept, the source is marked, and the sync succeeds a minute later',
    async (_, kind, error, isBusy) => {
      const days = (await hub.daysStored()).length
      hub.toNextDay('T13:00:00Z')
      await hub.withAccess()
      await hub.fault(kind)
      await hub.run()
      hub.seriesAsked()
      if (error) expect((await hub.meterState())?.last_error).toContain(error)
      expect((await hub.daysStored()).length).toBe(days)
      if (isBusy) expect(await hub.run()).toBe(0)
      expect(hub.seriesAsked()).toEqual([])
      hub.setNow(new Date(hub.now() + 61_000).toISOString())
      await hub.run()
      if (error) {
        expect(hub.seriesAsked()).toEqual([`${addDays(today(hub.now()), -14)} ${today(hub.now())}`])
        expect((await hub.meterState())?.last_error).toBe(null)
        expect((await hub.daysStored()).length).toBeGreaterThan(days)
      }
    },
  )

  test('a refused access token is replaced once and the request repeated', async () => {
    hub.toNextDay('T13:00:00Z')
    await hub.withAccess()
    await changeRows(hub.app.records, 'connector_token', {}, { access_sealed: hub.app.secret.seal('revoked') })
    hub.asked.splice(0)
    await hub.run()
    expect(
      hub.asked.map((path) =>
        path
          .split('/')
          .slice(2)
          .join('/')
          .replace(/\/\d.*/, ''),
      ),
    ).toEqual([
      'meterdata/gettimeseries',
      'token',
      'meterdata/gettimeseries',
      `authorization/authorization/meteringpoints/customerCVR`,
    ])
  })
})
