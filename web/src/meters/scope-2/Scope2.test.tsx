import { findMeterGroups } from '@gridmast/contract/meters/data-hub.ts'
import {
  findScopeReports,
  getScopeReport,
  makeScopeReport,
  removeScopeReport,
  type ScopeFigures,
  type ScopeReport,
} from '@gridmast/contract/meters/scope-2.ts'
import type { Language, User } from '@gridmast/contract/people/user.ts'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { meterId, source, twoGroups } from '#meters/data-hub/data-hub.fixture.ts'
import { UserProvider } from '#lib/user.tsx'
import { answerCalls } from '#testing/answers.ts'
import { showAt } from '#testing/render.tsx'
import { someUser } from '#testing/user.ts'
import Scope2 from './Scope2.tsx'

const id = '66666666-6666-4666-8666-666666666666'
const figures = (over: Partial<ScopeFigures> = {}): ScopeFigures => ({
  kwh: '1200.500',
  kgCo2: 118.25,
  kwhWithoutFactor: '0.000',
  hours: { all: 720, measured: 720, estimated: 0, incomplete: 0, missing: 0, withoutFactor: 0 },
  ...over,
})
const report = (over: Partial<ScopeReport> = {}): ScopeReport => ({
  _id: id,
  madeAt: '2026-11-20T10:00:00Z',
  madeBy: 'sudoer@north.example',
  company: 'North',
  startDate: '2026-10-01',
  endDate: '2026-10-31',
  meters: 2,
  total: figures(),
  keys: [{ key: '31245807', meters: 2, ...figures() }],
  sites: [{ site: '', meters: 2, ...figures() }],
  months: [{ month: '2026-10', ...figures() }],
  meterRows: [
    {
      name: 'Kølehal A',
      meteringPointId: '571313174000250001',
      key: '31245807',
      site: '',
      area: 'DK2',
      days: { read: 31, revised: 2, version: 3 },
      ...figures(),
    },
  ],
  factors: [{ area: 'DK2', source, hours: 745, published: 745, mean: 98.5, lowest: 12, highest: 301 }],
  readings: source,
  inputs: 'a'.repeat(64),
  changes: null,
  since: { days: 0, factorHours: 0, goneMeters: 0 },
  ...over,
})
const answersOf = (one: ScopeReport) => ({
  [`GET ${findMeterGroups.path}`]: () => ({ data: { groups: twoGroups, source } }),
  [`GET ${findScopeReports.path}`]: () => ({ data: { reports: [one], totalCount: 1 } }),
  [`POST ${makeScopeReport.path}`]: () => ({ data: { report: one, isNew: true } }),
  [`GET ${getScopeReport.path.replace('{reportId}', id)}`]: () => ({ data: { report: one } }),
})
const at = (search = '', userRole: User['userRole'] = 'sudoer', language: Language = 'en') =>
  showAt(
    '/insights/scope2',
    <UserProvider value={someUser({ userRole, customerId: { license: { dataHub: { enabled: true } } } })}>
      <Scope2 />
    </UserProvider>,
    language,
    search,
  )

test('the form starts with the last full month of all enabled meters; a created report opens and is in the address', async () => {
  const requests = answerCalls(answersOf(report()))
  const { router } = await at()
  await expect.element(page.getByText('3 meters')).toBeVisible() // the fourth is switched off
  await userEvent.click(page.getByRole('button', { name: 'Create report' }))
  await expect.poll(() => router.state.location.search).toEqual({ report: id })
  const [made] = requests.filter(({ call }) => call.startsWith('POST'))
  expect(made?.body).toMatchObject({ meters: [meterId(1), meterId(2), meterId(4)] })
  const card = page.getByRole('region', { name: 'Scope 2, location-based' })
  await expect.element(card.getByText('All hours have a reading and an emission factor.')).toBeVisible()
  await userEvent.click(card.getByText('By meter'))
  await expect.poll(() => router.state.location.search).toEqual({ report: id, by: 'meters' })
  await expect
    .element(card.getByRole('table', { name: 'By meter' }).getByRole('row').nth(1))
    .toHaveTextContent('Kølehal A · 250001 · DK2118,31.20199100 %0 %0 %0 %')
})

test('a CVR number narrows the meters; without meters no report can be created', async () => {
  answerCalls(answersOf(report()))
  await at()
  await userEvent.click(page.getByRole('combobox', { name: 'CVR' }))
  await userEvent.click(page.getByRole('option', { name: '38901244' }))
  await expect.element(page.getByText('1 meter', { exact: true })).toBeVisible()
})

