import type { PlanForm } from '@gridmast/contract/planning/load-shifting.ts'
import {
  dayBounds,
  localDateOf,
  localMonthOf,
  monthBounds,
  quarterMs,
  type Span,
  addDays,
  hourMs,
  minuteMs,
  today,
} from '@gridmast/contract/time.ts'
import type { Baseline, Load, PlanProblem, PlanQuarter, RunningPlan, Site } from '#planning/solver/plan.ts'
import { type PlanLoad, getLoad, pricingWith } from './loads.ts'
import { type SoldSlot, soldOf, findOffers, findSold } from './sold-slots.ts'
import { limits } from '@gridmast/contract/limits.ts'
import { weekdayProfile } from '#planning/solver/baseline.ts'
import type { App } from '#context.ts'
import type { Tx } from '#platform/records/records.ts'
import { selectRows } from '#platform/records/rows.ts'
import { readMeasured, readQuarters } from './quarters.ts'
import { type StoredProblem, readPlan, type PlanRow } from './queries.ts'

/** A car does not charge below this current (IEC 61851). */
const minChargingA = 6
const volts = 230

type LoadForm = Pick<PlanForm, 'kind' | 'needKwh' | 'maxKw' | 'minKw' | 'onOff' | 'storage' | 'isFirm' | 'needs'>

const loadId = ({ target }: PlanLoad) => target._id ?? ''

export const presentOf = ({ needs }: Pick<PlanForm, 'needs'>, { chargers }: Pick<PlanLoad, 'chargers'>) =>
  chargers.filter(({ chargerId, online }) => online && (!needs || needs.some((need) => need.chargerId === chargerId)))

const sessionsOf = (form: LoadForm, load: PlanLoad, span: Span): Load[] => {
  const named = new Map(form.needs?.map(({ chargerId, needKwh }) => [chargerId, needKwh]))
  const present = presentOf(form, load)
  const each = (form.needKwh ?? 0) / present.length
  return present.map(({ chargerId, maxKw, phases }) => ({
    kind: 'session',
    id: chargerId,
    phases,
    minA: minChargingA,
    isFirm: form.isFirm,
    maxA: Math.floor((Math.min(maxKw, form.maxKw) * 1000) / (volts * phases)),
    needKwh: named.get(chargerId) ?? each,
    fromMs: span.fromMs,
    deadlineMs: span.toMs,
  }))
}

const storageOf = (form: LoadForm, load: PlanLoad, span: Span, socPercent: number): Load => {
  const { capacityKwh, dischargeKw, efficiencyPercent, lowestPercent, highestPercent, targetPercent } = {
    capacityKwh: 0,
    dischargeKw: 0,
    efficiencyPercent: 90,
    lowestPercent: 10,
    highestPercent: null,
    targetPercent: null,
    ...form.storage,
  }
  const of = (percent: number) => (capacityKwh * percent) / 100
  // Losses are split equally between charging and discharging.
  const efficiency = Math.sqrt(efficiencyPercent / 100)
  return {
    kind: 'storage',
    id: loadId(load),
    capacityKwh,
    chargeKw: form.maxKw,
    dischargeKw,
    fromMs: span.fromMs,
    chargeEfficiency: efficiency,
    dischargeEfficiency: efficiency,
    nowKwh: of(socPercent),
    lowestKwh: Math.min(of(lowestPercent), of(socPercent)),
    wishedLeastKwh: null,
    wishedMostKwh: highestPercent === null ? null : of(highestPercent),
    target: targetPercent === null ? null : { kwh: of(targetPercent), atMs: span.toMs, isFirm: form.isFirm },
  }
}

/** State of an on/off load in its followed plan; without one it has been off for long. */
const runningState = (running: RunningPlan | null, nowMs: number) => {
  if (!running) return { isOn: false, sinceMs: null, startsToday: 0 }
  const { fromMs, wh } = running
  const now = Math.floor((nowMs - fromMs) / quarterMs)
  // The current quarter may not have begun: the previous one decides.
  const isOnAt = (q: number) => (wh[q] ?? 0) > 0
  const isOn = isOnAt(now - 1)
  let since = now - 1
  while (since > 0 && isOnAt(since - 1) === isOn) since--
  const today = dayBounds(localDateOf(nowMs)).fromMs
  const starts = wh.flatMap((_, q) => (q < now && isOnAt(q) && !isOnAt(q - 1) ? [fromMs + q * quarterMs] : []))
  return {
    isOn,
    sinceMs: now < 1 ? null : fromMs + since * quarterMs,
    startsToday: starts.filter((at) => at >= today).length,
  }
}

