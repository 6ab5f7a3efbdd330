import {
  limitColumn,
  limitOf,
  difference,
  limitRow,
  type Program,
  addColumn,
  addRow,
  type Prices,
  type Term,
} from './model.ts'
import type { Storage, Load, OnOff } from './plan.ts'
import { type Grid, storageHours, minPowerKw, maxPowerKw, runsOf, usableHours, type Consumer } from './quarters.ts'
import { localDateOf } from '@gridmast/contract/time.ts'

const addWays = ({ model }: Program, grid: Grid, load: Storage, no: number, prices: Prices, isOneWay: boolean) =>
  storageHours(grid, load).map((hours, q) => {
    const [most, maxBack] = [load.chargeKw * hours, load.dischargeKw * hours]
    const charge = addColumn(model, { upper: most, cost: prices.tie(no, q) })
    const discharge = addColumn(model, { upper: maxBack, cost: prices.tie(no, q) })
    if (isOneWay) {
      const isIn = addColumn(model, { upper: 1, isInteger: true })
      addRow(model, { terms: difference(charge, isIn, most), sense: '<=', limit: 0 })
      addRow(model, { terms: difference(discharge, isIn, -maxBack), sense: '<=', limit: maxBack })
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

export const endedBy = (grid: Grid, atMs: number): number => {
  const last = grid.toMs.findLastIndex((end) => end <= atMs)
  return Math.max(0, last)
}

const addStorage = (program: Program, grid: Grid, load: Storage, no: number, prices: Prices, isOneWay: boolean) => {
  const { model, wishes } = program
  const directions = addWays(program, grid, load, no, prices, isOneWay)
  const stored = addStored(program, load, no, directions)
  const addWish = (
    wish: 'stored-least' | 'stored-most' | 'target',
    kwh: number,
    quarters: readonly { quarter: number; weight: number }[],
  ) => {
    const isMost = wish === 'stored-most'
    const places = quarters.map(({ quarter, weight }) => {
      const column = addColumn(model, { cost: prices.wish * weight })
      const terms = difference(stored[quarter] ?? 0, column, isMost ? 1 : -1)
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
  return { kwhTerms: directions.map(({ charge, discharge }) => difference(charge, discharge)), stored, directions }
}

export type LoadColumns = {
  load: Load
  /** Its kWh by quarter: a sum of columns; negative factors discharge. */
  kwhTerms: Term[][]
  stored: number[] | null
  directions: { charge: number; discharge: number }[] | null
  onOff?: { isOn: number[]; rows: { from: number; to: number } }
}

const moreThanNeeded = (program: Program, { id, needKwh }: Consumer) =>
  program.canRelax ? limitOf(program, { limit: 'need', id, raises: true, unit: 'kWh', now: needKwh }) : null

/** A need is met exactly, or by whole quarters at least; an optional need may be missed at a price. */
const addNeed = (program: Program, grid: Grid, load: Consumer, kwhTerms: readonly Term[][], prices: Prices) => {
  const terms = kwhTerms.flat()
  const begun = grid.fromMs.findLastIndex((at) => at < load.deadlineMs)
  const last = Math.max(0, begun)
  if (!load.isFirm) {
    const column = addColumn(program.model, { cost: prices.wish, upper: load.needKwh })
    terms.push([column, 1])
    const places = [{ column, perUnit: 1, quarter: last }]
    program.wishes.push({ wish: 'need', loadId: load.id, wished: load.needKwh, unit: 'kWh', places })
  }
  const limit = limitOf(program, { limit: 'need', id: load.id, unit: 'kWh', now: load.needKwh })
  const sense = load.kind === 'on-off' ? '>=' : '='
  const more = sense === '=' ? moreThanNeeded(program, load) : null
  limitRow(program, { terms, sense, limit: load.needKwh }, last, [limit, 1], ...(more ? [[more, -1] as const] : []))
  if (load.kind === 'on-off' && limit.slack === null) addWholeQuarters(program, load, terms)
}

/** The need in whole quarters, a cut that the relaxation does not contain (mixed-integer rounding). */
const addWholeQuarters = ({ model }: Program, load: OnOff, terms: readonly Term[]) => {
  const quarterKwh = load.kw / 4
  const count = load.needKwh / quarterKwh
  const part = count - Math.floor(count)
  if (part < 1e-6 || part > 1 - 1e-6) return
  const rounded = terms.map(([column, factor]): Term => {
    const share = factor / quarterKwh
    if (!model.columns[column]?.isInteger) return [column, share / part]
    return [column, share > 1 - 1e-9 ? 1 : Math.min(1, share / part)]
  })
  addRow(model, { terms: rounded, sense: '>=', limit: Math.ceil(count) })
}

const addShiftable = (program: Program, grid: Grid, load: Exclude<Consumer, OnOff>, no: number, prices: Prices) => {
  const [most, least] = [maxPowerKw(load), minPowerKw(load)]
  const power = limitOf(program, { limit: 'load-power', id: load.id, unit: 'kW', now: most })
  return usableHours(grid, load).map((hours, q): Term[] => {
    if (hours === 0) return []
    const column = addColumn(program.model, { upper: most * hours, cost: prices.tie(no, q) })
    limitColumn(program, column, q, power, hours)
    if (least > 0) {
      const isOn = addColumn(program.model, { upper: 1, isInteger: true })
      const atMost = difference(column, isOn, most * hours)
      // A higher limit has no value while the load is off: the column's own bound gives the value while it is on.
      const row = program.model.rows.length
      if (power.slack === null) addRow(program.model, { terms: atMost, sense: '<=', limit: 0 })
      else limitRow(program, { terms: atMost, sense: '<=', limit: 0 }, q, [power, hours])
      addRow(program.model, { terms: difference(column, isOn, least * hours), sense: '>=', limit: 0 })
      const rows = [row, row + 1] as const
      program.semis.push({ loadId: load.id, quarter: q, isOn, column, least: least * hours, rows })
    }
    return [[column, 1]]
  })
}

/** Minimum runs and pauses: a load started within a run's length is on; one on a pause's length ago has not started since (Rajan and Takriti). */
const addOnOff = (program: Program, grid: Grid, load: OnOff, no: number, prices: Prices) => {
  const { model } = program
  const { forcedOn, forcedOff, most } = runsOf(grid, load)
  const usable = usableHours(grid, load)
  const [run, pause] = [Math.max(1, load.minRunQuarters), Math.max(1, load.minPauseQuarters)]
  const columns = usable.map((hours, q) => ({
    isOn: addColumn(model, {
      lower: q < forcedOn ? 1 : 0,
      upper: hours > 0 && q >= forcedOff ? 1 : 0,
      isInteger: true,
      cost: load.kw * hours * prices.tie(no, q),
    }),
    starts: addColumn(model, { upper: q + run > usable.length ? 0 : 1 }),
  }))
  const startsIn = (q: number, length: number) =>
    columns.slice(Math.max(0, q - length + 1), q + 1).map(({ starts }): Term => [starts, 1])
  columns.forEach(({ isOn, starts }, q) => {
    const before = columns[q - 1]
    const turn: Term[] = [[isOn, 1], [starts, -1], ...(before ? [[before.isOn, -1] as const] : [])]
    addRow(model, { terms: turn, sense: '<=', limit: !before && load.isOn ? 1 : 0 })
    addRow(model, { terms: [...startsIn(q, run), [isOn, -1]], sense: '<=', limit: 0 })
    const pauseAgo = columns[q - pause]
    // The state before the first quarter is available for its last quarter only, and the rest of its pause is forced.
    const wasOn = !pauseAgo && q - pause === -1 && load.isOn ? 1 : 0
    const rest: Term[] = [...startsIn(q, pause), ...(pauseAgo ? [[pauseAgo.isOn, 1] as const] : [])]
    addRow(model, { terms: rest, sense: '<=', limit: 1 - wasOn })
  })
  // The rest of a started quarter is not a whole one, and is added.
  const whole = columns.filter((_, q) => usable[q] === 0.25).map(({ isOn }): Term => [isOn, 1])
  const more = moreThanNeeded(program, load)
  const limits = more ? [[more, 1 / (load.kw / 4)] as const] : []
  limitRow(program, { terms: whole, sense: '<=', limit: most }, 0, ...limits)
  if (load.maxStartsADay !== null) {
    const limit = limitOf(program, { limit: 'starts', id: load.id, unit: 'starts', now: load.maxStartsADay })
    const days = Map.groupBy(columns.keys(), (q) => localDateOf(grid.fromMs[q] ?? 0))
    let startedBefore = load.startsToday
    for (const quarters of days.values()) {
      const terms = quarters.map((q): Term => [columns[q]?.starts ?? 0, 1])
      const left = Math.max(0, load.maxStartsADay - startedBefore)
      limitRow(program, { terms, sense: '<=', limit: left }, quarters[0] ?? 0, [limit, 1])
      startedBefore = 0
    }
  }
  return {
    kwhTerms: columns.map(({ isOn }, q): Term[] => [[isOn, load.kw * (usable[q] ?? 0)]]),
    isOn: columns.map(({ isOn }) => isOn),
  }
}

export const addLoad = (program: Program, grid: Grid, load: Load, no: number, prices: Prices, isOneWay: boolean) => {
  if (load.kind === 'storage') return { load, ...addStorage(program, grid, load, no, prices, isOneWay) }
  const from = program.model.rows.length
  const { kwhTerms, isOn } =
    load.kind === 'on-off'
      ? addOnOff(program, grid, load, no, prices)
      : { kwhTerms: addShiftable(program, grid, load, no, prices), isOn: null }
  addNeed(program, grid, load, kwhTerms, prices)
  const onOff = isOn && { isOn, rows: { from, to: program.model.rows.length } }
  return { load, kwhTerms, stored: null, directions: null, ...(onOff && { onOff }) }
}
