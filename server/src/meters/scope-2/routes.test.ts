import { removeMeterGroup } from '@gridmast/contract/meters/data-hub.ts'
import { m } from '@gridmast/contract/messages.ts'
import * as contract from '@gridmast/contract/meters/scope-2.ts'
import { dayBounds, hourMs } from '@gridmast/contract/time.ts'
import { afterAll, expect, test } from 'vitest'
import { dayOf, lastOnTrail, openDataHub, point, putMeter, putReadings } from '#testing/meters.ts'
import { storedRows } from '#testing/rows.ts'
import { addPublicSignal } from '#testing/signals.ts'

const { app, sudoer, west } = await openDataHub()
const auditor = await app.tokenOf('auditor@north.example')
const signalNo = await addPublicSignal(app.records, 'DK2', 'co2')
afterAll(() => app.close())

const putFactors = (day: string, grams: (hour: number) => number | null) => {
  const { fromMs, toMs } = dayBounds(day)
  const values = Array.from({ length: ((toMs - fromMs) / hourMs) * 12 }, (_, i) => {
    const mean = grams(Math.floor(i / 12))
    return mean === null ? null : mean + (i % 2 === 0 ? 5 : -5)
  })
  return app.readings.insert([{ signalNo, t0Ms: fromMs, dtMs: 300_000, values }])
}
let minutes = 0
const make = (meters: string[], startDate: string, endDate = startDate, token = sudoer) => {
  app.setNow(`2026-11-22T10:${String(++minutes).padStart(2, '0')}:00Z`)
  return app.ask(contract.makeScopeReport, { token, body: { meters, startDate, endDate } })
}
const madeOf = async (...asked: Parameters<typeof make>) => {
  const { status, body } = await make(...asked)
  expect(status, body.message).toBe(200)
  return body.data
}
const file = (reportId: string, query: Record<string, string>, token = sudoer) =>
  app.ask(contract.scopeReportFile, { token, params: { reportId }, query })

test('each hour is multiplied by its grid emission, by meter, CVR, site and month', async () => {
  const [a, b] = [
    await putMeter(app, { point: point(), name: 'Cold store' }),
    await putMeter(app, { cvr: '99000015', point: point(), name: 'Heat pump' }),
  ]
  await putFactors('2026-11-10', (hour) => 100 + hour)
  await putReadings(app, a, [dayOf('2026-11-10', () => 250)])
  await putReadings(app, b, [dayOf('2026-11-10', (hour) => (hour < 12 ? 2000 : 0), { step: 'hour' })])
  const { report, isNew } = await madeOf([a.meter_id, b.meter_id], '2026-11-10')
  const ofA = Array.from({ length: 24 }, (_, hour) => (100 + hour) / 1000).reduce((x, y) => x + y)
  const ofB = Array.from({ length: 12 }, (_, hour) => (2 * (100 + hour)) / 1000).reduce((x, y) => x + y)
  expect(isNew).toBe(true)
  expect(report.total).toMatchObject({
    kwh: '48.000',
    kwhWithoutFactor: '0.000',
    hours: { all: 48, measured: 48, estimated: 0, incomplete: 0, missing: 0, withoutFactor: 0 },
  })
  expect(report.total.kgCo2).toBeCloseTo(ofA + ofB, 9)
  expect(report.meterRows.map(({ name, area, kwh, days }) => [name, area, kwh, days])).toEqual([
    ['Cold store', 'DK2', '24.000', { read: 1, revised: 0, version: 1 }],
    ['Heat pump', 'DK2', '24.000', { read: 1, revised: 0, version: 1 }],
  ])
  expect(report.meterRows.map(({ kgCo2 }) => kgCo2?.toFixed(6))).toEqual([ofA.toFixed(6), ofB.toFixed(6)])
  expect(report.keys.map(({ key, meters, kwh }) => [key, meters, kwh])).toEqual([
    ['99000007', 1, '24.000'],
    ['99000015', 1, '24.000'],
  ])
  expect(report.sites).toMatchObject([{ site: '', meters: 2, kwh: '48.000' }])
  expect(report.months).toMatchObject([{ month: '2026-11', kwh: '48.000' }])
  expect(report.factors).toMatchObject([
    { area: 'DK2', source: { dataset: 'CO2Emis' }, hours: 24, published: 24, mean: 111.5, lowest: 100, highest: 123 },
  ])
  expect(await lastOnTrail(app, 'scope-2.make')).toMatchObject({
    subject: '2026-11-10 to 2026-11-10',
    after: { report: report._id, meters: 2, inputs: report.inputs },
  })
})

