import { requestSlots } from '@gridmast/contract/bid-slots.ts'
import type { DashboardForm } from '@gridmast/contract/people/customer.ts'
import { type CapabilityName, can } from '@gridmast/contract/roles.ts'
import {
  type Customer,
  capacityMarkets,
  type DashboardCard,
  type DashboardCell,
  type DashboardConfig,
  type User,
} from '@gridmast/contract/people/user.ts'
import { allInstances } from '#grid/card-requests.ts'
import { subjectOf } from '#lib/user.tsx'
import { eventTypes } from '@gridmast/contract/markets.ts'
import { searchParams, type ParamsOf, oneOf, flag, id, either } from '#lib/search-params.ts'

/** Defaults are omitted, and invalid values are dropped. */
export const homeSearch = searchParams({
  day: oneOf('tomorrow'),
  resolution: oneOf('quarter'),
  view: oneOf('consumption'),
  events: oneOf(...eventTypes),
  capacity: either(oneOf('all'), id),
  edit: flag,
  instance: id,
})
export type HomeSearch = ParamsOf<typeof homeSearch>

export const rows = [
  { flag: 'enableEnergyRow', cells: ['r0c1'], cards: ['energy', 'powerCost', 'instance', 'dataHub'] },
  { flag: 'enableFirstRow', cells: ['r1c1', 'r1c2', 'r1c3'], cards: ['frequency', 'capacity', 'revenue'] },
  { flag: 'enableSecondRow', cells: ['r2c1', 'r2c2'], cards: ['powerCost', 'instance', 'dataHub', 'energy'] },
] as const satisfies { flag: string; cells: string[]; cards: DashboardCard[] }[]
export type DashboardRow = (typeof rows)[number]
export type CellName = DashboardRow['cells'][number]
export type Cell = DashboardCell & { name: CellName; card: DashboardCard }

/** On by default. */
export const isOn = (config: DashboardConfig, flag: DashboardRow['flag'] | 'enableEventFaultRow') =>
  config[flag] !== false

export const cellsOf = (config: DashboardConfig, row: DashboardRow): Cell[] =>
  row.cells.map((name, i) => {
    const defaultCard: DashboardCard = row.cards[i] ?? 'revenue'
    const allowed: readonly DashboardCard[] = row.cards
    const { card, ...chosen } = config[name] ?? {}
    return { ...chosen, name, card: card && allowed.includes(card) ? card : defaultCard }
  })

/** A cell of the data hub licence shows its cost and consumption instead of an instance's power (specification text 1, section 2). */
export const cellForLicences = (cell: Cell, licences: Customer['enabledLicense']): Cell =>
  cell.card === 'instance' && licences[cell.licenseTypeId ?? '']?.licenseType.name === 'dataHub'
    ? { ...cell, card: 'dataHub' }
    : cell

export const visibleRows = (user: User): Cell[][] => {
  const { e3DashboardConfig: config, enabledLicense, instances } = user.customerId
  const may = (capability: CapabilityName) => can(subjectOf(user), capability)
  const isVisible: Record<DashboardCard, boolean> = {
    frequency: true,
    capacity: true,
    revenue: may('revenue.read'),
    powerCost: may('prices.read'),
    instance: instances.length > 0,
    dataHub: may('data-hub.overview'),
    energy: may('power.read') && instances.length > 0,
  }
  return rows
    .filter(({ flag }) => isOn(config, flag))
    .map((row) =>
      cellsOf(config, row)
        .map((cell) => cellForLicences(cell, enabledLicense))
        .filter(({ card }) => isVisible[card]),
    )
}

/** The first signal replaces one that no longer exists. */
export const signalOf = ({ frequencyId }: Cell, { frequency }: Customer) =>
  frequency.find(({ _id }) => _id === frequencyId) ?? frequency[0]

/** Market of a capacity, and its default instance. */
export const capacityOf = ({ value = 'FCR-D-INC', groupId = allInstances }: Cell) => ({
  market: value,
  defaultInstance: groupId,
})

