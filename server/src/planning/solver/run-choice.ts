import { localDateOf } from '@gridmast/contract/time.ts'
import type { OnOff } from './plan.ts'
import { runsOf, usableHours, type Grid } from './quarters.ts'

/** Optimal runs of an on/off load by dynamic programming over the time in its state, the quarters run and today's starts. */

/** A larger table takes longer than the solver. */
const maxCells = 4_000_000

type RunProblem = {
  grid: Grid
  load: OnOff
  prices: readonly number[]
  /** Of a missed kWh; null where the need is firm. */
  missedPrice: number | null
}

/** On or off per quarter; null where nothing is feasible, or the table would be too large. */
export const chooseRuns = ({
  grid,
  load,
  prices,
  missedPrice,
}: RunProblem): { cost: number; isOn: boolean[] } | null => {
  const usable = usableHours(grid, load)
  const { forcedOn, forcedOff, most } = runsOf(grid, load)
  const [run, pause] = [Math.max(1, load.minRunQuarters), Math.max(1, load.minPauseQuarters)]
  const starts = load.maxStartsADay === null ? 0 : load.maxStartsADay
  const count = usable.length
  // Ages below `run` are on and grow up to it, the others are off and grow up to the length of a pause.
  const [ages, counts, startCounts] = [run + pause, most + 1, starts + 1]
  const width = ages * counts * startCounts
  if (width * (count + 1) > maxCells) return null
  const cell = (age: number, ran: number, started: number) => (age * counts + ran) * startCounts + started
  const quarterKwh = load.kw / 4
  const days = grid.fromMs.map(localDateOf)
  const isPart = (usable[0] ?? 0) > 0 && usable[0] !== 0.25

  const within = (first: boolean | null): { cost: number; isOn: boolean[] } | null => {
    let now = new Float64Array(width).fill(Infinity)
    const before: Int32Array[] = []
    const startedToday = load.maxStartsADay === null ? 0 : Math.min(starts, load.startsToday)
    now[cell(load.isOn ? run - 1 : ages - 1, 0, startedToday)] = 0
    for (let q = 0; q < count; q++) {
      const next = new Float64Array(width).fill(Infinity)
      const from = new Int32Array(width).fill(-1)
      const isNewDay = q > 0 && days[q] !== days[q - 1]
      const mayBeOn = (usable[q] ?? 0) > 0 && q >= forcedOff && (q > 0 || first !== false)
      const mayBeOff = q >= forcedOn && (q > 0 || first !== true)
      const isCounted = usable[q] === 0.25
      const price = prices[q] ?? 0
      for (let at = 0; at < width; at++) {
        const cost = now[at] ?? Infinity
        if (cost === Infinity) continue
        const started = isNewDay ? 0 : at % startCounts
        const ran = Math.floor(at / startCounts) % counts
        const age = Math.floor(at / (startCounts * counts))
        const wasOn = age < run
        const move = (to: number, costs: number) => {
          if (costs >= (next[to] ?? Infinity)) return
          next[to] = costs
          from[to] = at
        }
        const nowRan = ran + (isCounted ? 1 : 0)
        if (mayBeOn && nowRan <= most) {
          if (wasOn) move(cell(Math.min(run - 1, age + 1), nowRan, started), cost + price)
          else if (age === ages - 1 && q + run <= count && (load.maxStartsADay === null || started < starts))
            move(cell(0, nowRan, load.maxStartsADay === null ? 0 : started + 1), cost + price)
        }
        if (!mayBeOff) continue
        if (!wasOn) move(cell(Math.min(ages - 1, age + 1), ran, started), cost)
        else if (age === run - 1) move(cell(run, ran, started), cost)
      }
      before.push(from)
      now = next
    }
    const firstKwh = first ? load.kw * (usable[0] ?? 0) : 0
    let [best, end] = [Infinity, -1]
    for (let at = 0; at < width; at++) {
      const missed = Math.max(0, load.needKwh - firstKwh - (Math.floor(at / startCounts) % counts) * quarterKwh)
      if (missed > 1e-9 && missedPrice === null) continue
      const cost = (now[at] ?? Infinity) + missed * (missedPrice ?? 0)
      if (cost < best) [best, end] = [cost, at]
    }
    if (end < 0) return null
    const isOn: boolean[] = []
    for (let q = count - 1; q >= 0; q--) {
      isOn.unshift(Math.floor(end / (startCounts * counts)) < run)
      end = before[q]?.[end] ?? -1
    }
    return { cost: best, isOn }
  }
  if (!isPart) return within(null)
  const candidates = [within(false), within(true)].filter((one) => one !== null)
  return candidates.toSorted((a, b) => a.cost - b.cost)[0] ?? null
}