test('missing readings, estimates and hours without a factor are stated and not counted', async () => {
  const meter = await putMeter(app, { point: point() })
  await putFactors('2026-11-11', (hour) => (hour < 6 ? null : 100))
  await putReadings(app, meter, [dayOf('2026-11-11', (i) => (i >= 88 ? null : 1000), { quality: 'e' })])
  const { report } = await madeOf([meter.meter_id], '2026-11-11', '2026-11-12')
  expect(report.total).toEqual({
    kwh: '88.000',
    kgCo2: 6.4,
    kwhWithoutFactor: '24.000',
    hours: { all: 48, measured: 0, estimated: 22, incomplete: 0, missing: 26, withoutFactor: 6 },
  })
  expect(report.factors).toMatchObject([{ hours: 48, published: 18 }])
})

test('a corrected reading or emission is flagged in the report that used it and used by the next one; both reports are unchanged', async () => {
  const meter = await putMeter(app, { point: point(), name: 'Corrected' })
  await putFactors('2026-11-13', () => 100)
  await putReadings(app, meter, [dayOf('2026-11-13', () => 1000)])
  const asked = [[meter.meter_id], '2026-11-13', '2026-11-14'] as const
  const first = await madeOf([...asked[0]], asked[1], asked[2])
  const again = await make([...asked[0]], asked[1], asked[2])
  expect([again.body.message, again.body.data.isNew, again.body.data.report._id]).toEqual([
    m.scopeReportSame,
    false,
    first.report._id,
  ])
  const before = (await file(first.report._id, { format: 'csv' })).text
  await putReadings(app, meter, [dayOf('2026-11-13', (i) => (i === 40 ? 3000 : 1000)), dayOf('2026-11-14', () => 500)])
  await putFactors('2026-11-13', (hour) => (hour === 23 ? 200 : 100))
  const seen = await app.ask(contract.getScopeReport, { token: sudoer, params: { reportId: first.report._id } })
  expect(seen.body.data.report).toEqual({ ...first.report, since: { days: 2, factorHours: 1, goneMeters: 0 } })
  const { report, isNew } = await madeOf([...asked[0]], asked[1], asked[2])
  expect(isNew).toBe(true)
  expect(report.inputs).not.toBe(first.report.inputs)
  expect(report.changes).toEqual({
    previous: { _id: first.report._id, madeAt: first.report.madeAt, kwh: '96.000', kgCo2: 9.6 },
    days: [
      {
        meter: 'Corrected',
        day: '2026-11-13',
        before: { version: 1, kwh: '96.000' },
        after: { version: 2, kwh: '98.000' },
      },
      {
        meter: 'Corrected',
        day: '2026-11-14',
        before: { version: 0, kwh: null },
        after: { version: 1, kwh: '48.000' },
      },
    ],
    dayCount: 2,
    factorHours: [{ area: 'DK2', hours: 1 }],
  })
  expect(report.meterRows[0]?.days).toEqual({ read: 2, revised: 1, version: 2 })
  expect(report.since).toEqual({ days: 0, factorHours: 0, goneMeters: 0 })
  expect((await file(first.report._id, { format: 'csv' })).text.split('\r\n').slice(1)).toEqual(
    before.split('\r\n').slice(1),
  )
  expect((await file(report._id, { format: 'csv' })).text).toMatch(/,6,1,,,100,0\.6,2,/)
})

test('the report of a deleted meter keeps its totals and states the deletion', async () => {
  const meter = await putMeter(app, { cvr: '99000023', point: point(), name: 'Gone' })
  await putReadings(app, meter, [dayOf('2026-11-15', () => 100)])
  const { report } = await madeOf([meter.meter_id], '2026-11-15')
  await app.ask(removeMeterGroup, { token: sudoer, params: { groupId: meter.group_id } })
  const { body } = await app.ask(contract.getScopeReport, { token: sudoer, params: { reportId: report._id } })
  expect(body.data.report).toEqual({ ...report, since: { days: 0, factorHours: 0, goneMeters: 1 } })
  const hours = (await file(report._id, { format: 'csv' })).text.trim().split('\r\n')
  expect(hours).toHaveLength(1)
  expect(hours[0]).toContain('Deleted meters')
  expect((await file(report._id, { format: 'csv', rows: 'meters' })).text).toContain('Gone,')
})

