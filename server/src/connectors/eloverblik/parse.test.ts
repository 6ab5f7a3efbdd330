import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { BadAnswer, errorWords, parseTimeSeries, tokenEndsMs } from './parse.ts'

type Point = { position: string; 'out_Quantity.quantity'?: string; 'out_Quantity.quality': string }
const point = (position: number, quantity: string | undefined, quality = 'A04'): Point => ({
  position: String(position),
  ...(quantity === undefined ? {} : { 'out_Quantity.quantity': quantity }),
  'out_Quantity.quality': quality,
})
const item = (start: string, end: string, resolution: string, points: Point[], more: object = {}) => ({
  MyEnergyData_MarketDocument: {
    TimeSeries: [
      {
        businessType: 'A04',
        'measurement_Unit.name': 'KWH',
        Period: [{ resolution, timeInterval: { start, end }, Point: points }],
        ...more,
      },
    ],
  },
  success: true,
  errorCode: 10000,
  errorText: 'NoError',
  id: '571313180100000011',
})
const answer = (...items: object[]) => parseTimeSeries(JSON.stringify({ result: items }))
const numbered = (count: number, quality = 'A04') =>
  Array.from({ length: count }, (_, i) => point(i + 1, `${i}.125`, quality))
const daysOf = (found: ReturnType<typeof answer>[number] | undefined) => (found && 'days' in found ? found.days : [])

test.each([
  ['2026-03-29', '2026-03-28T23:00:00Z', '2026-03-29T22:00:00Z', 92],
  ['2026-11-20', '2026-11-19T23:00:00Z', '2026-11-20T23:00:00Z', 96],
  ['2026-10-25', '2026-10-24T22:00:00Z', '2026-10-25T23:00:00Z', 100],
])('%s: positions count UTC quarters of the local day', (day, start, end, quarters) => {
  const [found] = daysOf(answer(item(start, end, 'PT15M', numbered(quarters)))[0])
  expect(found?.day).toBe(day)
  expect(found?.wh).toEqual(Array.from({ length: quarters }, (_, i) => i * 1000 + 125))
  expect(found?.quality).toBe('m'.repeat(quarters))
})

test('a missing value is null and never 0, whether it is said or left out; the qualities stay apart', () => {
  const points = [
    point(1, '0.0'),
    point(2, undefined, 'A02'),
    point(3, '7', 'A02'),
    point(5, '1.5', 'A03'),
    point(6, '2', 'A01'),
    point(7, '3', 'A05'),
  ]
  const [found] = daysOf(answer(item('2026-11-19T23:00:00Z', '2026-11-20T23:00:00Z', 'PT1H', points))[0])
  expect(found?.wh.slice(0, 8)).toEqual([0, null, null, null, 1500, 2000, 3000, null])
  expect(found?.quality.slice(0, 8)).toBe('m---eai-')
  expect(found?.wh).toHaveLength(24)
})

describe('one metering point of a bundle spoils no other', () => {
  const good = item('2026-11-19T23:00:00Z', '2026-11-20T23:00:00Z', 'PT1H', numbered(24))
  const bad = (change: object) => ({ ...good, ...change, id: '571313190000000424' })
  const ofPoint = (points: Point[], resolution = 'PT1H', more: object = {}) => ({
    ...item('2026-11-19T23:00:00Z', '2026-11-20T23:00:00Z', resolution, points, more),
    id: '571313190000000424',
  })

  test.each([
    ['an error inside HTTP 200', bad({ success: false, errorCode: 30010, errorText: 'Outside' }), '[30010] Outside'],
    ['more decimals than a meter has', ofPoint([point(1, '1.2345')]), 'not a number of kWh: 1.2345'],
    ['a negative value', ofPoint([point(1, '-1')]), 'not a number of kWh: -1'],
    ['an unknown quality', ofPoint([point(1, '1', 'A99')]), 'unknown quality A99'],
    ['an unknown resolution', ofPoint([point(1, '1')], 'PT1D'), 'unknown resolution PT1D'],
    ['another unit', ofPoint([], 'PT1H', { 'measurement_Unit.name': 'MWH' }), 'the unit is MWH'],
  ])('%s', (_, item, error) => {
    const found = answer(item, good)
    expect(found[0]).toEqual({ meteringPointId: '571313190000000424', error })
    expect(daysOf(found[1])).toHaveLength(1)
  })
})

test('production of the same point is no consumption', () => {
  const both = item('2026-11-19T23:00:00Z', '2026-11-20T23:00:00Z', 'PT1H', numbered(24), { businessType: 'A01' })
  expect(daysOf(answer(both)[0])).toEqual([])
})

test.each([
  ['a web page', '<html>', /^a web page instead of data$/],
  ['a cut answer', '{"result":[', /^not JSON$/],
  ['another shape', '{"result":{}}', /^result: /],
])('%s is refused as a whole', (_, text, words) => {
  const read = () => parseTimeSeries(text)
  expect(read).toThrow(BadAnswer)
  expect(read).toThrow(words)
})

test('both forms of an error body are read', () => {
  expect(errorWords('"[20010] Relation not found"')).toBe('[20010] Relation not found')
  expect(errorWords('{"type":"x","title":"Not Found","status":404,"traceId":"00-9c"}')).toBe('Not Found, trace 00-9c')
  expect(errorWords('<html>')).toBe(null)
  expect(errorWords('')).toBe(null)
})

test('the end of a token is its claim exp', () => {
  const claims = Buffer.from(JSON.stringify({ exp: 1_800_000_000 })).toString('base64url')
  expect(tokenEndsMs(`x.${claims}.y`)).toBe(1_800_000_000_000)
  expect(tokenEndsMs('no token')).toBe(null)
})

const recorded = join(
  import.meta.dirname,
  '../../../../../shared/data/eloverblik/customerapi_meterdata_gettimeseries_hour_2024-02-18_six_points_redacted.json',
)

// The recording has no licence, so it is outside of the repository.
test.skipIf(!existsSync(recorded))('a recorded answer with consumption and production is read whole', () => {
  const found = parseTimeSeries(readFileSync(recorded, 'utf8'))
  expect(found).toHaveLength(6)
  const consumption = found.map(daysOf).filter((days) => days.length > 0)
  expect(consumption.length).toBeGreaterThan(0)
  for (const [day] of consumption)
    expect([day?.day, day?.wh.length, day?.stepMs]).toEqual(['2024-02-18', 24, 3_600_000])
  const second = found.find(({ meteringPointId }) => meteringPointId === '571313000000000020')
  expect(daysOf(second)[0]?.wh.slice(0, 3)).toEqual([2042, 3759, 2984])
})
