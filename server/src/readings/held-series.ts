import type { Sample } from './latest.ts'
import type { Run } from './writer.ts'

/** Single samples in order of time. */
export type Samples = { x: number[]; y: number[] }

/** The samples of one series from `floorMs` on, all of them, in order of time. Changed by the functions of this file only. */
export type HeldSeries = {
  floorMs: number
  /** The newest sample of all while none is held. */
  older: Sample | null
  /** Held are the places from `start` up to `end`. */
  start: number
  end: number
  baseMs: number
  /** Milliseconds after `baseMs`: half of what instants take. */
  at: Uint32Array<ArrayBuffer>
  /** Thousandths as long as no value needs more, which halves them too; else the values as they are. */
  values: Int32Array<ArrayBuffer> | Float64Array<ArrayBuffer>
}

/** Ten a second for an hour: of a series that is denser a shorter time is held. */
export const mostSamples = 36_000
const farthestMs = 2 ** 32 - 1
const objectBytes = 600

export const emptySeries = (floorMs: number, older: Sample | null): HeldSeries => ({
  ...{ floorMs, older, start: 0, end: 0, baseMs: floorMs },
  ...{ at: new Uint32Array(0), values: new Int32Array(0) },
})

export const bytesOf = ({ at, values }: HeldSeries): number => at.byteLength + values.byteLength + objectBytes

/** Takes a run that was stored after everything that is held. False: it cannot be held, the store has to answer from now on. */
export const put = (series: HeldSeries, { t0Ms, dtMs, values }: Run, keepFromMs: number): boolean => {
  const lastMs = t0Ms + dtMs * (values.length - 1)
  const isOld = lastMs < series.floorMs
  if (isOld && series.end > series.start) return true
  const inside = dtMs === 0 ? values.length : Math.ceil(Math.min(values.length, (lastMs - series.floorMs) / dtMs + 1))
  if (inside > mostSamples) return false
  const isFar = lastMs - series.baseMs > farthestMs
  if (!isOld && (isFar || series.end + inside > series.at.length)) makeRoom(series, inside, keepFromMs)
  if (lastMs - series.baseMs > farthestMs) return false
  const fresh: Samples = { x: [], y: [] }
  for (let i = 0; i < values.length; i++) {
    const value = values[i]
    if (value === null || value === undefined) continue
    const tMs = t0Ms + i * dtMs
    if (tMs < series.floorMs) {
      if (!series.older || tMs >= series.older.tMs) series.older = { tMs, value }
    } else if (fresh.x.at(-1) === tMs) fresh.y[fresh.y.length - 1] = value
    else {
      fresh.x.push(tMs)
      fresh.y.push(value)
    }
  }
  insert(series, fresh)
  return true
}

/** Takes what the store has from the floor on into an empty series. */
export const fill = (series: HeldSeries, found: Samples): boolean => {
  if (found.x.length > mostSamples || (found.x.at(-1) ?? 0) - series.baseMs > farthestMs) return false
  makeRoom(series, found.x.length, series.floorMs)
  insert(series, found)
  return true
}

/** Ascending samples from the floor on for which there is room; of two for one instant the new one stays. */
const insert = (series: HeldSeries, { x, y }: Samples) => {
  const [firstMs, lastMs] = [x[0], x.at(-1)]
  if (firstMs === undefined || lastMs === undefined) return
  const [from, to] = [placeOf(series, firstMs), placeOf(series, lastMs + 1)]
  const merged = from === to ? { x, y } : merge(slice(series, from, to), { x, y })
  const after = from + merged.x.length
  if (to < series.end) {
    series.at.copyWithin(after, to, series.end)
    series.values.copyWithin(after, to, series.end)
  }
  series.end += after - to
  for (let i = 0; i < merged.x.length; i++) series.at[from + i] = (merged.x[i] ?? 0) - series.baseMs
  write(series, from, merged.y)
}

/** Lets go of what lies before. */
export const raiseFloor = (series: HeldSeries, floorMs: number): void => {
  if (floorMs <= series.floorMs) return
  const start = placeOf(series, floorMs)
  if (start > series.start) series.older = sampleAt(series, start - 1)
  series.start = start
  series.floorMs = floorMs
}

