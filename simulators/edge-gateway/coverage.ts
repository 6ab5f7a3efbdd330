/** Spans of seconds that the server has acknowledged: half-open, sorted, never touching. What is missing between them is owed. */
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

/** The parts of a span that are not covered, oldest first. */
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

const dayS = 86_400

/** Holes cut at the days' ends (UTC), newest day first; within a day oldest first. */
export const newestDayFirst = (list: readonly Interval[]): Interval[] =>
  list
    .flatMap(([from, to]) => {
      const parts: Interval[] = []
      for (let at = from; at < to; at = (Math.floor(at / dayS) + 1) * dayS)
        parts.push([at, Math.min(to, (Math.floor(at / dayS) + 1) * dayS)])
      return parts
    })
    .toSorted((x, y) => Math.floor(y[0] / dayS) - Math.floor(x[0] / dayS) || x[0] - y[0])
