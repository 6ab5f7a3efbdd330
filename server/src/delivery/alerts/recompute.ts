import { dayMs, hourMs, type Span } from '@gridmast/contract/time.ts'
import type { Readings } from '#readings/readings.ts'
import {
  follow,
  newState,
  newTrack,
  type Rule,
  silenceMs,
  startOfHour,
  type State,
  type Track,
  type Trigger,
  type Watched,
} from './alert-rules.ts'

export type TriggerRow = { customerId: string; alertId: string } & Trigger
export type RowsFrom = { customerId: string; alertId: string; fromMs: number }
type RuleTrigger<R extends Rule> = { rule: R; trigger: Trigger }

type Sources = {
  samples: (span: Span) => Promise<{ x: readonly number[]; y: readonly number[]; toMs: number }>
  horizonMs: number
  rows: (alerts: readonly RowsFrom[]) => Promise<TriggerRow[]>
}

type Recomputed<R extends Rule> = {
  add: RuleTrigger<R>[]
  remove: TriggerRow[]
  end: { track: Track; states: ReadonlyMap<string, State> } | null
}

type Recomputing<R extends Rule> = Watched & { rule: R; rows: TriggerRow[]; triggers: Trigger[] }

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
  const alerts = rules.map(({ customerId, alertId, validFromMs }) => ({
    customerId,
    alertId,
    fromMs: Math.max(validFromMs, fromMs),
  }))
  const stored = await rows(alerts)
  const all = rules.map((rule): Recomputing<R> => {
    const ofAlert = stored.filter(({ alertId }) => alertId === rule.alertId).toSorted((a, b) => a.tMs - b.tMs)
    return { rule, state: newState(), rows: ofAlert, triggers: [] }
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
      follow(all, track, tMs, y[i] ?? 0, ({ triggers }, trigger) => void triggers.push(trigger))
    }
    atMs = endMs
    if (!toEnd && atMs >= toMs + aroundMs && all.every((one) => isAsBefore(one, toMs, endMs))) break
  }
  const isEnd = atMs >= horizonMs
  const differences = all.map((one) => difference(one, { fromMs, toMs: isEnd ? Infinity : track.lastMs }))
  return {
    add: differences.flatMap(({ add }) => add),
    remove: differences.flatMap(({ remove }) => remove),
    end: isEnd ? { track, states: new Map(all.map(({ rule, state }) => [rule.alertId, state])) } : null,
  }
}

const resume = ({ state, rows }: Recomputing<Rule>, fromMs: number) => {
  const before = rows.findLast(({ tMs }) => tMs < fromMs)
  if (state.holds && before) state.crossedMs = before.crossedMs
}

/** Samples after `endMs` start from the same state as before: in a silence, below the threshold, or past the same crossing. */
const isAsBefore = ({ state, rows }: Recomputing<Rule>, toMs: number, endMs: number): boolean => {
  if (endMs - state.tMs > 2 * hourMs) return true
  if (state.tMs <= toMs) return false
  return !state.holds || rows.findLast(({ tMs }) => tMs <= state.tMs)?.crossedMs === state.crossedMs
}

const keyOf = ({ tMs, crossedMs, value }: Trigger) => `${tMs} ${crossedMs} ${value}`

const difference = <R extends Rule>({ rule, rows, triggers }: Recomputing<R>, { fromMs, toMs }: Span) => {
  const firstMs = Math.max(fromMs, rule.validFromMs)
  const old = rows.filter(({ tMs }) => tMs >= firstMs && tMs <= toMs)
  const now = triggers.filter(({ tMs }) => tMs >= firstMs)
  const [oldKeys, nowKeys] = [new Set(old.map(keyOf)), new Set(now.map(keyOf))]
  return {
    add: now.filter((trigger) => !oldKeys.has(keyOf(trigger))).map((trigger) => ({ rule, trigger })),
    remove: old.filter((row) => !nowKeys.has(keyOf(row))),
  }
}

const batched = <Request, Answer>(send: (requests: readonly Request[]) => Promise<Answer>) => {
  let open: { requests: Request[]; answer: Promise<Answer> } | undefined
  return (request: Request): Promise<Answer> => {
    const requests: Request[] = []
    const sendAll = () => {
      open = undefined
      return send(requests)
    }
    open ??= { requests, answer: new Promise<void>((resolve) => setImmediate(resolve)).then(sendAll) }
    open.requests.push(request)
    return open.answer
  }
}

export const batchReads = (stores: { readings: Pick<Readings, 'samples'>; rows: Sources['rows'] }) => {
  const rows = batched((requests: readonly (readonly RowsFrom[])[]) => stores.rows(requests.flat()))
  const readSamples = batched(async (requests: readonly { no: number; span: Span }[]) => {
    const fromMs = Math.min(...requests.map(({ span }) => span.fromMs))
    const toMs = Math.min(fromMs + dayMs, Math.max(...requests.map(({ span }) => span.toMs)))
    return stores.readings.samples({ signalNos: requests.map(({ no }) => no), fromMs, toMs })
  })
  const samples = async (no: number, span: Span): Promise<{ x: number[]; y: number[]; toMs: number }> => {
    const answer = await readSamples({ no, span })
    if (answer.toMs <= span.fromMs && span.fromMs < span.toMs) return samples(no, span)
    const { x, y } = answer.series.get(no) ?? { x: [], y: [] }
    const isInside = (tMs: number) => tMs >= span.fromMs && tMs < span.toMs
    const toMs = Math.min(span.toMs, answer.toMs)
    return { x: x.filter(isInside), y: y.filter((_, i) => isInside(x[i] ?? -1)), toMs }
  }
  return { rows, samples }
}
