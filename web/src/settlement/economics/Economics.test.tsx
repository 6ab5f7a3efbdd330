import { m } from '@gridmast/contract/messages.ts'
import { today } from '@gridmast/contract/time.ts'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { tokenStore } from '#lib/session.ts'
import { answerOnce, fetched } from '#testing/answers.ts'
import { expectClean } from '#testing/axe.ts'
import { answerOf, formulaOf, idOf, lineOf, notPlaced, settlementOf, waiting } from './economics.fixture.ts'
import {
  button,
  dialog,
  formulaCall,
  open,
  openInfo,
  ownSettlement,
  summary,
  tab,
  table,
} from './open-economics.fixture.tsx'

beforeEach(() => tokenStore.set('t'))
afterEach(async () => {
  tokenStore.set(null)
  await page.viewport(1440, 900)
})

const settlementsAsked = () => fetched().filter((path) => path.startsWith('/api/client/data/eConomics?'))
const rowText = async (n: number) => {
  const read = () => table.getByRole('row').nth(n).element().textContent
  await expect.poll(read).not.toBe('')
  return read()
}
describe('Overview', () => {
  test('sums over all rows in euro with the bar of shares, the columns of a row', async () => {
    await open({ answer: { count: 38 } })
    await expect.element(summary.getByText('€ 4.211,37')).toBeVisible()
    const text = summary.element().textContent
    for (const words of ['€ 1.684,55', '€ 842,27', '€ 280,76', '€ 386,94', 'Count38']) expect(text).toContain(words)
    for (const words of ['Customer 60 %', 'Partner 24 %', 'Enablers 12 %', 'SC 4 %']) expect(text).toContain(words)
    expect(text).toContain('Energy Revenue is shown separately')
    expect(await rowText(1)).toBe('19.11.2026Nordhavn Køl 1FCR-D-DEC2,0004,901,050,350,70–Won')
    await expect.element(page.getByText('1–1 of 38')).toBeVisible()
    await expectClean()
  })

  test('the sum of the enablers opens each part of it, forty of them too', async () => {
    const enablersData = Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`Enabler ${i + 1}`, `${i}.50`]))
    await open({ answer: { enablersData } })
    await userEvent.click(button(/842,27 by enabler/))
    await expect.element(page.getByText('Enabler 40')).toBeVisible()
    await expect.element(page.getByText('39,50 €')).toBeVisible()
    await expectClean()
  })

  test('no request is sent before Submit; instances follow the license; the address keeps the submitted values', async () => {
    const { router } = await open({}, '?instanceId=' + idOf(1))
    await expect.element(table.getByRole('row').nth(1)).toBeVisible()
    expect(settlementsAsked()).toHaveLength(1)
    await userEvent.click(page.getByRole('combobox', { name: 'License' }))
    await userEvent.click(page.getByRole('option', { name: 'Nordhavn' }))
    await expect.element(page.getByRole('combobox', { name: 'Instance' })).toHaveValue('All')
    await expect.poll(fetched).toContain(`/api/client/data/eConomics/instance?licenseId=${idOf(50)}`)
    expect(settlementsAsked()).toHaveLength(1)
    await userEvent.click(button('Submit'))
    await expect.poll(() => router.state.location.search).toEqual({ licenseId: idOf(50) })
    await expect.poll(() => settlementsAsked().at(-1)).toContain(`licenseId=${idOf(50)}`)
    expect(settlementsAsked().at(-1)).not.toContain('instanceId')
  })

  test('another selection is loading: no sum and no row of the previous one is shown', async () => {
    await open({ more: { 'GET /client/data/eConomics': answerOnce(answerOf([ownSettlement])) } })
    await expect.element(summary.getByText('€ 4.211,37')).toBeVisible()
    await userEvent.click(page.getByRole('combobox', { name: 'Instance' }))
    await userEvent.click(page.getByRole('option', { name: 'Nordhavn Køl 1' }))
    await userEvent.click(button('Submit'))
    await expect.poll(settlementsAsked).toHaveLength(2)
    await expect.element(summary.getByText('€ 4.211,37')).not.toBeInTheDocument()
    await expect.element(page.getByRole('cell', { name: '4,90' })).not.toBeInTheDocument()
    await expect.element(button('Export')).toBeDisabled()
  })

  test('15 rows a page, each page requested from the server', async () => {
    const settlements = Array.from({ length: 15 }, (_, i) => settlementOf({ instanceId: idOf(i + 1) }))
    const { router } = await open({ settlements, answer: { count: 38 } })
    await userEvent.click(button('Page 3'))
    await expect.poll(() => settlementsAsked().at(-1)).toContain('limit=15&skip=30')
    expect(router.state.location.search).toMatchObject({ page: 3 })
  })

  test.each([
    [{ status: 'inactive', result: false, won: false }, 'Bid not placed'],
    [{ status: 'active', result: false, won: false }, 'Settlements not found'],
    [{ status: 'active', result: true, won: true }, 'Won'],
    [{ status: 'active', result: true, won: false }, 'Lost'],
  ] as const)('the state %o is %s', async (CM, words) => {
    await open({ settlements: [settlementOf({ status: { CM, EAM: notPlaced } })] })
    expect(await rowText(1)).toContain(words)
  })

  test('rows without published results are tinted, show the reason, and are counted in the foot', async () => {
    const running = settlementOf({ ...waiting, date: today(Date.now()), isClosed: false })
    await open({ settlements: [running, ownSettlement], answer: { unpublished: 7 } })
    expect(await rowText(1)).toContain('–––––Settlements not found The results have not been published yet')
    expect(await rowText(1)).toContain('The day is not over yet')
    const tinted = table.getByRole('row').elements()
    expect(tinted.map((row) => row.hasAttribute('data-warn'))).toEqual([false, true, false])
    await expect.element(page.getByText('7 rows: The results have not been published yet')).toBeVisible()
    await expectClean()
  })

  test('a past day that waits for its settlement is not shown as running', async () => {
    await open({ settlements: [settlementOf({ date: '2026-11-20', isClosed: false })] })
    expect(await rowText(1)).toContain('Not settled yet Bids are settled the night after their day.')
    expect(await rowText(1)).not.toContain('not over')
  })

  test('without a contract a share is –, with the reason; a correction has its version; simulated data is marked', async () => {
    const unshared = settlementOf({ customer: null, partner: null, sc: null, enablers: null })
    const corrected = settlementOf({ date: '2026-11-18', version: 2, simulated: true })
    await open({ settlements: [unshared, corrected], answer: { unshared: 1 } })
    expect(await rowText(1)).toContain('– No contract is valid on this day, so the shares are unknown. Gross 7,00 €.')
    expect(await rowText(2)).toContain('v2 Corrected: this is version 2.')
    expect(await rowText(2)).toContain('Simulated')
    expect(await rowText(1)).not.toContain('Simulated')
    await expect.element(page.getByText('Rows without a contract: 1')).toBeVisible()
  })

  test('a penalty is in its row; a row without one shows nothing', async () => {
    await open({ settlements: [settlementOf({ date: '2026-11-18', penalty: '-12.01' }), ownSettlement] })
    expect(await rowText(1)).toContain('Penalty −12,01 €')
    expect(await rowText(2)).not.toContain('Penalty')
  })

  test('on a phone the tabs are in one row, and the open one is visible', async () => {
    await page.viewport(390, 844)
    await open({}, '?tab=statements', 'da')
    const tabs = page.getByRole('tab')
    await expect.poll(() => tabs.elements().length).toBe(4)
    expect(new Set(tabs.elements().map((tab) => tab.getBoundingClientRect().top)).size).toBe(1)
    await expect
      .poll(() => page.getByRole('tab', { name: 'Opgørelser' }).element().getBoundingClientRect().right)
      .toBeLessThanOrEqual(390)
    await expectClean()
  })

  test('no rows: the dialog SETTLEMENTS with No Data Found! and Okay, an empty list behind it, no export', async () => {
    await open({ settlements: [], answer: { totalRevenue: '0.00' } })
    await expect.element(page.getByRole('dialog', { name: 'SETTLEMENTS' }).getByText('No Data Found!')).toBeVisible()
    await expectClean()
    await userEvent.click(dialog.getByRole('button', { name: 'Okay' }))
    await expect.element(dialog).not.toBeInTheDocument()
    await expect.element(page.getByText(m.noRecords)).toBeVisible()
    await expect.element(button('Export')).toBeDisabled()
    await userEvent.click(button('Submit'))
    await expect.element(dialog.getByText('No Data Found!')).toBeVisible()
  })

  test('the export has all rows of the filter', async () => {
    await open()
    await expect.element(button('Export')).toBeEnabled()
    await userEvent.click(button('Export'))
    await userEvent.click(page.getByRole('menuitem', { name: 'Download CSV' }))
    await expect
      .poll(() => settlementsAsked().at(-1))
      .toBe('/api/client/data/eConomics?startDate=2026-11-01&endDate=2026-11-30&format=csv')
  })

  test('a failed read is reported and can be tried again', async () => {
    let fails = true
    await open({
      more: {
        'GET /client/data/eConomics': () =>
          fails ? { status: 400, message: m.endBeforeStart } : { data: answerOf([ownSettlement]) },
      },
    })
    await expect.element(page.getByText('The settlements could not be loaded.')).toBeVisible()
    fails = false
    await userEvent.click(button('Retry now'))
    expect(await rowText(1)).toContain('4,90')
  })

  test('extreme figures: below zero, twelve digits, a long name, nothing known; on a phone too', async () => {
    const long = settlementOf({
      instanceIdName: 'A'.repeat(100),
      customer: '-123456789012.34',
      sc: '-0.01',
      partner: '0.00',
      gross: '-123456789012.35',
      enablers: Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`E${i}`, '0.01'])),
      energyPrice: '-999999999999.99',
      energyState: 'known',
    })
    const answer = { totalRevenue: '-123456789012.34', totalRevenueSc: '-9.01', expectedRevenue: '140.40' }
    await open({ settlements: [long, settlementOf({ ...waiting, instanceId: idOf(2) })], answer })
    expect(await rowText(1)).toContain('−123.456.789.012,340,000,40−0,01−999.999.999.999,99')
    await expect.element(summary.getByText('A share is below zero, so no bar is drawn')).toBeVisible()
    await expect.element(summary.getByText(/days that are not over, expected: 140,40 €/)).toBeVisible()
    expect(summary.element().textContent).not.toContain('%')
    await page.viewport(390, 844)
    await expect.element(page.getByRole('list', { name: 'Settlements' })).toBeVisible()
    expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(390)
    await expectClean()
  })

  test('in Danish', async () => {
    await open({ settlements: [settlementOf(waiting)], answer: { unpublished: 1 } }, '', 'da')
    await expect.element(page.getByText('1 række: Resultaterne er ikke offentliggjort endnu')).toBeVisible()
    await expect.element(page.getByText('Kundens omsætning', { exact: true })).toBeVisible()
  })
})

