import type { findChargingPrices, sessionCost } from '@gridmast/contract/charging/charging-costs.ts'
import type { Data } from '@gridmast/contract/call.ts'
import { m } from '@gridmast/contract/messages.ts'
import { quarterMs } from '@gridmast/contract/time.ts'
import type { User } from '@gridmast/contract/people/user.ts'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { expectClean } from '#testing/axe.ts'
import { idOf, sessionId, sessionOf } from './ev-charging.fixture.ts'
import { button, dialog, open as openEvCharging } from './open-ev-charging.tsx'

const cost = {
  total: '8.39',
  parts: { spot: '8.15', tariff: '0', tax: '0.238' },
  unknown: null,
  driver: '5.00',
  kgCo2: 0.1,
  spread: true,
}
const session = sessionOf({ status: 'ended', endTime: '2026-11-20T09:30:00.000Z', cost })
const source = { name: 'Energi Data Service', dataset: 'DayAheadPrices', licence: 'CC BY 4.0', simulated: false }
const explained: Data<typeof sessionCost> = {
  cost,
  quarters: [
    {
      from: '2026-11-20T09:00:00.000Z',
      kwh: '0.500',
      dkkPerMwh: { spot: '4000', tariff: '0', tax: '119' },
      dkk: '2.0595',
      unknown: null,
      gramsPerKwh: 50,
    },
    {
      from: '2026-11-20T09:15:00.000Z',
      kwh: '1.500',
      dkkPerMwh: { spot: '4100', tariff: '0', tax: '119' },
      dkk: '6.3285',
      unknown: null,
      gramsPerKwh: null,
    },
  ],
  price: { validFrom: null, area: 'DK2', taxValue: '119', tariff: null, driverPrice: '2.5' },
  sources: { spot: source, tariff: null, emission: { ...source, dataset: 'CO2Emis' } },
  simulated: true,
}
const now = { validFrom: null, area: 'DK2', taxValue: '119', tariff: null, driverPrice: null }
const later = { ...now, validFrom: '2099-01-01', taxValue: '10.5', driverPrice: '2.75' }
const prices: Data<typeof findChargingPrices> = {
  chargers: [
    { _id: idOf(1), name: 'Port 1', prices: [now, later], now },
    { _id: idOf(2), name: 'Port 2', prices: [], now: null },
  ],
  tariffs: [{ _id: '5790000705689:C', owner: 'Radius', code: 'C', name: 'Nettarif C' }],
}
const open = (search: string, who: User['userRole'] = 'sudoer') =>
  openEvCharging(search, {
    who,
    transactions: [session],
    more: {
      [`GET /client/evc/transaction/${sessionId}/cost`]: () => ({ data: explained }),
      'GET /client/evc/price': () => ({ data: prices }),
      'POST /client/evc/price': () => ({ message: m.chargingPriceSaved }),
      [`DELETE /client/evc/price/${idOf(1)}/2099-01-01`]: () => ({ message: m.chargingPriceDeleted }),
    },
  })

test('a session’s cost opens quarter by quarter; an unknown value is –, and simulated data is marked', async () => {
  await open('?tab=transactions')
  await userEvent.click(button('How the cost of 8,39 DKK is calculated'))
  const rows = dialog.getByRole('row')
  await expect.element(rows.nth(2)).toBeVisible()
  expect(rows.nth(1).element().textContent).toContain('0,500')
  expect(rows.nth(2).element().textContent).toContain('6,3285–')
  await expect.element(dialog.getByText('Simulated')).toBeVisible()
  await expect.element(dialog.getByText(/spread evenly/)).toBeVisible()
  await expectClean()
})

test.each([2, 40])('the dialog of a cost does not grow when its %i quarters arrive', async (count) => {
  const startMs = Date.parse('2026-11-20T09:00:00.000Z')
  const at = (i: number) => new Date(startMs + i * quarterMs).toISOString()
  const quarters = Array.from({ length: count }, (_, i) => ({ ...explained.quarters[0], from: at(i) }))
  const { promise, resolve } = Promise.withResolvers<{ data: object }>()
  await openEvCharging('?tab=transactions', {
    transactions: [{ ...session, startTime: at(0), endTime: at(count) }],
    more: { [`GET /client/evc/transaction/${sessionId}/cost`]: () => promise },
  })
  await userEvent.click(button('How the cost of 8,39 DKK is calculated'))
  await expect.element(dialog.getByRole('status', { name: 'Loading' })).toBeVisible()
  const height = () => dialog.element().clientHeight
  const before = height()
  resolve({ data: { ...explained, quarters } })
  await expect.element(dialog.getByRole('row').nth(count)).toBeInTheDocument()
  expect(height()).toBe(before)
})

test('prices: the current one, the planned one, and a charger without a price', async () => {
  await open('?tab=chargers')
  const table = page.getByRole('table', { name: 'Charging prices' })
  await expect.element(table.getByText('Valid today')).toBeVisible()
  await expect.element(table.getByText('Planned')).toBeVisible()
  await expect.element(table.getByText('No price', { exact: true })).toBeVisible()
})

test('a price is set for all chargers; the form starts with the current price', async () => {
  const { changes } = await open('?tab=chargers')
  await userEvent.click(button('Set price'))
  await userEvent.fill(dialog.getByRole('textbox', { name: 'Tax value' }), '1,5x')
  await userEvent.click(dialog.getByRole('button', { name: 'Set price' }))
  await expect.element(dialog.getByText(m.decimalOrInteger)).toBeVisible()
  await userEvent.fill(dialog.getByRole('textbox', { name: 'Tax value' }), '1,5')
  await userEvent.fill(dialog.getByRole('textbox', { name: 'Driver pays' }), '2,75')
  await userEvent.click(dialog.getByRole('button', { name: 'Set price' }))
  await expect.element(dialog).not.toBeInTheDocument()
  expect(changes()).toMatchObject([
    {
      call: 'POST /client/evc/price',
      body: { chargers: [idOf(1), idOf(2)], area: 'DK2', taxValue: 1.5, tariff: null, driverPrice: '2.75' },
    },
  ])
})

test('a planned price is deleted after a confirmation', async () => {
  const { changes } = await open('?tab=chargers')
  await userEvent.click(button('Delete the price of Port 1 from 01.01.2099'))
  await userEvent.click(dialog.getByRole('button', { name: 'Delete' }))
  await expect.element(dialog).not.toBeInTheDocument()
  expect(changes()).toHaveLength(1)
})

test('R1 an auditor reads prices and statements and cannot change them', async () => {
  await open('?tab=chargers', 'auditor')
  await expect.element(page.getByRole('table', { name: 'Charging prices' }).getByText('Planned')).toBeVisible()
  await expect.element(button('Set price')).not.toBeInTheDocument()
  await expect.element(button(/Delete the price/)).not.toBeInTheDocument()
})

test('a group’s statement is chosen by month and file', async () => {
  await open('?tab=tag&subTab=group', 'auditor')
  await userEvent.click(button('Statement of Vans'))
  await expect.element(dialog.getByRole('textbox', { name: 'Month' })).toBeVisible()
  await expect.element(dialog.getByRole('radio', { name: 'PDF' })).toBeChecked()
  await expectClean()
})