/** Gives back the room of what is no longer held. */
export const shrink = (series: HeldSeries): void => {
  const held = series.end - series.start
  if (held * 2 < series.at.length) move(series, held)
}

export const newestOf = (series: HeldSeries): Sample | null =>
  series.end > series.start ? sampleAt(series, series.end - 1) : series.older

export const countBetween = (series: HeldSeries, fromMs: number, toMs: number): number =>
  placeOf(series, toMs) - placeOf(series, fromMs)

export const samplesBetween = (series: HeldSeries, fromMs: number, toMs: number): Samples =>
  slice(series, placeOf(series, fromMs), placeOf(series, toMs))

/** The first place at or after an instant. */
const placeOf = ({ at, start, end, baseMs }: HeldSeries, tMs: number): number => {
  const wanted = tMs - baseMs
  if (end === start || (at[end - 1] ?? 0) < wanted) return end
  let [low, high] = [start, end]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((at[middle] ?? 0) < wanted) low = middle + 1
    else high = middle
  }
  return low
}

const scaleOf = (values: HeldSeries['values']) => (values instanceof Int32Array ? 1000 : 1)

const sampleAt = ({ at, values, baseMs }: HeldSeries, i: number): Sample => ({
  ...{ tMs: baseMs + (at[i] ?? 0), value: (values[i] ?? 0) / scaleOf(values) },
})

const slice = ({ at, values, baseMs }: HeldSeries, from: number, to: number): Samples => {
  const scale = scaleOf(values)
  return {
    x: Array.from(at.subarray(from, to), (ms) => baseMs + ms),
    y: Array.from(values.subarray(from, to), (value) => value / scale),
  }
}

const merge = (old: Samples, fresh: Samples): Samples => {
  const both: Samples = { x: [], y: [] }
  const take = ({ x, y }: Samples, i: number) => {
    both.x.push(x[i] ?? 0)
    both.y.push(y[i] ?? 0)
  }
  let i = 0
  fresh.x.forEach((tMs, k) => {
    for (; (old.x[i] ?? Infinity) < tMs; i++) take(old, i)
    if (old.x[i] === tMs) i++
    take(fresh, k)
  })
  return both
}

/** A float that is so many thousandths is the float nearest to them, so dividing gives it back exactly; -0 and all else does not come back. */
const write = (series: HeldSeries, from: number, numbers: readonly number[]) => {
  if (series.values instanceof Int32Array) {
    let i = 0
    for (; i < numbers.length; i++) {
      const number = numbers[i] ?? 0
      const thousandths = Math.round(number * 1000) | 0
      if (!Object.is(thousandths / 1000, number)) break
      series.values[from + i] = thousandths
    }
    if (i === numbers.length) return
    series.values = Float64Array.from(series.values, (whole) => whole / 1000)
  }
  series.values.set(numbers, from)
}

/** Lets old samples go; where that is not enough the series gets an eighth more room, so that it is moved about every eighth of an hour. */
const makeRoom = (series: HeldSeries, more: number, keepFromMs: number) => {
  raiseFloor(series, keepFromMs)
  const tooMany = series.end - series.start + more - mostSamples
  if (tooMany > 0) raiseFloor(series, sampleAt(series, series.start + tooMany - 1).tMs + 1)
  const held = series.end - series.start
  const isRoomy = (held + more) * 8 <= series.at.length * 7
  move(series, isRoomy ? series.at.length : Math.ceil(((held + more) * 9) / 8))
}

/** To the beginning of arrays of that length; instants count from the floor. */
const move = (series: HeldSeries, length: number) => {
  const { start, end, baseMs } = series
  const held = end - start
  series.baseMs = series.floorMs
  const at = length === series.at.length ? series.at : new Uint32Array(length)
  const shiftMs = series.baseMs - baseMs
  for (let i = 0; i < held; i++) at[i] = (series.at[start + i] ?? 0) - shiftMs
  const Values = series.values instanceof Int32Array ? Int32Array : Float64Array
  const values = length === series.at.length ? series.values : new Values(length)
  values.set(series.values.subarray(start, end))
  Object.assign(series, { at, values, start: 0, end: held })
}
