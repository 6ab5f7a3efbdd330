import type { LoadKind, PlanForm, PlannedLoad } from '@gridmast/contract/load-shifting.ts'
import { isDecimal } from '@gridmast/contract/numbers.ts'
import { addDays, atLocalTime, localDateOf, type LocalDate, quarterMs } from '@gridmast/contract/time.ts'

/** What the form holds while it is filled in: a number, or a text that is none, so that the rule can say so. */
export type Typed = number | string | undefined

export type Draft = {
  kind: LoadKind
  needKwh: Typed
  isFirm: boolean
  minKw: Typed
  maxKw: Typed
  onOff: { minRunQuarters: Typed; minPauseQuarters: Typed; maxStartsADay: Typed }
  storage: {
    capacityKwh: Typed
    dischargeKw: Typed
    efficiencyPercent: Typed
    lowestPercent: Typed
    targetPercent: Typed
  }
  socPercent: Typed
  limitKw: Typed
  wishedPeakKw: Typed
  otherKw: Typed
  capacityDkkPerKw: string | undefined
  reachedKw: Typed
  costWeight: number
  baseline: PlanForm['baseline']
  deadlineDate: LocalDate
  deadlineTime: string
}

/** An on/off load or a wish is not guessed; what is measured is. */
export const draftOf = ({ suggested }: PlannedLoad, nowMs: number): Draft => ({
  kind: suggested.kind,
  needKwh: suggested.needKwh ?? undefined,
  ...{ isFirm: false, minKw: 0, maxKw: suggested.maxKw },
  onOff: { minRunQuarters: 4, minPauseQuarters: 0, maxStartsADay: undefined },
  storage: {
    // Most batteries last for two hours at full power.
    ...{ capacityKwh: 2 * suggested.maxKw, dischargeKw: suggested.maxKw },
    ...{ efficiencyPercent: 90, lowestPercent: 10, targetPercent: undefined },
  },
  ...{ socPercent: undefined, limitKw: undefined, wishedPeakKw: undefined, otherKw: 0 },
  ...{ capacityDkkPerKw: undefined, reachedKw: 0, costWeight: 70, baseline: 'immediate' },
  ...{ deadlineDate: addDays(localDateOf(nowMs), 1), deadlineTime: '08:00' },
})

/** A call wants a number; any other text goes on as it is, for its rule. */
export const typedNumber = (decimal: string | undefined): Typed =>
  decimal !== undefined && isDecimal(decimal) ? Number(decimal) : decimal

const idOfLoad = ({ target }: PlannedLoad) => {
  const named = { instance: 'instanceId', site: 'siteId', charger: 'chargerId' } as const
  return { [named[target.kind]]: target._id }
}

/** What a plan and a backtest say alike. */
export const loadOf = (draft: Draft, load: PlannedLoad) => ({
  ...idOfLoad(load),
  ...{ kind: draft.kind, maxKw: draft.maxKw, minKw: draft.minKw },
  ...(draft.kind === 'storage' ? {} : { needKwh: draft.needKwh }),
  ...(draft.kind === 'on-off' ? { onOff: { ...draft.onOff, maxStartsADay: draft.onOff.maxStartsADay ?? null } } : {}),
  ...(draft.kind === 'storage'
    ? { storage: { ...draft.storage, targetPercent: draft.storage.targetPercent ?? null } }
    : {}),
  ...{ limitKw: draft.limitKw, wishedPeakKw: draft.wishedPeakKw, otherKw: draft.otherKw },
  ...{ capacityDkkPerKw: draft.capacityDkkPerKw, costWeight: draft.costWeight },
})

/** The hour that October has twice: a deadline is the later one. */
const deadlineOf = ({ deadlineDate, deadlineTime }: Pick<Draft, 'deadlineDate' | 'deadlineTime'>): string =>
  new Date(atLocalTime(deadlineDate, deadlineTime, 'end')).toISOString()

export const planBody = (draft: Draft, load: PlannedLoad) => ({
  ...loadOf(draft, load),
  ...{ isFirm: draft.isFirm, reachedKw: draft.reachedKw, baseline: draft.baseline },
  deadline: deadlineOf(draft),
  ...(draft.kind === 'storage' ? { socPercent: draft.socPercent } : {}),
})

export const firstDeadline = (nowMs: number): LocalDate => localDateOf(nowMs + quarterMs)
