import type { Data } from '@gridmast/contract/call.ts'
import type { compareMonths } from '@gridmast/contract/settlement/month-comparison.ts'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { tokenStore } from '#lib/session.ts'
import { fetched } from '#testing/answers.ts'
import { expectClean } from '#testing/axe.ts'
import { idOf } from './economics.fixture.ts'
import { button, open } from './open-economics.fixture.tsx'

beforeEach(() => tokenStore.set('t'))
afterEach(async () => {
  tokenStore.set(null)
  await page.viewport(1440, 900)
})

type Comparison = Data<typeof compareMonths>
type Sums = Comparison['slots'][number]['before']

const sums = (change: Partial<Sums> = {}): Sums => ({
  offeredMwHours: '16',
  wonMwHours: '16',
  capacityEur: '80.00',
  penaltyEur: '0.00',
  hours: 40,
  missedHours: 0,
  sharePercent: '70.00',
  ...change,
})
const of = { instanceId: idOf(1), instanceName: 'Nordhavn Køl 1', type: 'FCR-D-DEC', market: 'FCR-D-DEC' }

/** The months of server/src/settlement/economics/compare-months.test.ts. */
const bad: Comparison = {
  days: null,
  before: {
    ...sums(),
    month: '2026-08',
    revenueEur: '56.00',
    settlements: 20,
    unknown: 0,
    energyEur: '0.00',
  },
  after: {
    ...sums({
      offeredMwHours: '8',
      wonMwHours: '6',
      capacityEur: '24.00',
      penaltyEur: '-0.96',
      hours: 15,
      missedHours: 1,
      sharePercent: '60.00',
    }),
    month: '2026-09',
    revenueEur: '13.44',
    settlements: 10,
    unknown: 2,
    energyEur: null,
  },
  differenceEur: '-42.56',
  parts: {
    volume: '-28.00',
    winRate: '-7.00',
    price: '-4.20',
    availability: '-0.96',
    shares: '-2.40',
    rounding: '0.00',
  },
  slots: [
    {
      ...of,
      slot: 10,
      differenceEur: '-19.36',
      before: sums({ wonMwHours: '8' }),
      after: sums({ wonMwHours: '4' }),
      parts: { volume: '-14.00', winRate: '0.00', price: '-2.80', availability: '-0.96', shares: '-1.60' },
    },
  ],
  otherSlots: { count: 3, differenceEur: '-23.20' },
  missed: [{ ...of, slot: 10, date: '2026-09-01', hours: 1, penaltyEur: '-0.96' }],
  simulated: true,
}

const address = '?tab=comparison&month=2026-09&against=2026-08'
const show = (answer: Partial<Comparison> = {}, search = address, language: 'en' | 'da' = 'en') =>
  open({ more: { 'GET /client/data/eConomics/comparison': () => ({ data: { ...bad, ...answer } }) } }, search, language)
const rowsOf = (name: string) =>
  page
    .getByRole('table', { name })
    .getByRole('row')
    .elements()
    .map((row) => row.textContent)

