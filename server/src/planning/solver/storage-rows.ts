import { limitColumn, limitOf, limitRow, type Program } from './limits.ts'
import { addColumn, addRow, type Prices, type Term } from './model.ts'
import type { Storage } from './plan.ts'
import { type Grid, storageHours } from './quarters.ts'

const addWays = ({ model }: Program, grid: Grid, load: Storage, no: number, prices: Prices, isOneWay: boolean) =>
  storageHours(grid, load).map((hours, q) => {
    const [most, mostBack] = [load.chargeKw * hours, load.dischargeKw * hours]
    const charge = addColumn(model, { upper: most, cost: prices.tie(no, q) })
    const discharge = addColumn(model, { upper: mostBack, cost: prices.tie(no, q) })
    if (isOneWay) {
      const isIn = addColumn(model, { upper: 1, isInteger: true })
      const [into, back]: Term[][] = [
        [
          [charge, 1],
          [isIn, -most],
        ],
        [
          [discharge, 1],
          [isIn, mostBack],
        ],
      ]
      addRow(model, { terms: into ?? [], sense: '<=', limit: 0 })
      addRow(model, { terms: back ?? [], sense: '<=', limit: mostBack })
    }
    return { charge, discharge }
  })

const addStored = (
  program: Program,
  load: Storage,
  no: number,
  ways: readonly { charge: number; discharge: number }[],
) => {
  const { model } = program
  const lowest = limitOf(program, { limit: 'stored-lowest', id: load.id, unit: 'kWh', now: load.lowestKwh })
  const capacity = limitOf(program, { limit: 'stored-capacity', id: load.id, unit: 'kWh', now: load.capacityKwh })
  // A state of charge outside its limits is accepted, but may not move further out.
  const floor = Math.min(load.lowestKwh, load.nowKwh)
  const upper = Math.max(load.capacityKwh, load.nowKwh)
  const stored = ways.map(() => addColumn(model, { upper }))
  ways.forEach(({ charge, discharge }, q) => {
    const [now, before] = [stored[q] ?? 0, stored[q - 1]]
    const kept: Term[] = [
      [now, 1],
      [charge, -load.chargeEfficiency],
      [discharge, 1 / load.dischargeEfficiency],
    ]
    if (before !== undefined) kept.push([before, -1])
    addRow(model, { terms: kept, sense: '=', limit: before === undefined ? load.nowKwh : 0 })
    limitColumn(program, now, q, capacity, 1)
    limitRow(program, { terms: [[now, 1]], sense: '>=', limit: floor }, q, [lowest, 1])
  })
  return stored
}

export const endedBy = (grid: Grid, atMs: number): number =>
  Math.max(
    0,
    grid.toMs.findLastIndex((end) => end <= atMs),
  )

export const addStorage = (
  program: Program,
  grid: Grid,
  load: Storage,
  no: number,
  prices: Prices,
  isOneWay: boolean,
) => {
  const { model, wishes } = program
  const ways = addWays(program, grid, load, no, prices, isOneWay)
  const stored = addStored(program, load, no, ways)
  const addWish = (
    wish: 'stored-least' | 'stored-most' | 'target',
    kwh: number,
    quarters: readonly { quarter: number; weight: number }[],
  ) => {
    const isMost = wish === 'stored-most'
    const places = quarters.map(({ quarter, weight }) => {
      const column = addColumn(model, { cost: prices.wish * weight })
      const terms: Term[] = [
        [stored[quarter] ?? 0, 1],
        [column, isMost ? -1 : 1],
      ]
      addRow(model, { terms, sense: isMost ? '<=' : '>=', limit: kwh })
      return { column, perUnit: 1, quarter }
    })
    wishes.push({ wish, loadId: load.id, wished: kwh, unit: 'kWh', places })
  }
  // Per kWh and hour, half of a missed target's cost, which takes precedence.
  const always = grid.hours.map((hours, quarter) => ({ quarter, weight: hours / 2 }))
  if (load.wishedLeastKwh !== null) addWish('stored-least', load.wishedLeastKwh, always)
  if (load.wishedMostKwh !== null) addWish('stored-most', load.wishedMostKwh, always)
  if (load.target) {
    const { kwh, atMs, isFirm } = load.target
    const quarter = endedBy(grid, atMs)
    const limit = limitOf(program, { limit: 'target', id: load.id, unit: 'kWh', now: kwh })
    const terms: Term[] = [[stored[quarter] ?? 0, 1]]
    if (isFirm) limitRow(program, { terms, sense: '>=', limit: kwh }, quarter, [limit, 1])
    else addWish('target', kwh, [{ quarter, weight: 1 }])
  }
  const takes = ways.map(({ charge, discharge }): Term[] => [
    [charge, 1],
    [discharge, -1],
  ])
  return { takes, stored, ways }
}