test('C4 sudoer and expert delete a report, with an entry on the trail; the next report stays readable', async () => {
  const meter = await putMeter(app, { cvr: '99000031', point: point(), name: 'Twice' })
  await putReadings(app, meter, [dayOf('2026-11-16', () => 1000)])
  const first = (await madeOf([meter.meter_id], '2026-11-16')).report
  await putReadings(app, meter, [dayOf('2026-11-16', () => 2000)])
  const second = (await madeOf([meter.meter_id], '2026-11-16')).report
  const remove = (token: string) => app.ask(contract.removeScopeReport, { token, params: { reportId: first._id } })
  expect([(await remove(auditor)).status, (await remove(west)).status]).toEqual([403, 404])
  expect((await remove(await app.tokenOf('expert@north.example'))).body.message).toBe(m.scopeReportDeleted)
  expect((await remove(sudoer)).status).toBe(404)
  expect(await lastOnTrail(app, 'scope-2.remove')).toMatchObject({
    subject: '2026-11-16 to 2026-11-16',
    before: { report: first._id, meters: 1, inputs: first.inputs },
  })
  const left = await storedRows(app.records, 'scope_2_meter', { report_id: first._id }, ['report_id'])
  expect(left).toEqual([])
  const { body } = await app.ask(contract.getScopeReport, { token: sudoer, params: { reportId: second._id } })
  expect(body.data.report).toEqual({ ...second, changes: { ...second.changes, previous: null } })
  expect((await file(second._id, { format: 'pdf' })).status).toBe(200)
  expect((await madeOf([meter.meter_id], '2026-11-16')).report._id).toBe(second._id)
})

test('a reversed, too long or unfinished period and too few or too many meters are refused', async () => {
  const { meter_id } = await putMeter(app, { point: point() })
  expect((await make([meter_id], '2026-11-12', '2026-11-11')).body.errors).toEqual({ endDate: m.endBeforeStart })
  expect((await make([meter_id], '2025-01-01', '2026-11-20')).body.errors).toEqual({ endDate: m.tooManyDays(400) })
  expect((await make([meter_id], '2026-11-20', '2026-11-22')).body.errors).toEqual({ endDate: m.periodNotOver })
  expect((await make([], '2026-11-20')).body.errors).toEqual({ meters: m.meterRequired })
  const many = Array.from({ length: 501 }, () => meter_id)
  expect((await make(many, '2026-11-20')).body.errors).toEqual({ meters: m.most(500) })
  expect((await madeOf([meter_id, meter_id], '2026-11-20')).report.meters).toBe(1)
})

test('T1 a report with a meter of another customer is refused, and reports of others are a 404', async () => {
  const [own, foreign] = [
    await putMeter(app, { point: point() }),
    await putMeter(app, { customer: 'west', point: point() }),
  ]
  expect((await make([own.meter_id, foreign.meter_id], '2026-11-20')).status).toBe(404)
  const { report } = await madeOf([own.meter_id], '2026-11-19')
  const params = { reportId: report._id }
  expect((await app.ask(contract.getScopeReport, { token: west, params })).status).toBe(404)
  expect((await file(report._id, { format: 'csv' }, west)).status).toBe(404)
  const listed = await app.data(contract.findScopeReports, { token: west })
  expect(listed).toEqual({ reports: [], totalCount: 0 })
  const mine = await app.data(contract.findScopeReports, { token: sudoer, query: { limit: '1' } })
  expect(mine.reports.map(({ _id, meters }) => [_id, meters])).toEqual([[report._id, 1]])
  expect(mine.totalCount).toBeGreaterThan(1)
})

test('an auditor creates a report because it changes no setting', async () => {
  const { meter_id } = await putMeter(app, { point: point() })
  const { report } = await madeOf([meter_id], '2026-11-18', '2026-11-18', auditor)
  expect(report.madeBy).toBe('auditor@north.example')
})
