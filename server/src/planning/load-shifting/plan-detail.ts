import type { PlanHead } from '@gridmast/contract/planning/load-shifting.ts'
import type { App } from '#context.ts'
import { soldKwOf } from '#planning/solver/site-rows.ts'
import type { Tx } from '#platform/records/records.ts'
import { onKey, selectRows } from '#platform/records/rows.ts'
import type { Own } from '#platform/http/route.ts'
import { notFound } from '#platform/http/errors.ts'
import { chargerIdsOf, readPlanMeasured, totalWh } from './quarters.ts'
import { findFollowed, findVersions, placeOf, type PlanHeadRow, readPlan, targetOf, type PlanRow } from './queries.ts'

const iso = (at: Date | null) => at?.toISOString() ?? null

export const toHead = (row: PlanHeadRow): PlanHead => ({
  _id: row.plan_id,
  seriesId: row.series_id,
  version: row.version,
  target: targetOf(row),
  state: row.state,
  status: row.status,
  from: iso(row.from_at),
  to: iso(row.to_at),
  madeAt: row.made_at.toISOString(),
  madeBy: row.made_by_name,
  reason: row.reason,
  accepted: row.accepted_at && { at: row.accepted_at.toISOString(), by: row.accepted_by ?? '' },
  ended: row.ended_at && row.end_reason && { at: row.ended_at.toISOString(), reason: row.end_reason },
  savedDkk: row.saved_dkk,
  hasAssumedPrices: row.has_assumed,
})

const noSource = { name: '', dataset: '', licence: null, simulated: false }

const soldKwAt = (plan: PlanRow, atMs: number): number =>
  (plan.problem?.problem.sold ?? [])
    .filter(({ fromMs, toMs, leaving }) => leaving === null && fromMs <= atMs && atMs < toMs)
    .reduce((sum, slot) => sum + soldKwOf(slot), 0)

const findEquipment = async (tx: Tx, customerId: string, plan: PlanRow) => {
  const charger_id = [plan.charger_id ?? plan.plan_id, ...chargerIdsOf(plan)]
  const rows = await selectRows(tx, customerId, 'charger', { charger_id })
    .select(['charger_id', 'name', 'simulated'])
    .execute()
  const names = Object.fromEntries(rows.map(({ charger_id, name }) => [charger_id, name]))
  const edge = plan.instance_id
    ? await tx
        .selectFrom('instance as i')
        .innerJoin('edge as e', onKey('e', 'i', 'edge_id'))
        .select(['e.name', 'e.simulated'])
        .where('i.customer_id', '=', customerId)
        .where('i.instance_id', '=', plan.instance_id)
        .executeTakeFirst()
    : undefined
  return {
    names: plan.instance_id ? { ...names, [plan.instance_id]: plan.name } : names,
    edge: edge?.name ?? null,
    simulated: rows.some((row) => row.simulated) || (edge?.simulated ?? false),
  }
}

const findDeliveries = async (tx: Tx, customerId: string, plan: PlanRow, edge: string | null) => {
  const chargers = await tx
    .selectFrom('charger_schedule as s')
    .innerJoin('charger as c', onKey('c', 's', 'charger_id'))
    .select(['c.name', 's.told_at', 's.answer'])
    .where('s.customer_id', '=', customerId)
    .where('s.plan_id', '=', plan.plan_id)
    .orderBy('c.position')
    .execute()
  const config = await tx
    .selectFrom('edge_config as e')
    .innerJoin('instance as i', onKey('i', 'e', 'edge_id'))
    .innerJoin('instance_schedule as s', onKey('s', 'i', 'instance_id'))
    .select('e.changed_at')
    .where('s.customer_id', '=', customerId)
    .where('s.plan_id', '=', plan.plan_id)
    .executeTakeFirst()
  const isTold = config !== undefined && plan.accepted_at !== null && config.changed_at >= plan.accepted_at
  return [
    ...chargers.map(({ name, told_at, answer }) => ({ name, at: iso(told_at), answer })),
    ...(edge !== null && plan.accepted_at !== null && plan.ended_at === null
      ? [{ name: edge, at: isTold ? config.changed_at.toISOString() : null, answer: null }]
      : []),
  ]
}

export const readDetail = async (app: Pick<App, 'records' | 'readings' | 'clock'>, own: Own['own'], planId: string) => {
  const { plan, customerId, ...rest } = await own(async (tx, customer) => {
    const row = await readPlan(tx, customer, planId)
    if (!row) throw notFound()
    const { names, edge, simulated } = await findEquipment(tx, customer, row)
    const others = await findFollowed(tx, customer, row, chargerIdsOf(row))
    return {
      plan: row,
      customerId: customer,
      names,
      simulated,
      versions: (await findVersions(tx, customer, row.series_id)).map(toHead),
      followed: others[0] ? { _id: others[0].plan_id, name: others[0].name } : null,
      told: await findDeliveries(tx, customer, row, edge),
    }
  })
  const place = plan.state === 'queued' ? await app.records.system((tx) => placeOf(tx, customerId, planId)) : null
  const quarters = plan.problem?.problem.quarters ?? []
  const measuredWh = plan.accepted_at === null ? [] : totalWh(await readPlanMeasured(app, plan))
  return {
    ...toHead(plan),
    ...rest,
    place,
    cancelAsked: plan.cancel_asked,
    asked: plan.asked,
    answer: plan.plan,
    saving: plan.saving,
    measuredWh,
    quarters: quarters.map(({ atMs, ...quarter }) => ({ fromMs: atMs, ...quarter, soldKw: soldKwAt(plan, atMs) })),
    sources: plan.problem?.sources ?? { spot: noSource, emission: noSource },
  }
}
