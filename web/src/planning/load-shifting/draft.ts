import type { LoadKind, PlanForm, PlannedLoad } from '@gridmast/contract/planning/load-shifting.ts'
import { addDays, atLocalTime, localDateOf, localTime, type LocalDate, quarterMs } from '@gridmast/contract/time.ts'

/** Values of the form while it is edited: a number, or the typed text when it is not a number, which the schema then refuses. */
export type FieldValue = number | string | undefined

export type Draft = {
  kind: LoadKind
  needKwh: FieldValue
  isFirm: boolean
  minKw: FieldValue
  maxKw: FieldValue
  onOff: { minRunQuarters: FieldValue; minPauseQuarters: FieldValue; maxStartsADay: FieldValue }
  storage: {
    capacityKwh: FieldValue
    dischargeKw: FieldValue
    efficiencyPercent: FieldValue
    lowestPercent: FieldValue
    highestPercent: FieldValue
    targetPercent: FieldValue
  }
  socPercent: FieldValue
  limitKw: FieldValue
  wishedPeakKw: FieldValue
  otherKw: FieldValue
  capacityDkkPerKw: string
  reachedKw: FieldValue
  costWeight: number
  baseline: PlanForm['baseline']
  /** Empty: now. */
  startDate: LocalDate
  startTime: string
  deadlineDate: LocalDate
  deadlineTime: string
  /** Tariff of the grid company, as gln:code. */
  tariff: string | null
  /** kWh of each charger by its id, where they do not share the need evenly. */
  needs: Record<string, FieldValue> | null
}

/** Only measured values have a suggestion, not on/off times or targets. */
export const draftOf = ({ suggested }: PlannedLoad, nowMs: number): Draft => ({
  kind: suggested.kind,
  needKwh: suggested.needKwh ?? undefined,
  isFirm: false,
  minKw: 0,
  maxKw: suggested.maxKw,
  onOff: { minRunQuarters: 4, minPauseQuarters: 0, maxStartsADay: undefined },
  storage: {
    // Most batteries last for two hours at full power.
    capacityKwh: 2 * suggested.maxKw,
    dischargeKw: suggested.maxKw,
    efficiencyPercent: 90,
    lowestPercent: 10,
    highestPercent: undefined,
    targetPercent: undefined,
  },
  socPercent: undefined,
  limitKw: undefined,
  wishedPeakKw: undefined,
  otherKw: 0,
  capacityDkkPerKw: '',
  reachedKw: 0,
  costWeight: 70,
  baseline: 'immediate',
  startDate: '',
  startTime: localTime(nowMs),
  tariff: null,
  needs: null,
  deadlineDate: addDays(localDateOf(nowMs), 1),
  deadlineTime: '08:00',
})

const idOfLoad = ({ target }: PlannedLoad) => {
  const named = { instance: 'instanceId', site: 'siteId', charger: 'chargerId' } as const
  return { [named[target.kind]]: target._id }
}

export const loadOf = (draft: Draft, load: PlannedLoad) => ({
  ...idOfLoad(load),
  kind: draft.kind,
  maxKw: draft.maxKw,
  minKw: draft.minKw,
  ...(draft.kind === 'storage' ? {} : { needKwh: draft.needKwh }),
  ...(draft.kind === 'on-off' ? { onOff: { ...draft.onOff, maxStartsADay: draft.onOff.maxStartsADay ?? null } } : {}),
  ...(draft.kind === 'storage'
    ? {
        storage: {
          ...draft.storage,
          highestPercent: draft.storage.highestPercent ?? null,
          targetPercent: draft.storage.targetPercent ?? null,
        },
      }
    : {}),
  limitKw: draft.limitKw,
  wishedPeakKw: draft.wishedPeakKw,
  otherKw: draft.otherKw,
  capacityDkkPerKw: draft.capacityDkkPerKw || undefined,
  costWeight: draft.costWeight,
  ...(draft.tariff === null ? {} : { tariff: draft.tariff }),
})

/** In October's repeated hour a start is the first pass, a deadline the second. */
const atInstant = (date: LocalDate, time: string, at?: 'end'): string =>
  new Date(atLocalTime(date, time, at)).toISOString()

/** Chargers with a need; text that is not a number is kept, so that the schema refuses it. */
const needsOf = ({ needs }: Draft) =>
  Object.entries(needs ?? {}).flatMap(([chargerId, needKwh]) =>
    needKwh === undefined || needKwh === 0 ? [] : [{ chargerId, needKwh }],
  )

export const sumOfNeeds = (draft: Draft): number =>
  needsOf(draft).reduce((sum, { needKwh }) => sum + (typeof needKwh === 'number' ? needKwh : 0), 0)

export const planBody = (draft: Draft, load: PlannedLoad) => ({
  ...loadOf(draft, load),
  isFirm: draft.isFirm,
  reachedKw: draft.reachedKw,
  baseline: draft.baseline,
  ...(draft.needs === null ? {} : { needKwh: sumOfNeeds(draft), needs: needsOf(draft) }),
  ...(draft.startDate === '' ? {} : { start: atInstant(draft.startDate, draft.startTime) }),
  deadline: atInstant(draft.deadlineDate, draft.deadlineTime, 'end'),
  ...(draft.kind === 'storage' ? { socPercent: draft.socPercent } : {}),
})

export const firstDeadline = (nowMs: number): LocalDate => localDateOf(nowMs + quarterMs)
