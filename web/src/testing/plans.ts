import type { PlanAnswer } from '@gridmast/contract/planning/load-plan-answer.ts'
import { type PlanDetail, type PlanHead, planForm } from '@gridmast/contract/planning/load-shifting.ts'

/** A load plan of four quarters. */

export const [firstPlan, secondPlan] = ['01930000-0000-7000-8000-000000000001', '01930000-0000-7000-8000-000000000002']
export const plannedInstance = {
  kind: 'instance',
  _id: '01930000-0000-7000-8000-000000000003',
  name: 'Cold store 1',
} as const
export const planHead = (_id: string, version: number): PlanHead => ({
  _id,
  seriesId: firstPlan,
  version,
  target: plannedInstance,
  state: 'done',
  status: 'optimal',
  from: '2026-11-20T17:00:00Z',
  to: '2026-11-20T18:00:00Z',
  madeAt: '2026-11-20T17:00:00Z',
  madeBy: 'Kim',
  reason: null,
  accepted: null,
  ended: null,
  savedDkk: null,
  hasAssumedPrices: false,
})
const noSource = { name: '', dataset: '', licence: null, simulated: false }
const plannedForm = {
  instanceId: plannedInstance._id,
  kind: 'shiftable',
  maxKw: 50,
  needKwh: 100,
  deadline: '2026-11-20T18:00:00Z',
}
export const planStartMs = Date.parse('2026-11-20T17:00:00Z')

export const somePlanBill = (total: string) => ({
  spot: total,
  tariff: '0',
  tax: '0',
  capacity: '0',
  reserve: '0',
  stored: '0',
  total,
})
export const someSchedule = (wh: number[], total: string) => ({
  loads: [{ loadId: plannedInstance._id, wh, storedWh: null }],
  bill: somePlanBill(total),
  kgCo2: '4.000',
  peakKw: 40,
  peakAtMs: planStartMs,
})
export const solvedAnswer: Extract<PlanAnswer, { status: 'optimal' }> = {
  status: 'optimal',
  plan: someSchedule([0, 0, 10_000, 5_000], '12.5'),
  scaled: [],
  savedDkk: '17.5',
  baseline: someSchedule([10_000, 5_000, 0, 0], '30'),
  savedKgCo2: '1.250',
  missed: [],
  roundedUp: [],
  binding: [],
  assumedMs: [],
  left: [],
  leavingSavesDkk: null,
  solveMs: 12,
}
export const somePlan = (more: Partial<PlanDetail> = {}): PlanDetail => ({
  ...planHead(firstPlan, 1),
  place: null,
  cancelAsked: false,
  asked: planForm.parse(plannedForm),
  versions: [planHead(firstPlan, 1)],
  names: { [plannedInstance._id]: plannedInstance.name },
  followed: null,
  told: [],
  measuredWh: [],
  saving: null,
  simulated: false,
  quarters: [0, 1, 2, 3].map((q) => ({
    fromMs: planStartMs + q * 900_000,
    spotDkkPerMwh: '1500',
    tariffDkkPerMwh: '100',
    taxDkkPerMwh: '119',
    isAssumed: q > 1,
    gCo2PerKwh: 100 + q,
    otherKw: 0,
    soldKw: 0,
  })),
  answer: solvedAnswer,
  sources: { spot: noSource, emission: noSource },
  ...more,
})