export const soldCells = ['r3c1', 'r3c2'] as const
export type SoldCell = { name: (typeof soldCells)[number]; market: string; groupId: string | undefined }

/** The third row shows the sold capacity of a market; unlike the others it is off by default. */
export const soldCellsOf = (config: DashboardConfig, biddingMarkets: readonly string[]) =>
  soldCells.flatMap((name): SoldCell[] => {
    const { value: market, groupId } = config[name] ?? {}
    return config.enableThirdRow && market !== undefined && biddingMarkets.includes(market)
      ? [{ name, market, groupId }]
      : []
  })

const soldCellBody = ({ value, groupId }: DashboardCell = {}) =>
  value === undefined || requestSlots(value) === null ? {} : { value, ...(groupId ? { groupId } : {}) }

export type Width = 'whole' | 'half' | 'third' | 'quarter'

/** A frequency is wide, with two narrow cards next to it; without one, or with two, all have the same width. */
export const widthOf = (cell: Cell, cells: readonly Cell[]): Width => {
  if (cells.length === 1) return 'whole'
  if (cells.length === 2) return 'half'
  if (cells.filter(({ card }) => card === 'frequency').length !== 1) return 'third'
  return cell.card === 'frequency' ? 'half' : 'quarter'
}

type CellBody = DashboardForm[CellName]
const marketOf = (value: string | undefined) => capacityMarkets.find((market) => market === value)

const cellBody = <C extends DashboardCard>({ value, groupId, frequencyId, priceSignalId }: DashboardCell, card: C) => {
  const market = card === 'capacity' ? marketOf(value) : undefined
  return {
    card,
    ...(market ? { value: market } : {}),
    ...((card === 'capacity' || card === 'instance') && groupId ? { groupId } : {}),
    ...(card === 'frequency' && frequencyId ? { frequencyId } : {}),
    ...(card === 'powerCost' && priceSignalId ? { priceSignalId } : {}),
  } satisfies Omit<CellBody, 'card'> & { card: C }
}

export const formOf = (config: DashboardConfig): DashboardForm => {
  const [energy, first, second] = rows
  const cells = new Map(rows.flatMap((row) => cellsOf(config, row)).map((cell) => [cell.name, cell]))
  const narrow = (name: (typeof first.cells)[number]) => {
    const cell = cells.get(name)
    return cellBody(cell ?? {}, first.cards.find((card) => card === cell?.card) ?? 'revenue')
  }
  const wide = (name: (typeof second.cells | typeof energy.cells)[number]) => {
    const cell = cells.get(name)
    return cellBody(cell ?? {}, second.cards.find((card) => card === cell?.card) ?? 'instance')
  }
  return {
    enableEnergyRow: isOn(config, 'enableEnergyRow'),
    r0c1: wide('r0c1'),
    enableFirstRow: isOn(config, 'enableFirstRow'),
    enableSecondRow: isOn(config, 'enableSecondRow'),
    enableEventFaultRow: isOn(config, 'enableEventFaultRow'),
    r1c1: narrow('r1c1'),
    r1c2: narrow('r1c2'),
    r1c3: narrow('r1c3'),
    r2c1: wide('r2c1'),
    r2c2: wide('r2c2'),
    enableThirdRow: config.enableThirdRow === true,
    r3c1: soldCellBody(config.r3c1),
    r3c2: soldCellBody(config.r3c2),
  }
}

export const withCellMoved = (
  config: DashboardConfig,
  row: DashboardRow,
  from: number,
  to: number,
): DashboardConfig => {
  const cells = cellsOf(config, row).map(({ name: _, ...cell }) => cell)
  const [cell] = cells.splice(from, 1)
  if (!cell) return config
  cells.splice(to, 0, cell)
  return { ...config, ...Object.fromEntries(row.cells.map((name, i) => [name, cells[i]])) }
}
