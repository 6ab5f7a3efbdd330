import { hourMs, type Span } from '@gridmast/contract/time.ts'
import {
  follow,
  isHourly,
  newStanding,
  newTrack,
  type Rule,
  silenceMs,
  startOfHour,
  type Standing,
  type Track,
  type Trigger,
  type Watched,
} from './alert-rules.ts'

export type Row = { alertId: string } & Trigger
export type Found<R extends Rule> = { rule: R; trigger: Trigger }

export type Sources = {
  /** Samples of the series, in order of time. */
  samples: (span: Span) => Promise<{ x: readonly number[]; y: readonly number[] }>
  /** Behind the newest sample of the series. */
  horizonMs: number
  /** Rows of these alerts from their instants on, and the last one before each. */
  rows: (from: readonly { alertId: string; fromMs: number }[]) => Promise<Row[]>
}

export type Recomputed<R extends Rule> = {
  add: Found<R>[]
  remove: Row[]
  /** How far the series has been followed, when that was to its end. */
  end: { track: Track; standings: ReadonlyMap<string, Standing> } | null
}

const stepMs = 6 * hourMs

type Again<R extends Rule> = Watched &
  Span & {
    rule: R
    rows: Row[]
    found: Found<R>[]
    /** The span has begun: what stood before it is settled. */
    isResumed: boolean
    /** From here on nothing differs. */
    isSame: boolean
  }

/** From where to where values of an alert depend on samples of the span. */
const reach = (rule: Rule, { fromMs, toMs }: Span): Span => {
  if (rule.type === 'power') return { fromMs, toMs }
  const endMs = startOfHour(toMs) + hourMs
  // A sample also says that the hour before it is over.
  return { fromMs: isHourly(rule) ? startOfHour(fromMs) : fromMs, toMs: endMs }
}

/** What the alerts of a series trigger from the span on, for as long as it may differ from the rows that there are. */
export const recompute = async <R extends Rule>(
  rules: readonly R[],
  span: Span,
  { samples, horizonMs, rows }: Sources,
  toEnd: boolean,
): Promise<Recomputed<R>> => {
  const spans = rules.map((rule) => reach(rule, span))
  const known = await rows(
    rules.map(({ alertId, validFromMs }, i) => ({ alertId, fromMs: Math.max(validFromMs, spans[i]?.fromMs ?? 0) })),
  )
  const all = rules.map((rule, i): Again<R> => {
    const { fromMs, toMs } = spans[i] ?? span
    const own = known.filter(({ alertId }) => alertId === rule.alertId).toSorted((a, b) => a.tMs - b.tMs)
    return { rule, standing: newStanding(), fromMs, toMs, rows: own, found: [], isResumed: false, isSame: false }
  })
  const track = newTrack()
  const isConsumption = rules.some(({ type }) => type === 'consumption')
  let fromMs = isConsumption ? startOfHour(span.fromMs) - 2 * hourMs : span.fromMs - silenceMs
  let toMs = Math.min(horizonMs, Math.max(span.toMs, ...all.map((one) => one.toMs)) + 1)
  let isEnd = false
  for (
    ;
    !isEnd && (toEnd || all.some(({ isSame }) => !isSame));
    [fromMs, toMs] = [toMs, Math.min(horizonMs, toMs + stepMs)]
  ) {
    const { x, y } = await samples({ fromMs, toMs })
    for (const [i, tMs] of x.entries()) {
      // What lasted before the span was crossed when the last row before it says.
      for (const one of all) if (!one.isResumed && tMs >= one.fromMs) resume(one)
      follow(all, track, tMs, y[i] ?? 0, (one, trigger) => {
        if (trigger.tMs >= one.fromMs) one.found.push({ rule: one.rule, trigger })
      })
      for (const one of all) if (!one.isSame) one.isSame = meets(one)
    }
    isEnd = toMs >= horizonMs
  }
  const lastMs = isEnd ? Infinity : track.lastMs
  const differences = all.map((one) => difference(one, lastMs))
  return {
    add: differences.flatMap(({ add }) => add),
    remove: differences.flatMap(({ remove }) => remove),
    end: isEnd ? { track, standings: new Map(all.map(({ rule, standing }) => [rule.alertId, standing])) } : null,
  }
}

const resume = (one: Again<Rule>) => {
  one.isResumed = true
  const before = one.rows.findLast(({ tMs }) => tMs < one.fromMs)
  if (one.standing.holds && before) one.standing.crossedMs = before.crossedMs
}

/** Behind what the span reaches, the alert stands as it stood: all that follows is as it was. */
const meets = ({ standing, toMs, rows }: Again<Rule>): boolean => {
  if (standing.tMs <= toMs) return false
  if (!standing.holds) return true
  return rows.findLast(({ tMs }) => tMs <= standing.tMs)?.crossedMs === standing.crossedMs
}

const difference = <R extends Rule>({ rule, rows, found, fromMs }: Again<R>, lastMs: number) => {
  const firstMs = Math.max(fromMs, rule.validFromMs)
  const old = new Map(rows.filter(({ tMs }) => tMs >= firstMs && tMs <= lastMs).map((row) => [row.tMs, row]))
  const add = found.filter(({ trigger }) => {
    const same = old.get(trigger.tMs)
    old.delete(trigger.tMs)
    return !same || same.crossedMs !== trigger.crossedMs || same.value !== trigger.value
  })
  const again = new Set(add.map(({ trigger }) => trigger.tMs))
  const changed = rows.filter(({ tMs }) => again.has(tMs))
  return { add, remove: [...old.values(), ...changed] }
}
