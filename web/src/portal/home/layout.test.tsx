import { dashboardForm } from '@gridmast/contract/people/customer.ts'
import { expect, test } from 'vitest'
import { cellsOf, formOf, cellForLicences, withCellMoved, rows, soldCellsOf, widthOf } from './layout.ts'

const [energy, first, second] = rows
const [instance, frequency, signal] = [1, 2, 3].map((n) => `44444444-4444-4444-8444-44444444444${n}`) as [
  string,
  string,
  string,
]
const config = {
  r1c1: { frequencyId: frequency },
  r1c2: { value: 'aFRR', groupId: instance },
  r2c1: { priceSignalId: signal },
  r2c2: { groupId: instance, licenseTypeId: instance },
  r3c1: { value: 'FFR' },
  eventMarkets: ['FFR'],
}
const cardsOf = (given: Parameters<typeof cellsOf>[0], row: Parameters<typeof cellsOf>[1]) =>
  cellsOf(given, row).map(({ card }) => card)

test('without a selection the cells have the defaults of the specification; a card of the other row is invalid', () => {
  expect(cardsOf({}, first)).toEqual(['frequency', 'capacity', 'revenue'])
  expect(cardsOf({}, second)).toEqual(['powerCost', 'instance'])
  expect(cardsOf({ r1c1: { card: 'powerCost' }, r2c1: { card: 'instance' } }, first)).toEqual(cardsOf({}, first))
  expect(cardsOf({ r2c1: { card: 'instance' } }, second)).toEqual(['instance', 'instance'])
})

test('a cell of the data-hub licence shows its cost and consumption in place of the power, of another licence the power', () => {
  const cellsOfType = (name: string) =>
    cellsOf(config, second).map((cell) =>
      cellForLicences(cell, { [instance]: { licenseType: { name, icon: '' }, enabled: true } }),
    )
  expect(cellsOfType('dataHub').map(({ card }) => card)).toEqual(['powerCost', 'dataHub'])
  expect(cellsOfType('aFRR').map(({ card }) => card)).toEqual(['powerCost', 'instance'])
  expect(dashboardForm.parse(formOf({ r2c1: { card: 'dataHub' } })).r2c1).toEqual({ card: 'dataHub' })
})

test('a frequency is as wide as two others; without it, or with two, all are equal; a single card fills its row', () => {
  const widths = (cells: ReturnType<typeof cellsOf>) => cells.map((cell) => widthOf(cell, cells))
  expect(widths(cellsOf({}, first))).toEqual(['half', 'quarter', 'quarter'])
  expect(widths(cellsOf({ r1c1: { card: 'capacity' } }, first))).toEqual(['third', 'third', 'third'])
  expect(widths(cellsOf({ r1c3: { card: 'frequency' } }, first))).toEqual(['third', 'third', 'third'])
  expect(widths(cellsOf({}, second))).toEqual(['half', 'half'])
  expect(widths(cellsOf({}, second).slice(1))).toEqual(['whole'])
})

test('the energy picture is the first row, on by default, and a card of the second row', () => {
  expect(cardsOf({}, energy)).toEqual(['energy'])
  expect(cardsOf({ r2c1: { card: 'energy' } }, second)).toEqual(['energy', 'instance'])
  expect(formOf({ enableEnergyRow: false })).toMatchObject({ enableEnergyRow: false, r0c1: { card: 'energy' } })
})

test('a moved card keeps its settings, and the cards between move over', () => {
  const after = withCellMoved(config, first, 0, 2)
  expect(cellsOf(after, first)).toEqual([
    { name: 'r1c1', card: 'capacity', value: 'aFRR', groupId: instance },
    { name: 'r1c2', card: 'revenue' },
    { name: 'r1c3', card: 'frequency', frequencyId: frequency },
  ])
  expect(cellsOf(withCellMoved(after, first, 2, 0), first)).toEqual(cellsOf(config, first))
  expect(cellsOf(after, second)).toEqual(cellsOf(config, second))
})

test('the request fits the call: each card with its own settings only', () => {
  const form = formOf({ ...config, enableSecondRow: false })
  expect(dashboardForm.parse(form)).toEqual({
    enableEnergyRow: true,
    r0c1: { card: 'energy' },
    enableFirstRow: true,
    enableSecondRow: false,
    enableEventFaultRow: true,
    r1c1: { card: 'frequency', frequencyId: frequency },
    r1c2: { card: 'capacity', value: 'aFRR', groupId: instance },
    r1c3: { card: 'revenue' },
    r2c1: { card: 'powerCost', priceSignalId: signal },
    r2c2: { card: 'instance', groupId: instance },
    enableThirdRow: false,
    r3c1: { value: 'FFR' },
    r3c2: {},
  })
  expect(dashboardForm.parse(formOf({ r3c2: { value: 'DC-PLANNER', groupId: instance } })).r3c2).toEqual({})
  expect(dashboardForm.parse(formOf({ r1c2: { value: 'mFRR', priceSignalId: signal } })).r1c2).toEqual({
    card: 'capacity',
  })
})

test('the third row has the sold capacity of markets that the company may be sold on, where it is switched on', () => {
  const cells = { r3c1: { value: 'FFR' }, r3c2: { value: 'FCR', groupId: instance } }
  expect(soldCellsOf({ ...cells, enableThirdRow: true }, ['FFR', 'FCR'])).toEqual([
    { name: 'r3c1', market: 'FFR', groupId: undefined },
    { name: 'r3c2', market: 'FCR', groupId: instance },
  ])
  expect(soldCellsOf({ ...cells, enableThirdRow: true }, ['FCR']).map(({ name }) => name)).toEqual(['r3c2'])
  expect(soldCellsOf(cells, ['FFR', 'FCR'])).toEqual([])
})