test('an unknown value is stated and not shown as 0; so are later corrections and differences from the previous report', async () => {
  const unknown = figures({
    kgCo2: null,
    kwhWithoutFactor: '1200.500',
    hours: { all: 1000, measured: 749.5, estimated: 250, incomplete: 0, missing: 0.5, withoutFactor: 999.5 },
  })
  const changed = report({
    total: unknown,
    months: [{ month: '2026-10', ...unknown }],
    since: { days: 3, factorHours: 0, goneMeters: 0 },
    changes: {
      previous: { _id: meterId(9), madeAt: '2026-11-01T10:00:00Z', kwh: '1100.000', kgCo2: 100 },
      days: [
        {
          meter: 'Kølehal A',
          day: '2026-10-07',
          before: { version: 1, kwh: '96.000' },
          after: { version: 2, kwh: '98.000' },
        },
      ],
      dayCount: 1,
      factorHours: [],
    },
  })
  answerCalls(answersOf(changed))
  await at(`?report=${id}&by=changes`)
  const card = page.getByRole('region', { name: 'Scope 2, location-based' })
  await expect.element(card.getByText('Changed since', { exact: true })).toBeVisible()
  await expect.element(card.getByText(/^Days with readings changed after this report: 3\./)).toBeVisible()
  await expect
    .element(card.getByText('Meter-hours not read: 0,5 (0,1 %). Their consumption is unknown and not included.'))
    .toBeVisible()
  await expect.element(card.getByText(/^Meter-hours without an emission factor: 999,5, with 1.200,5 kWh/)).toBeVisible()
  await expect.element(card.getByText('Emission–')).toBeVisible()
  const row = card.getByRole('table', { name: 'What changed' }).getByRole('row').nth(1)
  await expect.element(row).toHaveTextContent('Kølehal A07.10.2026v1: 96,000 kWhv2: 98,000 kWh')
})

test.each([
  ['en', 'Without factor: 163.391 kWh', 'Not read: 0,1 %', 'Emission, known part'],
  ['da', 'Uden faktor: 163.391 kWh', 'Ikke aflæst: 0,1 %', 'Udledning, kendt del'],
] as const)(
  'sums that lack hours are marked at the figure, in the list and in the report, in %s',
  async (language, factor, read, part) => {
    const lacking = report({
      total: figures({
        kwh: '284932.000',
        kwhWithoutFactor: '163390.800',
        hours: { all: 1000, measured: 999, estimated: 0, incomplete: 0, missing: 1, withoutFactor: 600 },
      }),
    })
    answerCalls({
      ...answersOf(lacking),
      [`GET ${findScopeReports.path}`]: () => ({
        data: { reports: [lacking, report({ _id: meterId(9) })], totalCount: 2 },
      }),
    })
    await at(`?report=${id}`, 'sudoer', language)
    const row = page.getByRole('row').filter({ has: page.getByRole('button', { name: '01.10.2026 – 31.10.2026' }) })
    await expect.element(row.nth(0).getByText(factor)).toBeVisible()
    await expect.element(row.nth(0).getByText(read)).toBeVisible()
    expect(
      row
        .nth(1)
        .getByText(/factor|faktor|read|aflæst/)
        .elements(),
    ).toEqual([])
    await expect.element(page.getByText(part)).toBeVisible()
  },
)

test('a user with read access has the reports and no form', async () => {
  answerCalls(answersOf(report()))
  await at('', 'custom')
  await expect.element(page.getByRole('button', { name: '01.10.2026 – 31.10.2026' })).toBeVisible()
  await expect.element(page.getByRole('button', { name: 'Create report' })).not.toBeInTheDocument()
})

test('R1 a report is deleted after a confirmation; a user who may only create reports has no button', async () => {
  const gone = `DELETE ${removeScopeReport.path.replace('{reportId}', id)}`
  let reports = [report()]
  const requests = answerCalls({
    ...answersOf(report()),
    [`GET ${findScopeReports.path}`]: () => ({ data: { reports, totalCount: reports.length } }),
    [gone]: () => {
      reports = []
      return { message: 'Report deleted' }
    },
  })
  const { router } = await at(`?report=${id}`)
  const press = (name: string) => userEvent.click(page.getByRole('button', { name, exact: true }))
  await press('Delete report')
  await expect.element(page.getByRole('dialog', { name: 'Delete this report?' })).toBeVisible()
  await press('No')
  expect(requests.filter(({ call }) => call.startsWith('DELETE'))).toEqual([])
  await press('Delete report')
  await press('Yes')
  await expect.poll(() => requests.filter(({ call }) => call === gone).length).toBe(1)
  await expect.poll(() => router.state.location.search).toEqual({})
  await expect.element(page.getByText('Choose a period and create the first report.')).toBeVisible()
})

test('R1 an auditor creates reports and cannot delete one', async () => {
  answerCalls(answersOf(report()))
  await at(`?report=${id}`, 'auditor')
  await expect.element(page.getByText('All hours have a reading and an emission factor.')).toBeVisible()
  await expect.element(page.getByRole('button', { name: 'Create report' })).toBeVisible()
  expect(page.getByRole('button', { name: 'Delete report' }).elements()).toEqual([])
})
