import type { PlanAnswer } from '@gridmast/contract/planning/load-plan-answer.ts'
import type {
  OpenSaving,
  PlanForm,
  PlanHead,
  PlanSaving,
  PlanTarget,
} from '@gridmast/contract/planning/load-shifting.ts'
import { type RawBuilder, sql } from 'kysely'
import type { PlanProblem } from '#planning/solver/plan.ts'
import type { PublishedSource } from '@gridmast/contract/source.ts'
import { byName, orderBy, type Sort } from '#platform/http/list-query.ts'
import { rowChanged } from '#platform/messaging/bus.ts'
import type { Tx } from '#platform/records/records.ts'
import { sqlRows, insertRow, type RowOf } from '#platform/records/rows.ts'
import type { LoadIds } from './loads.ts'

export type StoredProblem = { problem: PlanProblem; sources: { spot: PublishedSource; emission: PublishedSource } }

export type PlanHeadRow = Omit<
  RowOf<'load_plan'>,
  | 'customer_id'
  | 'state'
  | 'asked'
  | 'problem'
  | 'plan'
  | 'saving'
  | 'looked_at'
  | 'told_at'
  | 'made_by'
  | 'started_at'
  | 'finished_at'
  | 'tries'
  | 'reason'
  | 'end_reason'
> & {
  reason: PlanHead['reason']
  end_reason: NonNullable<PlanHead['ended']>['reason'] | null
  state: PlanHead['state']
  asked: PlanForm
  saving: PlanSaving | null
  status: PlanHead['status']
  saved_dkk: string | null
  has_assumed: boolean
}
export type PlanRow = PlanHeadRow & {
  customer_id: string
  problem: StoredProblem | null
  plan: PlanAnswer | null
  saving: OpenSaving | null
  looked_at: string | null
  told_at: Date | null
}

const hasAssumed = sql<boolean>`coalesce(jsonb_array_length(p.plan -> 'assumedMs') > 0, false)`

const head = sql`p.plan_id, p.series_id, p.version, p.instance_id, p.site_id, p.charger_id, p.name, p.state, p.cancel_asked, p.asked, p.made_by_name,
  p.made_at, p.from_at, p.to_at, p.accepted_at, p.accepted_by, p.reason, p.ended_at, p.end_reason, p.saving - 'quarters' as saving, p.plan ->> 'status' as status,
  p.plan ->> 'savedDkk' as saved_dkk, ${hasAssumed} as has_assumed`

export const idsOf = (load: LoadIds) => ({
  instance_id: load.instanceId ?? null,
  site_id: load.siteId ?? null,
  charger_id: load.chargerId ?? null,
})

export const targetOf = (
  row: Pick<PlanHeadRow, 'instance_id' | 'site_id' | 'charger_id' | 'name'> & { asked: LoadIds },
): PlanTarget => ({
  kind: row.asked.instanceId ? 'instance' : row.asked.siteId ? 'site' : 'charger',
  _id: row.instance_id ?? row.site_id ?? row.charger_id,
  name: row.name,
})

type Filter = { isAccepted: boolean; loadId?: string | undefined }

const ofLoad = (loadId: string | undefined) =>
  loadId === undefined ? sql`` : sql`and ${loadId}::uuid in (p.instance_id, p.site_id, p.charger_id)`

const isFollowed = sql`p.accepted_at is not null and p.ended_at is null`

const ofFirst = (column: RawBuilder<unknown>) =>
  sql`(select ${column} from load_plan f where f.customer_id = p.customer_id and f.plan_id = p.series_id)`
const ofSaving = (name: string) => sql`(p.saving ->> ${sql.lit(name)})::numeric`

const place = sql`case when p.ended_at is not null then 5 when p.accepted_at is not null then 4
  else array_position(array['queued', 'running', 'failed', 'done'], p.state) - 1 end`

const planColumns = {
  target: byName(sql`p.name`),
  span: sql`p.from_at`,
  state: place,
  saved: sql`(p.plan ->> 'savedDkk')::numeric`,
  madeAt: sql`p.made_at`,
  madeBy: byName(sql`p.made_by_name`),
}
const savingColumns = {
  target: planColumns.target,
  span: ofFirst(sql`f.from_at`),
  state: place,
  promised: ofFirst(sql`(f.plan ->> 'savedDkk')::numeric`),
  saved: ofSaving('savedDkk'),
  kg: ofSaving('savedKgCo2'),
  kwh: ofSaving('measuredKwh'),
  covered: ofSaving('coverage'),
}
export const planOrder = (sort: Sort<keyof typeof planColumns>, isFollowedFirst = false) => {
  const defaultOrder = sql`${isFollowedFirst ? sql`(${isFollowed}) desc, (p.plan -> 'plan') is not null desc,` : sql``} p.made_at desc, p.plan_id`
  return orderBy(sort, planColumns, defaultOrder)
}
export const savingOrder = (sort: Sort<keyof typeof savingColumns>) =>
  orderBy(sort, savingColumns, sql`p.made_at desc, p.plan_id`)

