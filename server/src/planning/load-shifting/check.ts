import { limits } from '@gridmast/contract/limits.ts'
import type * as contract from '@gridmast/contract/planning/load-shifting.ts'
import { m } from '@gridmast/contract/messages.ts'
import { hourMs, quarterMs } from '@gridmast/contract/time.ts'
import type { App } from '#context.ts'
import { tariffExists } from '#grid/published/pricing.ts'
import { invalid, notFound, Refusal } from '#platform/http/errors.ts'
import type { Tx } from '#platform/records/records.ts'
import { selectRows } from '#platform/records/rows.ts'
import { getLoad, type LoadIds, type PlanLoad } from './loads.ts'
import { presentOf, spanOf } from './problem.ts'
import { countWaiting } from './queries.ts'
import { readSoc } from './solve.ts'

type LoadRules = Pick<contract.PlanForm, 'kind' | 'needKwh' | 'minKw' | 'maxKw' | 'storage' | 'tariff'> & LoadIds

const checkStorage = (storage: LoadRules['storage']) => {
  if (!storage) throw invalid({ storage: m.storageRequired })
  const { lowestPercent, highestPercent, targetPercent } = storage
  const least = Math.max(lowestPercent, targetPercent ?? 0)
  if (highestPercent !== null && highestPercent < least) throw invalid({ 'storage.highestPercent': m.atLeast(least) })
}

export const checkLoad = async (tx: Tx, customerId: string, form: LoadRules, nowMs: number): Promise<PlanLoad> => {
  const load = await getLoad(tx, customerId, form, nowMs)
  const named = [form.instanceId, form.siteId, form.chargerId].filter((one) => one !== undefined)
  if (!load || named.length > 1) throw new Refusal(409, m.loadRequired)
  if (!load.kinds.includes(form.kind)) throw invalid({ kind: m.kindOfLoad })
  if (form.kind !== 'storage' && form.needKwh === undefined) throw invalid({ needKwh: m.needRequired })
  if (form.kind === 'shiftable' && form.minKw > form.maxKw) throw invalid({ minKw: m.atMost(form.maxKw) })
  if (form.kind === 'storage') checkStorage(form.storage)
  if (!load.pricing) throw new Refusal(409, m.priceUnknown)
  const [gln, code] = form.tariff?.split(':') ?? []
  if (gln && code && !(await tariffExists(tx, { gln, code }))) throw invalid({ tariff: m.notValid })
  return load
}

export const checkRoom = async (tx: Tx, customerId: string) => {
  if ((await countWaiting(tx, customerId)) >= limits.waitingPlans) throw new Refusal(409, m.tooManyPlans)
}

export const checkTimes = ({ start, deadline }: contract.PlanForm, nowMs: number) => {
  const endMs = Date.parse(deadline)
  if (endMs < nowMs + quarterMs) throw invalid({ deadline: m.deadlinePassed })
  if (endMs > nowMs + (24 * limits.planDays + 1) * hourMs) throw invalid({ deadline: m.deadlineTooFar })
  if (start !== undefined && Date.parse(start) >= endMs) throw invalid({ start: m.startAfterDeadline })
}

export const checkNeeds = async (tx: Tx, customerId: string, form: contract.PlanForm) => {
  const named = [...new Set(form.needs?.map(({ chargerId }) => chargerId))]
  if (named.length === 0) return
  const own = await selectRows(tx, customerId, 'charger', { charger_id: named }).select('charger_id').execute()
  if (own.length < named.length) throw notFound()
}

export const nameOf = async (tx: Tx, customerId: string, userId: string): Promise<string> => {
  const { name } = await selectRows(tx, customerId, 'app_user', { user_id: userId })
    .select('name')
    .executeTakeFirstOrThrow()
  return name
}

export const checkSize = (form: contract.PlanForm, load: Pick<PlanLoad, 'chargers'>, nowMs: number) => {
  const { fromMs, toMs } = spanOf(form, nowMs)
  const loads = form.kind === 'session' ? presentOf(form, load).length : 1
  if (loads * Math.ceil((toMs - fromMs) / quarterMs) > limits.plannedQuarters)
    throw invalid({ deadline: m.planTooLarge })
}

export const checkPresent = async (app: App, load: PlanLoad, form: contract.PlanForm) => {
  if (form.kind === 'session' && presentOf(form, load).length === 0) throw new Refusal(409, m.noChargers)
  if (form.kind === 'storage' && form.socPercent === undefined && (await readSoc(app, load.signals)) === null)
    throw invalid({ socPercent: m.socUnknown })
}