export const loadsOf = (
  form: LoadForm,
  load: PlanLoad,
  span: Span,
  input: Pick<PlanInput, 'socPercent' | 'running' | 'nowMs'>,
): Load[] => {
  const need = {
    id: loadId(load),
    needKwh: form.needKwh ?? 0,
    isFirm: form.isFirm,
    fromMs: span.fromMs,
    deadlineMs: span.toMs,
  }
  switch (form.kind) {
    case 'session':
      return sessionsOf(form, load, span)
    case 'storage':
      return [storageOf(form, load, span, input.socPercent ?? 0)]
    case 'on-off':
      return [
        {
          ...need,
          kind: 'on-off',
          kw: form.maxKw,
          ...runningState(input.running?.[loadId(load)] ?? null, input.nowMs),
          minRunQuarters: form.onOff?.minRunQuarters ?? 0,
          minPauseQuarters: form.onOff?.minPauseQuarters ?? 0,
          maxStartsADay: form.onOff?.maxStartsADay ?? null,
        },
      ]
    case 'shiftable':
      return [{ ...need, kind: 'shiftable', minKw: form.minKw, maxKw: form.maxKw }]
  }
}

const monthsOf = ({ fromMs, toMs }: Span): Span[] => {
  const [first, last] = [localMonthOf(fromMs), localMonthOf(toMs - 1)]
  return [...new Set([first, last])].map(monthBounds)
}

export const siteOf = (form: SiteForm, load: PlanLoad, loads: readonly Load[], span: Span): Site => {
  const loadIds = loads.map(({ id }) => id)
  const isGroup = form.kind === 'session' && loads.length > 1
  return {
    limitKw: form.limitKw ?? null,
    feedInKw: form.kind === 'storage' ? (form.storage?.dischargeKw ?? 0) : 0,
    wishedPeakKw: form.wishedPeakKw ?? null,
    capacity:
      form.capacityDkkPerKw === undefined
        ? null
        : {
            dkkPerKw: form.capacityDkkPerKw,
            months: monthsOf(span).map((month) => ({ ...month, reachedKw: Math.max(form.reachedKw, form.otherKw) })),
          },
    shared: isGroup ? [{ id: 'group', loadIds, limitKw: Math.min(form.maxKw, load.siteKw ?? Infinity) }] : [],
  }
}
type SiteForm = Pick<
  PlanForm,
  'kind' | 'limitKw' | 'wishedPeakKw' | 'otherKw' | 'capacityDkkPerKw' | 'reachedKw' | 'maxKw' | 'storage'
>

export type PlanInput = {
  nowMs: number
  quarters: PlanQuarter[]
  sold: readonly SoldSlot[]
  socPercent: number | null
  running: Readonly<Record<string, RunningPlan>> | null
  baseline: Baseline
}

export const spanOf = ({ start, deadline }: Pick<PlanForm, 'start' | 'deadline'>, nowMs: number): Span => ({
  fromMs: Math.max(nowMs, start === undefined ? nowMs : Date.parse(start)),
  toMs: Date.parse(deadline),
})

const problemOf = (form: PlanForm, load: PlanLoad, input: PlanInput): PlanProblem => {
  const span = spanOf(form, input.nowMs)
  const loads = loadsOf(form, load, span, input)
  const quarters = input.quarters.filter(({ atMs }) => atMs < span.toMs)
  const last = (quarters.at(-1)?.atMs ?? span.toMs) + quarterMs
  const sold = soldOf(input.sold, loads)
  return {
    nowMs: input.nowMs,
    quarters,
    later: { quarters: input.quarters.slice(quarters.length), sold: sold.filter(({ fromMs }) => fromMs >= last) },
    site: siteOf(form, load, loads, { fromMs: input.nowMs, toMs: last }),
    loads,
    sold: sold.filter(({ fromMs }) => fromMs < last),
    weights: { cost: form.costWeight / 100, co2: 1 - form.costWeight / 100, co2DkkPerKg: form.co2DkkPerKg },
    baseline: input.baseline,
    running: input.running,
    storedDkkPerMwh: null,
  }
}

export const readSoc = async (
  { readings, clock }: Pick<App, 'readings' | 'clock'>,
  signals: { soc: number | null } | null,
): Promise<number | null> => {
  if (!signals || signals.soc === null) return null
  const latest = (await readings.latest([signals.soc])).get(signals.soc)
  return latest && latest.tMs > clock.now() - quarterMs ? latest.value : null
}

