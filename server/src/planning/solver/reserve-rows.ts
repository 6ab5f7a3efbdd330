import { limitOf, limitRow, type LimitRows, type Program } from './limits.ts'
import type { LoadColumns } from './load-rows.ts'
import { addColumn, type Term } from './model.ts'
import type { SoldReserve } from './plan.ts'
import { mostKw, usableHours, type Grid } from './quarters.ts'

export type SoldColumns = { sold: SoldReserve; limit: LimitRows; left: number | null; quarters: readonly number[] }

type Way = 'up' | 'down'
type Sum = { terms: Term[]; fixed: number }

export const soldKwOf = ({ soldKw, upKw, downKw }: SoldReserve) => soldKw ?? Math.max(upKw, downKw)

const kwOf = (sold: SoldReserve, way: Way) => (way === 'up' ? sold.upKw : sold.downKw)
const kwhOf = (sold: SoldReserve, way: Way) => (way === 'up' ? sold.upKwh : sold.downKwh)

export const scaled = (terms: readonly Term[], by: number): Term[] =>
  terms.map(([column, factor]) => [column, factor * by])

const total = (sums: readonly Sum[]): Sum => ({
  terms: sums.flatMap(({ terms }) => terms),
  fixed: sums.reduce((sum, { fixed }) => sum + fixed, 0),
})

/** kWh that a load could drop (up) or add (down) in a quarter. */
const powerRoom = (grid: Grid, { load, takes }: LoadColumns, q: number, way: Way): Sum => {
  const mine = takes[q] ?? []
  const terms = way === 'up' ? mine : scaled(mine, -1)
  if (load.kind === 'storage')
    return { terms, fixed: (way === 'up' ? load.dischargeKw : load.chargeKw) * (grid.hours[q] ?? 0) }
  return { terms, fixed: way === 'up' ? 0 : mostKw(load) * (usableHours(grid, load)[q] ?? 0) }
}

/** kWh on the grid side that a storage could discharge (up) or charge (down) after a quarter, or before the first. */
const storedRoom = ({ load, stored }: LoadColumns, q: number, way: Way): Sum => {
  if (load.kind !== 'storage' || !stored) return { terms: [], fixed: 0 }
  const factor = way === 'up' ? load.dischargeEfficiency : -1 / load.chargeEfficiency
  const fixed = -factor * (way === 'up' ? load.lowestKwh : load.capacityKwh)
  const column = stored[q]
  return column === undefined
    ? { terms: [], fixed: fixed + factor * load.nowKwh }
    : { terms: [[column, factor]], fixed }
}

const asked = (slots: readonly SoldColumns[], of: (sold: SoldReserve) => number): Sum => ({
  terms: slots.flatMap(({ sold, left }): Term[] => (left === null ? [] : [[left, -of(sold)]])),
  fixed: slots.reduce((sum, { sold }) => sum + of(sold), 0),
})

/** kWh above a quarter's plan that the connection must carry when its slots are activated. */
export const calledIn = (grid: Grid, slots: readonly SoldColumns[], q: number, way: Way) => {
  const of = slots.filter(({ sold, quarters }) => kwOf(sold, way) > 0 && quarters.includes(q))
  const hours = grid.hours[q] ?? 0
  const limits = of.map(({ sold, limit }) => [limit, (kwOf(sold, way) / soldKwOf(sold)) * hours] as const)
  return { ...asked(of, (sold) => kwOf(sold, way) * hours), limits }
}

/** Power in each quarter and, with storages, energy before and after it; other loads keep a change up for as long as required. */
const addRoom = (
  program: Program,
  grid: Grid,
  loads: readonly LoadColumns[],
  slots: readonly SoldColumns[],
  way: Way,
) => {
  const row = (q: number, has: Sum, of: readonly SoldColumns[], needs: Sum, perKw: (sold: SoldReserve) => number) =>
    limitRow(
      program,
      { terms: [...has.terms, ...scaled(needs.terms, -1)], sense: '>=', limit: needs.fixed - has.fixed },
      q,
      ...of.map(({ sold, limit }) => [limit, perKw(sold)] as const),
    )
  for (const q of grid.hours.keys()) {
    const of = slots.filter(({ sold, quarters }) => kwOf(sold, way) > 0 && quarters.includes(q))
    const hours = grid.hours[q] ?? 0
    if (of.length === 0 || hours === 0) continue
    const powers = loads.map((one) => powerRoom(grid, one, q, way))
    row(
      q,
      total(powers),
      of,
      asked(of, (sold) => kwOf(sold, way) * hours),
      (sold) => (kwOf(sold, way) / soldKwOf(sold)) * hours,
    )
    const energy = asked(of, (sold) => kwhOf(sold, way))
    if (energy.fixed <= 0 || loads.every(({ stored }) => stored === null)) continue
    const lastingHours = Math.max(...of.map(({ sold }) => kwhOf(sold, way) / kwOf(sold, way)))
    const lasting = loads.flatMap(({ stored }, i): Sum[] => {
      const { terms, fixed } = powers[i] ?? { terms: [], fixed: 0 }
      const by = lastingHours / hours
      return stored === null ? [{ terms: scaled(terms, by), fixed: fixed * by }] : []
    })
    for (const end of [q - 1, q])
      row(
        q,
        total([...loads.map((one) => storedRoom(one, end, way)), ...lasting]),
        of,
        energy,
        (sold) => kwhOf(sold, way) / soldKwOf(sold),
      )
  }
}

/** Slots have the same loads or disjoint ones; `dkk` is one DKK in objective units. */
export const addSold = (
  program: Program,
  grid: Grid,
  loads: readonly LoadColumns[],
  sold: readonly SoldReserve[],
  dkk: number,
): SoldColumns[] => {
  const slots = sold.flatMap((slot): SoldColumns[] => {
    const quarters = [...grid.hours.keys()].filter(
      (q) => (grid.toMs[q] ?? 0) > slot.fromMs && (grid.fromMs[q] ?? 0) < slot.toMs,
    )
    if (quarters.length === 0) return []
    const limit = limitOf(program, { limit: 'sold-reserve', id: slot.id, unit: 'kW', now: soldKwOf(slot) })
    const cost = slot.leaving ? (Number(slot.leaving.lostDkk) + Number(slot.leaving.penaltyDkk)) * dkk : 0
    const left = slot.leaving ? addColumn(program.model, { upper: 1, isInteger: true, cost }) : null
    return [{ sold: slot, limit, left, quarters }]
  })
  const groups = Map.groupBy(slots, (slot) => slot.sold.loadIds.toSorted().join('\n'))
  for (const of of groups.values()) {
    const ids = of[0]?.sold.loadIds ?? []
    const own = loads.filter(({ load }) => ids.includes(load.id))
    for (const way of ['up', 'down'] as const) addRoom(program, grid, own, of, way)
  }
  return slots
}
