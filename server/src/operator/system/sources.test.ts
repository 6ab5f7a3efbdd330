import { systemStatus } from '@gridmast/contract/operator/system.ts'
import { addDays, dayBounds, hourMs, minuteMs } from '@gridmast/contract/time.ts'
import { afterAll, beforeEach, expect, test } from 'vitest'
import type { PriceRow } from '#connectors/energi-data-service/parse.ts'
import { openTestApp } from '#testing/app.ts'
import { savePrices } from '#testing/published.ts'
import { readSources } from './sources.ts'
import { addRows, changeRows } from '#testing/rows.ts'
import { addPublicSignal } from '#testing/signals.ts'

const nowMs = Date.parse('2026-11-20T17:12:08.000Z')
const fromMs = dayBounds('2026-10-21').fromMs
const source = 'energi-data-service'

const app = await openTestApp()
app.setNow(new Date(nowMs).toISOString())
afterAll(() => app.close())
beforeEach(() =>
  app.records.system(async (tx) => {
    for (const table of ['connector_state', 'backfill_month', 'market_price'] as const)
      await tx.deleteFrom(table).execute()
  }),
)

type NewState = {
  dataset: string
  last_success_at?: Date
  not_before?: Date
  last_error?: string
}
const addState = (state: NewState) =>
  addRows(app.records, 'connector_state', {
    source,
    last_request_at: new Date(nowMs - minuteMs),
    simulated: true,
    ...state,
  })

const fcr = (startsAtMs: number): PriceRow => ({
  market: 'FCR',
  area: 'DK1',
  product: '',
  auction: '',
  startsAtMs,
  durationS: 3600,
  priceEur: '1',
  priceDkk: null,
  volumeMw: null,
  unit: 'MW',
})
const hoursUntil = (toMs: number) =>
  Array.from({ length: (toMs - fromMs) / hourMs }, (_, i) => fcr(fromMs + i * hourMs))
const save = (rows: PriceRow[]) => app.records.system((tx) => savePrices(tx, rows, { source, simulated: false }, 1))
const tomorrowEndsMs = dayBounds(addDays('2026-11-20', 1)).toMs

test('a complete data set has no gaps, and a missing hour is counted and named', async () => {
  await addState({
    dataset: 'FcrDK1',
    last_success_at: new Date(nowMs - 5 * minuteMs),
  })
  const hours = hoursUntil(tomorrowEndsMs)
  await save(hours)
  expect(hours).toHaveLength(32 * 24 + 1) // the day in October has 25 hours
  expect(await readSources(app, nowMs)).toMatchObject([
    {
      source: 'energi-data-service: FcrDK1',
      lagS: 300,
      lateS: 0,
      coveredUntil: '2026-11-21T23:00:00.000Z',
      simulated: true,
      detail: null,
      gaps: { missing: 0, expected: 769, examples: [] },
      backfill: null,
    },
  ])
  const hole = new Date('2026-11-03T10:00:00Z')
  await app.records.system((tx) =>
    tx
      .deleteFrom('market_price')
      .where('starts_at', 'in', [hole, new Date(hole.getTime() + hourMs)])
      .execute(),
  )
  expect((await readSources(app, nowMs))[0]?.gaps).toEqual({
    missing: 2,
    expected: 769,
    examples: [{ series: 'FCR DK1', start_time: hole.toISOString() }],
  })
})

test('tomorrow is late only after its publication time, and the next request respects the pause of the source', async () => {
  await addState({
    dataset: 'FcrDK1',
    last_success_at: new Date('2026-11-20T12:00:00Z'),
    not_before: new Date('2026-11-20T18:00:00Z'),
    last_error: 'rate-limited: too many requests',
  })
  await save(hoursUntil(dayBounds('2026-11-20').toMs))
  expect(await readSources(app, Date.parse('2026-11-20T12:59:00Z'))).toMatchObject([{ lateS: 0 }])
  expect(await readSources(app, Date.parse('2026-11-20T13:00:00Z'))).toMatchObject([
    {
      lateS: 24 * 3600,
      nextDue: '2026-11-20T18:00:00.000Z',
      detail: 'The source asked us to wait (too many requests)',
    },
  ])
})

