import type { PlanForm } from '@gridmast/contract/planning/load-shifting.ts'
import { isMarket, markets } from '@gridmast/contract/markets.ts'
import { dayBounds, localDateOf, localMonthOf, monthBounds, quarterMs, type Span } from '@gridmast/contract/time.ts'
import type { Baseline, Load, PlanProblem, PlanQuarter, RunningPlan, Site, SoldReserve } from '#planning/solver/plan.ts'
import type { PlanLoad } from './loads.ts'

/** `lostDkk`: revenue of a bid that is not sent yet; null where the slot is sold. */
export type SoldSlot = Span & { id: string; market: string; product: string; kw: number; lostDkk: string | null }

/** A car does not charge below this current (IEC 61851). */
const leastA = 6
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
    minA: leastA,
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
  known: Pick<Known, 'socPercent' | 'running' | 'nowMs'>,
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
      return [storageOf(form, load, span, known.socPercent ?? 0)]
    case 'on-off':
      return [
        {
          ...need,
          kind: 'on-off',
          kw: form.maxKw,
          ...runningState(known.running?.[loadId(load)] ?? null, known.nowMs),
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

/** Reservoir per sold kW (domain notes on markets, 4.4): power in its direction, in the opposite one, and duration. */
type Reservoir = { power: number; opposite: number; hours: number }

const hourly: Reservoir = { power: 1, opposite: 0, hours: 1 }
const reservoirs: Readonly<Record<string, Reservoir>> = {
  'FCR-N': { power: 1.34, opposite: 0, hours: 1 },
  'FCR-D-INC': { power: 1, opposite: 0.2, hours: 1 / 3 },
  'FCR-D-DEC': { power: 1, opposite: 0.2, hours: 1 / 3 },
  // 15 minutes, and 30 in some national rules.
  FCR: { power: 1.25, opposite: 0, hours: 0.5 },
  FFR: { power: 1, opposite: 0, hours: 0.5 / 60 },
}

/** A sold slot is a hard bound: a won slot must be delivered (decisions: sold capacity is a bound). A bid that is not sent yet may be skipped. */
export const soldOf = (slots: readonly SoldSlot[], loads: readonly Load[]): SoldReserve[] =>
  slots.map(({ id, market, product, kw, fromMs, toMs, lostDkk }) => {
    const direction = product.endsWith('-DEC') ? 'down' : isMarket(market) ? markets[market].direction : 'up'
    const isBoth = direction === 'both' && !product.endsWith('-INC')
    const [isUp, isDown] = [direction !== 'down', direction === 'down' || isBoth]
    const [storage] = loads.filter((load) => load.kind === 'storage')
    const { power, opposite, hours } = reservoirs[market] ?? hourly
    /** Reserves above the sold power are limited to the storage: no plan can help beyond it. */
    const heldKw = (isSold: boolean, mostKw: number) =>
      isSold ? Math.max(kw, Math.min(kw * power, mostKw)) : Math.min(kw * opposite, mostKw)
    return {
      id,
      market,
      fromMs,
      toMs,
      loadIds: loads.map((load) => load.id),
      soldKw: kw,
      upKw: storage ? heldKw(isUp, storage.dischargeKw) : isUp ? kw : 0,
      downKw: storage ? heldKw(isDown, storage.chargeKw) : isDown ? kw : 0,
      leaving: lostDkk === null ? null : { lostDkk, penaltyDkk: '0' },
      upKwh: isUp ? kw * hours : 0,
      downKwh: isDown ? kw * hours : 0,
    }
  })

export type Known = {
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

export const problemOf = (form: PlanForm, load: PlanLoad, known: Known): PlanProblem => {
  const span = spanOf(form, known.nowMs)
  const loads = loadsOf(form, load, span, known)
  const quarters = known.quarters.filter(({ atMs }) => atMs < span.toMs)
  const last = (quarters.at(-1)?.atMs ?? span.toMs) + quarterMs
  const sold = soldOf(known.sold, loads)
  return {
    nowMs: known.nowMs,
    quarters,
    later: {
      quarters: known.quarters.slice(quarters.length),
      sold: sold.filter(({ fromMs }) => fromMs >= last),
    },
    site: siteOf(form, load, loads, { fromMs: known.nowMs, toMs: last }),
    loads,
    sold: sold.filter(({ fromMs }) => fromMs < last),
    weights: { cost: form.costWeight / 100, co2: 1 - form.costWeight / 100, co2DkkPerKg: form.co2DkkPerKg },
    baseline: known.baseline,
    running: known.running,
    storedDkkPerMwh: null,
  }
}
