import * as contract from '@gridmast/contract/meters/scope-2.ts'
import { dayBounds } from '@gridmast/contract/time.ts'
import { readXlsx } from 'hucre'
import { extractText } from 'unpdf'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { dayOf, lastOnTrail, openDataHub, point, putMeter, putReadings } from '#testing/meters.ts'
import { words } from './words.ts'
import { addPublicSignal } from '#testing/signals.ts'

let reportId: string
const trap = '=HYPERLINK("https://x.example")'

const { app, sudoer } = await openDataHub()
beforeAll(async () => {
  const no = await addPublicSignal(app.records, 'DK2', 'co2')
  const { fromMs } = dayBounds('2026-10-25')
  const values = Array.from({ length: 24 * 12 }, (_, i) => 100 + Math.floor(i / 12))
  await app.readings.insert([{ signalNo: no, t0Ms: fromMs, dtMs: 300_000, values }])
  const meter = await putMeter(app, { point: point(), name: trap })
  await putReadings(app, meter, [dayOf('2026-10-25', (i) => (i === 9 ? null : 500))])
  const body = { meters: [meter.meter_id], startDate: '2026-10-25', endDate: '2026-10-25' }
  reportId = (await app.data(contract.makeScopeReport, { token: sudoer, body })).report._id
})
afterAll(() => app.close())

const get = async (query: Record<string, string>) => {
  const url = `/api${contract.scopeReportFile.path.replace('{reportId}', reportId)}`
  const { headers, rawPayload } = await app.http.inject({
    url,
    query,
    headers: { authorization: `Bearer ${sudoer}` },
  })
  return { headers, bytes: rawPayload }
}

test('L2 the .xlsx has a row per hour with reading, factor and version, empty cells for unknown values, and names as text', async () => {
  const { bytes, headers } = await get({ format: 'xlsx' })
  expect(headers['content-disposition']).toContain('Scope_2_2026-10-25.xlsx')
  const [sheet] = (await readXlsx(bytes)).sheets
  const rows = sheet?.rows ?? []
  const head = rows.findIndex(([first]) => first === 'CVR')
  const about = Object.fromEntries(rows.slice(0, head - 1))
  expect(about).toMatchObject({
    Method: expect.stringContaining('kWh of each hour x mean g CO2/kWh'),
    Coverage: '25 meter-hours: 24.75 measured, 0 estimated, 0 incomplete, 0.25 missing; 1 read without a factor',
    'Source of the factor DK2': 'Energi Data Service, CO2Emis · Energinet CC BY 4.0; published for 24 of 25 hours',
    'SHA-256 of the inputs': expect.stringMatching(/^[0-9a-f]{64}$/),
  })
  const hours = rows.slice(head + 1)
  expect(hours).toHaveLength(25)
  const numbers = (row: unknown[] | undefined) => row?.slice(9)
  expect(hours[0]?.[2]).toBe(trap)
  expect(numbers(hours[0])).toEqual([2, 1, null, null, 100, 0.2, 1])
  expect(numbers(hours[2])).toEqual([1.5, 0.75, null, null, 102, 0.153, 1])
  expect(numbers(hours[24])).toEqual([2, 1, null, null, null, null, 1])
  expect(await lastOnTrail(app, 'export')).toMatchObject({ subject: 'Scope 2 2026-10-25' })
})

test('L2 the .csv of meters has totals, coverage and versions, and escapes formulas', async () => {
  const text = (await get({ format: 'csv', rows: 'meters' })).bytes.toString('utf8')
  const [, row] = text.split('\r\n')
  expect(row).toContain(`"'=HYPERLINK(""https://x.example"")"`)
  expect(row).toMatch(/,DK2,49\.5,5\.\d+,2,25,24\.75,0,0,0\.25,1,1,0,1,/)
})

test.each([
  ['en', 'Scope 2 emissions, location-based', 'Not read: 0,25 meter-hours'],
  ['da', 'Scope 2-udledning, lokationsbaseret', 'Ikke aflæst: 0,25 målertimer'],
])(
  'the PDF in %s has figures, unknown parts, method, sources, versions and the hash',
  async (language, title, missing) => {
    const { bytes, headers } = await get({ language })
    expect(headers['content-type']).toBe('application/pdf')
    const text = (await extractText(new Uint8Array(bytes), { mergePages: true })).text.replaceAll(/\s+/g, ' ')
    expect(text).toContain(title)
    expect(text).toContain(missing)
    expect(text).toMatch(/1 (meter-hour with|målertime med) 2,0 kWh/)
    expect(text).toMatch(/Emission, known part|Udledning, kendt del/)
    expect(text).toContain(trap)
    expect(text).toContain('CO2Emis · Energinet CC BY 4.0')
    expect(text).toMatch(/SHA-256 [^:]+: [0-9a-f]{64}/)
  },
)

test('the sentences distinguish one meter-hour and several', () => {
  const { en, da } = words
  expect(en.estimated('1', '0,1')).toBe(
    'Estimated by the grid company: 1 meter-hour (0,1 % of the time). It is included as reported.',
  )
  expect(en.estimated('0,25', '0,1')).toBe(
    'Estimated by the grid company: 0,25 meter-hours (0,1 % of the time). They are included as reported.',
  )
  expect(da.estimated('1', '0,1')).toBe(
    'Estimeret af netselskabet: 1 målertime (0,1 % af tiden). Den indgår som oplyst.',
  )
  expect(da.estimated('2', '0,1')).toBe(
    'Estimeret af netselskabet: 2 målertimer (0,1 % af tiden). De indgår som oplyst.',
  )
  for (const { missing, incomplete, withoutFactor, factorHours } of [en, da]) {
    const of = (hours: string) =>
      [missing(hours, '0,1'), incomplete(hours, '0,1'), withoutFactor('2,0', hours), factorHours('DK2', hours)].join(
        ' ',
      )
    expect(of('1')).not.toMatch(/meter-hours|målertimer|1 hours|1 timer|They|Their|them|De /)
    expect(of('3')).toMatch(/3 (meter-hours|målertimer)/)
  }
})

test('a report is the same file at each download', async () => {
  expect((await get({ language: 'da' })).bytes.equals((await get({ language: 'da' })).bytes)).toBe(true)
})