export const findPlanRows = (
  tx: Tx,
  customerId: string,
  { limit, skip, isAccepted, loadId }: Filter & { limit: number; skip: number },
  order: RawBuilder<unknown>,
) => sqlRows<PlanHeadRow>(tx)`
    select ${head} from load_plan p
    where p.customer_id = ${customerId} and p.plan_id = (
      select n.plan_id from load_plan n
      where n.customer_id = p.customer_id and n.series_id = p.series_id ${isAccepted ? sql`and n.accepted_at is not null` : sql``}
      order by n.accepted_at is not null and n.ended_at is null desc, n.version desc limit 1) ${ofLoad(loadId)}
    order by ${order} limit ${limit} offset ${skip}`

export const findFirsts = async (tx: Tx, customerId: string, rows: readonly Pick<PlanHeadRow, 'series_id'>[]) => {
  const firsts = await sqlRows<PlanHeadRow>(tx)`
    select ${head} from load_plan p
    where p.customer_id = ${customerId} and p.plan_id = any(${rows.map(({ series_id }) => series_id)}::uuid[])`
  return new Map(firsts.map((row) => [row.series_id, row]))
}

export const countPlans = async (tx: Tx, customerId: string, { isAccepted, loadId }: Filter): Promise<number> => {
  const [row] = await sqlRows<{ n: number }>(tx)`
    select count(distinct series_id)::int as n from load_plan p
    where customer_id = ${customerId} ${isAccepted ? sql`and accepted_at is not null` : sql``} ${ofLoad(loadId)}`
  return row?.n ?? 0
}

export const readPlan = async (tx: Tx, customerId: string, planId: string, isLocked = false) => {
  const query = tx
    .selectFrom('load_plan as p')
    .selectAll('p')
    .select([sql`p.plan ->> 'status'`.as('status'), sql`p.plan ->> 'savedDkk'`.as('saved_dkk')])
    .select(hasAssumed.as('has_assumed'))
    .where('p.customer_id', '=', customerId)
    .where('p.plan_id', '=', planId)
  const row = await (isLocked ? query.forUpdate() : query).executeTakeFirst()
  return row as unknown as PlanRow | undefined
}

export const findVersions = async (tx: Tx, customerId: string, seriesId: string) =>
  sqlRows<PlanHeadRow>(tx)`
      select ${head} from load_plan p where p.customer_id = ${customerId} and p.series_id = ${seriesId} order by p.version desc limit 100`

type NewPlan = {
  planId: string
  seriesId: string
  version: number
  load: LoadIds
  name: string
  asked: PlanForm
  reason?: string
  madeBy: string | null
  madeByName: string
  nowMs: number
}

export const addPlan = async (tx: Tx, customerId: string, plan: NewPlan): Promise<void> => {
  await insertRow(tx, customerId, 'load_plan', {
    plan_id: plan.planId,
    series_id: plan.seriesId,
    version: plan.version,
    ...idsOf(plan.load),
    name: plan.name,
    state: 'queued',
    asked: JSON.stringify(plan.asked),
    made_by: plan.madeBy,
    made_by_name: plan.madeByName,
    made_at: new Date(plan.nowMs),
    reason: plan.reason ?? null,
  }).execute()
  rowChanged(tx, 'load-plan', plan.planId)
}

/** Requesting, following and ending plans is exclusive per customer until the commit; the lock precedes any row lock. */
export const lockPlans = (tx: Tx, customerId: string) =>
  sql`select pg_advisory_xact_lock(hashtextextended(${customerId}, 6))`.execute(tx)

export const placeOf = async (tx: Tx, customerId: string, planId: string): Promise<number> => {
  const [row] = await sqlRows<{ n: number }>(tx)`
    with queued as (
      select customer_id, plan_id, made_at, row_number() over (partition by customer_id order by made_at, plan_id) as turn,
        coalesce((select max(s.started_at) from load_plan s where s.customer_id = p.customer_id), '-infinity') as served
      from load_plan p where state = 'queued')
    select (count(*) + (select count(*) from load_plan where state = 'running'))::int as n
    from queued q join queued plan on plan.customer_id = ${customerId} and plan.plan_id = ${planId}
    where (q.turn, q.served, q.made_at, q.plan_id) < (plan.turn, plan.served, plan.made_at, plan.plan_id)`
  return row?.n ?? 0
}

export const countWaiting = async (tx: Tx, customerId: string): Promise<number> => {
  const [row] = await sqlRows<{ n: number }>(tx)`
    select count(*)::int as n from load_plan where customer_id = ${customerId} and state in ('queued', 'running')`
  return row?.n ?? 0
}

export const findFollowed = (tx: Tx, customerId: string, plan: PlanHeadRow, chargerIds: readonly string[]) => sqlRows<{
  plan_id: string
  series_id: string
  name: string
}>(tx)`
    select p.plan_id, p.series_id, p.name from load_plan p
    where p.customer_id = ${customerId} and p.series_id <> ${plan.series_id} and p.accepted_at is not null and p.ended_at is null
      and (p.plan_id in (select s.plan_id from charger_schedule s where s.customer_id = ${customerId} and cardinality(s.watts) > 0
          and s.charger_id = any(${chargerIds}::uuid[]))
        or p.instance_id = ${plan.instance_id}::uuid)
    order by p.accepted_at`
