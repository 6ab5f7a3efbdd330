import { dayMs, hourMs, type Span } from '@gridmast/contract/time.ts'
import {
  follow,
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

export type Row = { customerId: string; alertId: string } & Trigger
export type Asked = { customerId: string; alertId: string; fromMs: number }
export type Found<R extends Rule> = { rule: R; trigger: Trigger }

type Sources = {
  samples: (span: Span) => Promise<{ x: readonly number[]; y: readonly number[]; toMs: number }>
  horizonMs: number
  rows: (asked: readonly Asked[]) => Promise<Row[]>
}

type Recomputed<R extends Rule> = {
  add: Found<R>[]
  remove: Row[]
  end: { track: Track; standings: ReadonlyMap<string, Standing> } | null
}

type Again<R extends Rule> = Watched & { rule: R; rows: Row[]; found: Trigger[] }

export const recompute = async <R extends Rule>(
  rules: readonly R[],
  span: Span,
  { samples, horizonMs, rows }: Sources,
  toEnd: boolean,
): Promise<Recomputed<R>> => {
  const isConsumption = rules.some(({ type }) => type === 'consumption')
  // A sample counts in its whole hour and ends the hour before it.
  const fromMs = isConsumption ? startOfHour(span.fromMs) : span.fromMs
  const toMs = isConsumption ? startOfHour(span.toMs) + hourMs : span.toMs
  const aroundMs = isConsumption ? 2 * hourMs : silenceMs
  const known = await rows(
    rules.map(({ customerId, alertId, validFromMs }) => ({
      customerId,
      alertId,
      fromMs: Math.max(validFromMs, fromMs),
    })),
  )
  const all = rules.map((rule): Again<R> => {
    const own = known.filter(({ alertId }) => alertId === rule.alertId).toSorted((a, b) => a.tMs - b.tMs)
    return { rule, standing: newStanding(), rows: own, found: [] }
  })
  const track = newTrack()
  let isResumed = false
  let atMs = fromMs - aroundMs
  while (atMs < horizonMs) {
    const enoughMs = atMs < toMs + aroundMs ? toMs + aroundMs : Infinity
    const { x, y, toMs: endMs } = await samples({ fromMs: atMs, toMs: Math.min(atMs + dayMs, enoughMs, horizonMs) })
    for (const [i, tMs] of x.entries()) {
      if (!isResumed && tMs >= fromMs) {
        isResumed = true
        for (const one of all) resume(one, fromMs)
      }
      follow(all, track, tMs, y[i] ?? 0, ({ found }, trigger) => void found.push(trigger))
    }
    atMs = endMs
    if (!toEnd && atMs >= toMs + aroundMs && all.every((one) => isAsBefore(one, toMs, endMs))) break
  }
  const isEnd = atMs >= horizonMs
  const differences = all.map((one) => difference(one, { fromMs, toMs: isEnd ? Infinity : track.lastMs }))
  return {
    add: differences.flatMap(({ add }) => add),
    remove: differences.flatMap(({ remove }) => remove),
    end: isEnd ? { track, standings: new Map(all.map(({ rule, standing }) => [rule.alertId, standing])) } : null,
  }
}

const resume = ({ standing, rows }: Again<Rule>, fromMs: number) => {
  const before = rows.findLast(({ tMs }) => tMs < fromMs)
  if (standing.holds && before) standing.crossedMs = before.crossedMs
}

/** Samples after `endMs` start from the same state as before: in a silence, below the threshold, or past the same crossing. */
const isAsBefore = ({ standing, rows }: Again<Rule>, toMs: number, endMs: number): boolean => {
  if (endMs - standing.tMs > 2 * hourMs) return true
  if (standing.tMs <= toMs) return false
  return !standing.holds || rows.findLast(({ tMs }) => tMs <= standing.tMs)?.crossedMs === standing.crossedMs
}

const keyOf = ({ tMs, crossedMs, value }: Trigger) => `${tMs} ${crossedMs} ${value}`

const difference = <R extends Rule>({ rule, rows, found }: Again<R>, { fromMs, toMs }: Span) => {
  const firstMs = Math.max(fromMs, rule.validFromMs)
  const old = rows.filter(({ tMs }) => tMs >= firstMs && tMs <= toMs)
  const now = found.filter(({ tMs }) => tMs >= firstMs)
  const [oldKeys, nowKeys] = [new Set(old.map(keyOf)), new Set(now.map(keyOf))]
  return {
    add: now.filter((trigger) => !oldKeys.has(keyOf(trigger))).map((trigger) => ({ rule, trigger })),
    remove: old.filter((row) => !nowKeys.has(keyOf(row))),
  }
}