describe('the causes of a lower month', () => {
  test('a sentence, a bar for each part with its amount and its value in both months, the slots and the missed hours', async () => {
    await show()
    await expect.element(page.getByText('42,56 € less than in 08.2026. Main cause: Volume, −28,00 €.')).toBeVisible()
    expect(rowsOf('From one month to the other').slice(1)).toEqual([
      '08.2026Customer revenue56,00',
      'Volume8 MW·h offered over all slots; previously 16 MW·h.−28,00',
      'Win rate75 % of it was won; previously 100 %.−7,00',
      'Price4,00 € per MW·h won; previously 5,00 €.−4,20',
      'AvailabilityHours sold and not available: 1; previously 0.−0,96',
      'Shares60 % of the capacity revenue is the customer’s; previously 70 %.−2,40',
      '09.2026Customer revenue13,44',
    ])
    expect(rowsOf('Slots behind the difference')[1]).toBe(
      'Nordhavn Køl 1FCR-D-DEC10–11−19,36−14,000,00−2,80−0,96−1,604; previously 8',
    )
    await expect.element(page.getByText('All 3 other slots: −23,20 €')).toBeVisible()
    expect(rowsOf('Sold and not available')[1]).toBe('01.09.2026Nordhavn Køl 1FCR-D-DEC10–111−0,96')
    await expect.element(page.getByText(/^2 days are not final/)).toBeVisible()
    await expect.element(page.getByText('Energy revenue (not shared): –, previously 0,00 €.')).toBeVisible()
    await expectClean()
  })

  test('bars start at the running sum: each begins where the previous one ended', async () => {
    await show()
    await expect.element(page.getByRole('table', { name: 'From one month to the other' })).toBeVisible()
    const bars = [...document.querySelectorAll<HTMLElement>('tbody i')].map(({ style }) => ({
      colour: style.background,
      left: Number.parseFloat(style.left),
      end: Number.parseFloat(style.left) + Number.parseFloat(style.width),
    }))
    const [total, less] = ['var(--gm-data1)', 'var(--gm-down)']
    expect(bars.map(({ colour }) => colour)).toEqual([total, less, less, less, less, less, total])
    for (const [i, bar] of bars.slice(1, -1).entries())
      expect(bar.end).toBeCloseTo(i === 0 ? 100 : (bars[i]?.left ?? 0))
    expect(bars.at(-2)?.left).toBeCloseTo(bars.at(-1)?.end ?? 0)
  })

  test.each([
    [
      'en',
      9,
      '42,56 € less than in days 1–9 of 08.2026.',
      /is not over: the first 9 days of both months are compared\.$/,
      'Customer revenue, days 1–9',
    ],
    [
      'en',
      1,
      '42,56 € less than in days 1–1 of 08.2026.',
      /is not over: the first day of both months is compared\.$/,
      'Customer revenue, days 1–1',
    ],
    [
      'da',
      9,
      '42,56 € mindre end i dag 1–9 af 08.2026.',
      /er ikke slut: De første 9 dage af begge måneder sammenlignes\.$/,
      'Kundens omsætning, dag 1–9',
    ],
  ] as const)(
    '%s: a running month is compared by its %i days that are over, and says so',
    async (language, days, sentence, note, words) => {
      await show({ days }, address, language)
      await expect.element(page.getByText(sentence, { exact: false })).toBeVisible()
      await expect.element(page.getByText(note)).toBeVisible()
      expect(document.querySelector('tr[data-total] th > div')?.textContent).toBe(words)
    },
  )

  test('a better month is described so, and equal ones have no bars', async () => {
    const parts = {
      ...bad.parts,
      volume: '0.00',
      winRate: '0.00',
      price: '7.50',
      availability: '0.00',
      shares: '0.00',
      rounding: '-0.01',
    }
    await show({ differenceEur: '7.49', parts })
    await expect.element(page.getByText('7,49 € more than in 08.2026. Main cause: Price, +7,50 €.')).toBeVisible()
    expect(rowsOf('From one month to the other')).toContain('RoundingEach day is rounded to cents.−0,01')
    const { before } = bad
    await show({ after: before, differenceEur: '0.00', slots: [], missed: [] })
    await expect.element(page.getByText('No difference')).toBeVisible()
  })

  test('months without settlements are not equal months', async () => {
    const { before } = bad
    const none = { ...before, offeredMwHours: '0', wonMwHours: '0', revenueEur: '0.00', settlements: 0 }
    await show({ before: none, after: none, differenceEur: '0.00', slots: [], missed: [] })
    await expect.element(page.getByText('No settlements in these months')).toBeVisible()
    expect(page.getByText(/^Energy, beside it/).elements()).toEqual([])
  })

  test('a month without settlements is described so next to the other, and has no 0 and no units', async () => {
    const none = {
      ...bad.before,
      ...sums({ offeredMwHours: '0', wonMwHours: '0', sharePercent: null }),
      settlements: 0,
    }
    await show({ before: { ...none, revenueEur: '0.00' }, differenceEur: '13.44' })
    await expect.element(page.getByText('No settlements in 08.2026; 13,44 € in 09.2026.')).toBeVisible()
    const rows = rowsOf('From one month to the other')
    expect(rows[1]).toBe('08.2026No settlements–')
    expect(rows[3]).toContain('75 % of it was won; previously –.')
    await expect.element(page.getByText('Energy revenue (not shared): –, previously –.')).toBeVisible()
  })

  test('an unknown month is described so, with no bars', async () => {
    const after = { ...bad.after, revenueEur: null }
    await show({ after, differenceEur: null, parts: null, slots: [], otherSlots: { count: 0, differenceEur: '0.00' } })
    await expect.element(page.getByText('Revenue unknown')).toBeVisible()
    await expect
      .element(page.getByText('The revenue of 09.2026 is unknown: results or contracts are missing.'))
      .toBeVisible()
    await expect.element(page.getByRole('table', { name: 'From one month to the other' })).not.toBeInTheDocument()
  })

  test('the tab and the months are in the address; no request is sent before Submit', async () => {
    const { router } = await show({}, '')
    await userEvent.click(page.getByRole('tab', { name: 'Why more or less?' }))
    await expect.poll(() => router.state.location.search).toEqual({ tab: 'comparison' })
    const requests = () => fetched().filter((path) => path.startsWith('/api/client/data/eConomics/comparison'))
    await expect.poll(() => requests().length).toBe(1)
    await userEvent.fill(page.getByRole('textbox', { name: 'Month' }), '03.2026')
    await userEvent.keyboard('{Tab}')
    await userEvent.click(button('Submit'))
    await expect.poll(() => requests().at(-1)).toContain('month=2026-03&against=2026-02')
  })

  test('Danish, and on a phone without a sideways scroll', async () => {
    await page.viewport(390, 844)
    await show({}, address, 'da')
    await expect.element(page.getByText('42,56 € mindre end i 08.2026. Største årsag: Mængde, −28,00 €.')).toBeVisible()
    expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(390)
    await expectClean()
  })
})
