import { dayBounds, localDateOf } from '@gridmast/contract/time.ts'

export type Interval = [fromS: number, toS: number]

export const covered = (known: readonly Interval[], added: Interval): Interval[] => {
  let [from, to] = added
  const rest: Interval[] = []
  for (const [a, b] of known) {
    if (b < from || a > to) rest.push([a, b])
    else [from, to] = [Math.min(a, from), Math.max(b, to)]
  }
  return [...rest, [from, to] satisfies Interval].toSorted((x, y) => x[0] - y[0])
}

export const holes = (known: readonly Interval[], [from, to]: Interval): Interval[] => {
  const found: Interval[] = []
  let at = from
  for (const [a, b] of known) {
    if (b <= at) continue
    if (a >= to) break
    if (a > at) found.push([at, a])
    at = b
  }
  if (at < to) found.push([at, to])
  return found
}

/** The recent part is the newest; an earlier second has the age of its day in Europe/Berlin. */
const ageOf = (second: number, recentFromS: number): Interval =>
  second >= recentFromS ? [recentFromS, Infinity] : spanOfDay(second, recentFromS)

const spanOfDay = (second: number, endS: number): Interval => {
  const { fromMs, toMs } = dayBounds(localDateOf(second * 1000))
  return [fromMs / 1000, Math.min(toMs / 1000, endS)]
}

export const newestFirst = <Hole extends { hole: Interval }>(list: readonly Hole[], recentFromS: number): Hole[] =>
  list
    .flatMap((one) => {
      const parts: { part: Hole; newness: number }[] = []
      for (let at = one.hole[0]; at < one.hole[1];) {
        const [newness, until] = ageOf(at, recentFromS)
        const end = Math.min(one.hole[1], until)
        parts.push({ part: { ...one, hole: [at, end] }, newness })
        at = end
      }
      return parts
    })
    .toSorted((x, y) => y.newness - x.newness || x.part.hole[0] - y.part.hole[0])
    .map(({ part }) => part)