test('one area without prices makes the data set late', async () => {
  await addState({ dataset: 'DayAheadPrices', last_success_at: new Date(nowMs) })
  const dayAhead = (area: string, toMs: number): PriceRow => ({
    ...fcr(toMs - hourMs),
    market: 'day-ahead',
    area,
    unit: 'MWh',
  })
  await save(['DK2', 'SE3', 'SE4'].map((area) => dayAhead(area, tomorrowEndsMs)))
  expect((await readSources(app, nowMs))[0]).toMatchObject({
    coveredUntil: null,
    lateS: 48 * 3600,
    areas: [{ area: 'DK1', coveredUntil: null, lateS: 48 * 3600 }, { lateS: 0 }, { lateS: 0 }, { lateS: 0 }],
  })
  await save([dayAhead('DK1', dayBounds('2026-11-20').toMs)])
  const day = (coveredUntil: string, lateS: number) => ({ coveredUntil, lateS })
  expect((await readSources(app, nowMs))[0]).toMatchObject({
    ...day('2026-11-20T23:00:00.000Z', 24 * 3600),
    areas: [
      { area: 'DK1', ...day('2026-11-20T23:00:00.000Z', 24 * 3600) },
      ...['DK2', 'SE3', 'SE4'].map((area) => ({ area, ...day('2026-11-21T23:00:00.000Z', 0) })),
    ],
  })
})

test('ENTSO-E is late and has gaps only in the areas it alone supplies', async () => {
  await addRows(
    app.records,
    'connector_state',
    ['A44 SE1', 'A44 DK1'].map((dataset) => ({ source: 'entsoe', dataset, last_request_at: new Date(nowMs) })),
  )
  const rows = hoursUntil(dayBounds('2026-11-20').toMs).map((row) => ({ ...row, market: 'day-ahead', area: 'SE1' }))
  await app.records.system((tx) => savePrices(tx, rows, { source: 'entsoe', simulated: false }, 1))
  expect(await readSources(app, nowMs)).toMatchObject([
    { source: 'entsoe: A44 DK1', lateS: null, gaps: null },
    { source: 'entsoe: A44 SE1', lateS: 24 * 3600, coveredUntil: '2026-11-20T23:00:00.000Z', gaps: { missing: 96 } },
  ])
})

test('a failed month of history is reported until it is imported', async () => {
  await addState({ dataset: 'Elspotprices' })
  const month = { source, dataset: 'Elspotprices', month: '2025-09' }
  await addRows(app.records, 'backfill_month', { ...month, last_error: 'http: HTTP 500' })
  expect((await readSources(app, nowMs))[0]?.detail).toBe('The source returned an error (HTTP 500)')
  await changeRows(app.records, 'backfill_month', {}, { finished_at: new Date(nowMs) })
  expect((await readSources(app, nowMs))[0]?.detail).toBeNull()
})

test('emission gaps are counted in the readings store', async () => {
  await addState({ dataset: 'CO2Emis', last_success_at: new Date(nowMs) })
  const expected = Math.floor((nowMs - 15 * minuteMs) / (5 * minuteMs)) - fromMs / (5 * minuteMs)
  const gaps = async () => (await readSources(app, nowMs))[0]?.gaps
  expect(await gaps()).toMatchObject({ missing: 2 * expected, expected: 2 * expected })
  const no = await addPublicSignal(app.records, 'DK1', 'co2')
  await app.readings.insert([
    { signalNo: no, t0Ms: fromMs, dtMs: 5 * minuteMs, values: Array.from({ length: expected }, () => 100) },
  ])
  expect(await gaps()).toEqual({
    missing: expected,
    expected: 2 * expected,
    examples: [{ series: 'co2 DK2', start_time: new Date(fromMs).toISOString() }],
  })
})

test('a backfill reports its progress', async () => {
  await addState({ dataset: 'DatahubPricelist' })
  await addRows(app.records, 'backfill_month', [
    { source, dataset: 'DatahubPricelist', month: '2026-10', finished_at: new Date(nowMs), row_count: 5 },
    { source, dataset: 'DatahubPricelist', month: '2026-09', last_error: 'timeout: no whole answer' },
    { source, dataset: 'DatahubPricelist', month: '2026-08' },
  ])
  expect(await readSources(app, nowMs)).toMatchObject([{ gaps: null, backfill: { done: 1, all: 3, failed: 1 } }])
})

test('the status call includes the sources', async () => {
  await addState({ dataset: 'FcrDK1', last_error: 'html: <html>' })
  const { body } = await app.ask(systemStatus, { token: await app.tokenOf('sudoer@north.example') })
  expect(body.data).toMatchObject({
    sources: expect.arrayContaining([
      expect.objectContaining({
        source: 'energi-data-service: FcrDK1',
        detail: 'The source returned a web page instead of data (<html>)',
        gaps: expect.objectContaining({ missing: 769 }),
      }),
    ]),
  })
})
