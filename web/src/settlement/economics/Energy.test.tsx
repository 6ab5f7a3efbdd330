import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { tokenStore } from '#lib/session.ts'
import { expectClean } from '#testing/axe.ts'
import { formulaOf, idOf, settlementOf } from './economics.fixture.ts'
import { dialog, open, openInfo, ownSettlement, summary, tab } from './open-economics.fixture.tsx'

beforeEach(() => tokenStore.set('t'))
afterEach(() => tokenStore.set(null))

const afrr = { type: 'aFRR-INC', market: 'aFRR' } as const
const afrrCall = `GET /client/data/eConomics/${idOf(1)}/2026-11-19/aFRR-INC`
const source = {
  name: 'Energi Data Service',
  dataset: 'ImbalancePrice',
  readAt: '2026-11-20T03:10:00.000Z',
  isFile: false,
  simulated: false,
}
/** One quarter of an hour, upwards; without an amount its price is not published. */
const energyOf = (eur: string | null): ReturnType<typeof formulaOf>['energy'] => ({
  state: 'known',
  quarters: [
    {
      start: '2026-11-19T09:00:00.000Z',
      end: '2026-11-19T09:15:00.000Z',
      upMwh: '0.1',
      downMwh: '0',
      eur,
      upEur: eur === null ? null : '120.4',
      downEur: null,
      upSource: eur === null ? null : source,
      downSource: null,
    },
  ],
  unmeasuredQuarters: 0,
})

describe('energy revenue', () => {
  test('energy prices are shown only when the energy bid is active', async () => {
    const energyStatus = { status: 'active', result: false, won: false } as const
    const modalData = {
      ...ownSettlement.modalData,
      energyStatus,
      regulationPrice: Array.from({ length: 24 }, () => '150'),
    }
    await open({
      settlements: [settlementOf({ ...afrr, energyState: 'unknown', modalData })],
      more: { [afrrCall]: () => ({ data: formulaOf({ energy: { ...energyOf(null), state: 'unknown' } }) }) },
    })
    await openInfo()
    await expect.element(dialog.getByText('in addition to the gross, not shared')).toBeVisible()
    await expect.element(dialog.getByText('Quarters of an hour without a published price: 1')).toBeVisible()
    await tab('Bidding Price (€)')
    await expect.element(dialog.getByRole('columnheader', { name: '€/MWh' }).first()).toBeVisible()
    expect(dialog.getByRole('row', { name: /11–12/ }).element().textContent).toBe('11–122,003,50150,00')
    await expect.element(dialog.getByText(/^The energy bid has not/)).not.toBeInTheDocument()
  })

  test('without an energy bid aFRR shows the reason', async () => {
    await open({
      settlements: [settlementOf({ ...afrr, energyState: 'open' })],
      more: {
        [afrrCall]: () => ({ data: formulaOf({ energy: { state: 'open', quarters: [], unmeasuredQuarters: 0 } }) }),
      },
    })
    await openInfo()
    const sentence = dialog.getByText('The energy bid has not been placed yet. Please check back later')
    await expect.element(sentence).toBeVisible()
    await expect.element(dialog.getByText('The day is not over yet, so its energy is unknown.')).toBeVisible()
    await tab('Bidding Price (€)')
    await expect.element(sentence).toBeVisible()
  })

  test('energy: each quarter with its formula, the source of its price and its read time', async () => {
    const energy = energyOf('12.04')
    const down = { ...energy.quarters[0], upMwh: '0', downMwh: '0.05', upEur: null, downEur: '-80', eur: '4' }
    const quarters = [
      ...energy.quarters,
      { ...down, start: '2026-11-19T09:15:00.000Z', end: '2026-11-19T09:30:00.000Z' },
    ]
    await open({
      settlements: [settlementOf({ ...afrr, energyState: 'known', energyPrice: '16.04' })],
      more: {
        [afrrCall]: () => ({
          data: formulaOf({ energyEur: '16.04', energy: { ...energy, quarters } as typeof energy }),
        }),
      },
    })
    await openInfo()
    const block = dialog.getByRole('region', { name: 'Energy' })
    const lines = () =>
      block
        .getByRole('listitem')
        .elements()
        .map((line) => line.textContent)
    await expect.poll(() => lines()[0]).toContain('0,1 MWh × 120,40 €/MWh = 12,04 €')
    expect(lines()[1]).toContain('−(0,05 MWh × −80,00 €/MWh) = 4,00 €')
    await expect.element(block.getByText(/^Price: Energi Data Service, ImbalancePrice, fetched/).first()).toBeVisible()
    await expect.element(block.getByRole('heading', { name: 'Energy · 16,04 €' })).toBeVisible()
    await expectClean()
  })

  test('a dash has its reason; the sum has the number of unknown rows', async () => {
    const rows = [ownSettlement, settlementOf({ ...afrr, instanceId: idOf(2), energyState: 'unknown' })]
    await open({ settlements: rows, answer: { energyUnknown: 1, totalRevenueEnergy: null } })
    await expect.element(summary.getByText('Energy Revenue', { exact: true })).toBeVisible()
    await expect.element(page.getByText('Rows with unknown energy: 1')).toBeVisible()
  })
})