const readFollowedPlan = async (tx: Tx, plan: PlanRow): Promise<Record<string, RunningPlan> | null> => {
  if (plan.version === 1) return null
  const before = await selectRows(tx, plan.customer_id, 'load_plan', { series_id: plan.series_id })
    .select('plan_id')
    .where('version', '<', plan.version)
    .where('accepted_at', 'is not', null)
    .orderBy('version', 'desc')
    .executeTakeFirst()
  const row = before && (await readPlan(tx, plan.customer_id, before.plan_id))
  if (!row?.problem || !row.plan || !('plan' in row.plan)) return null
  const fromMs = row.problem.problem.quarters[0]?.atMs ?? 0
  return Object.fromEntries(row.plan.plan.loads.map(({ loadId, wh }) => [loadId, { fromMs, wh }]))
}

type ProblemApp = Pick<App, 'records' | 'readings' | 'clock'>

const profileDays = 28

const readBaseline = async (
  app: ProblemApp,
  customerId: string,
  { baseline }: PlanForm,
  load: PlanLoad,
  quarters: readonly PlanQuarter[],
): Promise<Baseline> => {
  if (baseline === 'immediate') return { method: 'immediate' }
  const nowMs = app.clock.now()
  const fromMs = dayBounds(addDays(today(nowMs), -profileDays)).fromMs
  const metered = {
    instanceId: load.target.kind === 'instance' ? load.target._id : null,
    chargerIds: load.chargers.map(({ chargerId }) => chargerId),
  }
  const count = Math.floor((nowMs - fromMs) / quarterMs)
  const measured = await readMeasured(app, customerId, metered, { fromMs, count, nowMs })
  const profiles = measured.map(({ loadId, wh }) => {
    const readings = wh.flatMap((one, i) => (one === null ? [] : [{ atMs: fromMs + i * quarterMs, wh: one }]))
    return [loadId, weekdayProfile(readings, quarters, nowMs)]
  })
  return { method: 'weekday-profile', wh: Object.fromEntries(profiles) }
}

/** A storage cannot be planned without its state of charge: assuming empty would be a guess. */
export class SocUnknown extends Error {
  constructor() {
    super('its state of charge is unknown')
  }
}

const laterMs = 48 * hourMs
const shortestRestMs = minuteMs

/** Without a followed plan that must continue without a gap, a plan may begin with the next quarter. */
const beginOf = (nowMs: number): number => {
  const nextMs = Math.ceil(nowMs / quarterMs) * quarterMs
  return nextMs - nowMs < shortestRestMs ? nextMs : nowMs
}

export const readProblem = async (app: ProblemApp, plan: PlanRow): Promise<StoredProblem> => {
  const { customer_id: customerId, asked } = plan
  const { load, running } = await app.records.tenant(customerId, async (tx) => ({
    load: await getLoad(tx, customerId, asked, app.clock.now()),
    running: await readFollowedPlan(tx, plan),
  }))
  const nowMs = running || plan.accepted_at ? app.clock.now() : beginOf(app.clock.now())
  if (!load?.pricing) throw new Error('the load has no price')
  const pricing = pricingWith(load.pricing, asked.tariff)
  const { toMs } = spanOf(asked, nowMs)
  const latestMs = nowMs + 24 * limits.planDays * hourMs
  // Beyond a firm deadline too: where there is no plan, a later feasible deadline is searched.
  const longMs = asked.isFirm ? Math.max(toMs, Math.min(toMs + laterMs, latestMs)) : toMs
  const of = { pricing, area: load.area, otherKw: asked.otherKw, nowMs }
  const until = (endMs: number) => readQuarters(app, customerId, of, { fromMs: nowMs, toMs: endMs })
  const prices = (await until(longMs)) ?? (longMs > toMs ? await until(toMs) : null)
  if (!prices) throw new Error('no price of its area is available')
  const instanceId = load.target.kind === 'instance' ? load.target._id : null
  const findSlots = async (tx: Tx, id: string) => [
    ...(await findSold(tx, customerId, id, nowMs, longMs)),
    ...(await findOffers(tx, customerId, id, nowMs, longMs)),
  ]
  const sold = instanceId === null ? [] : await app.records.tenant(customerId, (tx) => findSlots(tx, instanceId))
  const socPercent = asked.socPercent ?? (await readSoc(app, load.signals))
  if (asked.kind === 'storage' && socPercent === null) throw new SocUnknown()
  const planned = prices.quarters.filter(({ atMs }) => atMs < toMs)
  const baseline = await readBaseline(app, customerId, asked, load, planned)
  const input = { nowMs, quarters: prices.quarters, sold, socPercent, running, baseline }
  return { problem: problemOf(asked, load, input), sources: prices.sources }
}