describe('Info', () => {
  test('each amount with its formula, the contract’s percent, and the rest for the customer', async () => {
    await open()
    await openInfo()
    const sums = dialog.getByRole('table', { name: 'How the settlement is calculated' })
    await expect.element(sums.getByText('2 MW × 3,50 €/MW = 7,00 €')).toBeVisible()
    const rows = sums
      .getByRole('row')
      .elements()
      .map((row) => row.textContent)
    expect(rows).toEqual([
      'PartFormula€',
      'Capacity2 MW × 3,50 €/MW = 7,00 €7,00',
      'PenaltyHours sold and not available: 00,00',
      'Gross7,00 € + 0,00 €7,00',
      'Partner15 % × 7,00 €1,05',
      'Aggregator A/S5 % × 7,00 €0,35',
      'SC10 % × 7,00 €0,70',
      'Customer70 %: 7,00 € − 2,10 €4,90',
    ])
    await expect
      .element(dialog.getByText('FCR-D-DEC is paid for capacity alone, so it has no energy revenue.'))
      .toBeVisible()
    await expect.element(dialog.getByText(/^The energy bid has not/)).not.toBeInTheDocument()
    await expect.element(dialog.getByText(/^Source: own bids, published prices/)).toBeVisible()
    await expect.element(dialog.getByText('Bids lost: 1')).toBeVisible()
    await expectClean()
    await userEvent.keyboard('{Escape}')
    await expect.element(dialog).not.toBeInTheDocument()
    await expect.element(button(/^How .* earned with/)).toHaveFocus()
  })

  test('a penalty of the SC: its hours, their reason, and the party that pays it', async () => {
    const missed = { wonMw: '3', marginalEur: '10.01', capacityEur: '30.03', penaltyEur: '-12.012' }
    const formula = formulaOf({
      lines: [lineOf(0, { ...missed, hours: 5, missedHours: 2 })],
      availability: {
        isJudged: true,
        missingShare: 0.02,
        notAvailable: [
          { at: '2026-11-18T23:00:00.000Z', reason: 'silent' },
          { at: '2026-11-19T00:00:00.000Z', reason: 'too little' },
        ],
      },
      contract: {
        validFrom: '2026-01-01',
        customer: '80',
        partner: '10',
        sc: '10',
        penaltyTo: 'sc',
        enablers: {},
      },
      capacityEur: '30.03',
      penaltyEur: '-12.01',
      grossEur: '18.02',
      customer: '24.03',
      partner: '3.00',
      sc: '-9.01',
      enablers: {},
    })
    await open({ more: { [formulaCall]: () => ({ data: formula }) } })
    await openInfo()
    const penalty = dialog.getByText('−(3 MW × 10,01 €/MW × 2/5) = −12,012 €')
    await expect.element(penalty).toBeVisible()
    const text = dialog.element().textContent
    expect(text).toContain('30,03 € − 12,01 €18,02')
    expect(text).toContain('SC10 % × 30,03 € − 12,01 €−9,01')
    expect(text).toContain('Customer80 %: 18,02 € − −6,01 €24,03')
    expect(text).toContain('00–01 no measurement')
    expect(text).toContain('01–02 less capacity was available than sold')
  })

  test.each([
    [{ isJudged: false, missingShare: 0.2, notAvailable: [] }, /^20,0 % of the day’s measurements are missing/],
    [null, /^The day is not over yet/],
  ])('an unscored day shows the reason: %o', async (availability, words) => {
    await open({ more: { [formulaCall]: () => ({ data: formulaOf({ availability }) }) } })
    await openInfo()
    await expect.element(dialog.getByText(words)).toBeVisible()
  })

  test('nothing known: no contract, no result', async () => {
    const formula = formulaOf({
      lines: [lineOf(3, { won: null, wonMw: null, marginalEur: null, capacityEur: null, penaltyEur: null })],
      contract: null,
      capacityEur: null,
      penaltyEur: null,
      grossEur: null,
      customer: null,
      partner: null,
      sc: null,
      enablers: null,
    })
    await open({ more: { [formulaCall]: () => ({ data: formula }) } })
    await openInfo()
    await expect.element(dialog.getByText('The results have not been published yet')).toBeVisible()
    await expect.element(dialog.getByText('Bids without a published result: 1')).toBeVisible()
    await expect.element(dialog.getByText(/^No contract is valid on this day/)).toBeVisible()
    for (const name of ['Bidding Price (€)', 'Bidding Capacity (MW)']) {
      await tab(name)
      await expect.element(dialog.getByText('0 of 1')).toBeVisible()
    }
  })

  test('an earlier version is opened, is marked as replaced, and links back', async () => {
    const versions = [
      { version: 2, madeAt: '2026-11-21T04:02:00.000Z', grossEur: '6.00', customerEur: '4.20' },
      { version: 1, madeAt: '2026-11-20T04:02:00.000Z', grossEur: '7.00', customerEur: '4.90' },
    ]
    await open({
      settlements: [settlementOf({ version: 2 })],
      more: {
        [formulaCall]: () =>
          fetched().at(-1)?.endsWith('?version=1')
            ? { data: formulaOf({ versions, isNewest: false }) }
            : { data: formulaOf({ versions, version: 2, grossEur: '6.00', customer: '4.20' }) },
      },
    })
    await openInfo()
    await userEvent.click(dialog.getByRole('button', { name: 'Open version 1' }))
    await expect.element(dialog.getByText('An earlier version, which a correction has replaced.')).toBeVisible()
    expect(dialog.getByRole('table', { name: 'How the settlement is calculated' }).element().textContent).toContain(
      '€4,90',
    )
    await expectClean()
    await userEvent.click(dialog.getByRole('button', { name: 'Show the newest' }))
    await expect.element(dialog.getByRole('button', { name: 'Open version 1' })).toBeVisible()
  })

  test('prices by slot in groups of 8, one auction at a time, the one that was won first', async () => {
    const all = Array.from({ length: 24 }, (_, hour) => lineOf(hour, { bidEur: `${hour}.25` }))
    const late = { auction: 'D-1 late', won: false, wonMw: null, marginalEur: '1.11' }
    const formula = formulaOf({ lines: [...all, lineOf(0, late), lineOf(1, late)] })
    await open({ more: { [formulaCall]: () => ({ data: formula }) } })
    await openInfo()
    await tab('Bidding Price (€)')
    const tables = dialog.getByRole('table')
    await expect.poll(() => tables.elements().length).toBe(3)
    const sizes = tables.elements().map((one) => one.querySelectorAll('tbody tr').length)
    expect(sizes).toEqual([8, 8, 8])
    const tenth = () => tables.nth(1).getByRole('row').nth(3).element()
    expect(tenth().textContent).toBe('10–1110,253,50')
    expect(tenth().querySelector('svg')?.getAttribute('aria-label')).toBe('Won')
    await expect.element(dialog.getByText('24 of 24')).toBeVisible()
    await expect
      .element(dialog.getByText('FCR-D-DEC is paid for capacity alone, so it has no energy revenue.'))
      .toBeVisible()
    await expect.element(dialog.getByText(/^The energy bid has not/)).not.toBeInTheDocument()
    await expectClean()
    await userEvent.click(dialog.getByRole('radio', { name: 'D-1 late' }))
    await expect.element(dialog.getByText('0 of 2')).toBeVisible()
    expect(tenth().textContent).toBe('10–11–––')
  })

  test('capacity: six blocks of FCR, the won capacity, and the missed hours', async () => {
    const blocks = Array.from({ length: 6 }, (_, slot) => {
      const startMs = Date.parse('2026-11-18T23:00:00Z') + slot * 14_400_000
      const span = { start: new Date(startMs).toISOString(), end: new Date(startMs + 14_400_000).toISOString() }
      return lineOf(0, { ...span, slot, auction: '', hours: 4, missedHours: slot === 2 ? 1 : 0 })
    })
    await open({
      settlements: [settlementOf({ type: 'FCR', market: 'FCR' })],
      more: { [formulaCall.replace('FCR-D-DEC', 'FCR')]: () => ({ data: formulaOf({ lines: blocks }) }) },
    })
    await openInfo()
    await tab('Bidding Capacity (MW)')
    const rows = dialog.getByRole('table').getByRole('row')
    await expect.poll(() => rows.elements().length).toBe(7)
    expect(rows.nth(3).element().textContent).toBe('08–122,0002,0001 of 4 h missed')
    await expect.element(dialog.getByRole('radiogroup')).not.toBeInTheDocument()
    await expectClean()
  })

  test('a failed formula is reported in its tab and can be tried again; forty enablers have a line each', async () => {
    let fails = true
    const enablers = Object.fromEntries(
      Array.from({ length: 40 }, (_, i) => [`Enabler ${i + 1} ${'x'.repeat(60)}`, '1']),
    )
    const base = formulaOf()
    const formula = { ...base, contract: base.contract && { ...base.contract, enablers }, enablers }
    await open({
      more: { [formulaCall]: () => (fails ? { status: 404, message: m.notFound } : { data: formula }) },
    })
    await openInfo()
    await expect.element(dialog.getByText('The settlement could not be loaded.')).toBeVisible()
    fails = false
    await userEvent.click(dialog.getByRole('button', { name: 'Retry now' }))
    await expect.element(dialog.getByText(/^Enabler 40/)).toBeVisible()
    await page.viewport(390, 844)
    expect(dialog.element().scrollWidth).toBeLessThanOrEqual(390)
    await expectClean()
  })
})
