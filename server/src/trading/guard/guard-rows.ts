import { m } from '@gridmast/contract/messages.ts'
import { type RiskSlot, riskStates } from '@gridmast/contract/trading/penalty-guard.ts'
import { sql } from 'kysely'
import type { Tx } from '#platform/records/records.ts'
import { sqlRows, getRow, insertRow, type RowOf, selectRows, updateRows, onKey } from '#platform/records/rows.ts'
import type { SoldPeriod } from './shortfall.ts'

type SoldInstance = RowOf<'instance', 'customer_id' | 'instance_id' | 'name'> & {
  up: number | null
  down: number | null
}

export type SoldAhead = SoldInstance & { sold: SoldPeriod[] }

/** Sold capacity of future periods by instance, over all its markets, because they share its capacity. */
export const findSoldAhead = async (tx: Tx, nowMs: number, customerId?: string): Promise<SoldAhead[]> => {
  const now = new Date(nowMs)
  const rows = await sqlRows<
    SoldInstance & Omit<SoldPeriod, 'fromMs' | 'toMs'> & Pick<RowOf<'bid'>, 'starts_at' | 'ends_at'>
  >(tx)`
    select i.customer_id, i.instance_id, i.name, up.no as up, down.no as down, b.market, b.product, b.starts_at, max(b.ends_at) as ends_at,
      (sum(b.won_mw) * 1000)::float8 as kw,
      case when count(*) = count(b.marginal_price_eur) then trim_scale(sum(b.won_mw * b.marginal_price_eur))::text end as eur
    from bid b
    join instance i on i.customer_id = b.customer_id and i.instance_id = b.instance_id and i.enabled
    left join signal up on up.customer_id = i.customer_id and up.instance_id = i.instance_id and up.kind = 'capacityUp'
    left join signal down on down.customer_id = i.customer_id and down.instance_id = i.instance_id and down.kind = 'capacityDown'
    where b.won and b.won_mw > 0 and b.ends_at > ${now} and b.starts_at > ${now}
      ${customerId === undefined ? sql`` : sql`and b.customer_id = ${customerId}`}
    group by i.customer_id, i.instance_id, up.no, down.no, b.market, b.product, b.starts_at
    order by i.position, b.starts_at, b.product`
  return [...Map.groupBy(rows, ({ instance_id }) => instance_id).values()].flatMap((periods) => {
    const [first] = periods
    if (!first) return []
    const { customer_id, instance_id, name, up, down } = first
    const sold = periods.map(({ market, product, kw, eur, starts_at, ends_at }) => ({
      market,
      product,
      kw,
      eur,
      fromMs: starts_at.getTime(),
      toMs: ends_at.getTime(),
    }))
    return [{ customer_id, instance_id, name, up, down, sold }]
  })
}

const stateOf = (text: string) => riskStates.find((state) => state === text) ?? 'short'

export const lockOpenRisks = async (tx: Tx, customerId: string, instanceId: string, nowMs: number) => {
  const rows = await selectRows(tx, customerId, 'sold_risk', { instance_id: instanceId, closed_at: null })
    .select(['product', 'starts_at', 'state', 'told_kw', 'trigger_id'])
    .where('starts_at', '>', new Date(nowMs))
    .forUpdate()
    .execute()
  return rows.map(({ state, ...risk }) => ({ ...risk, state: stateOf(state) }))
}

export const findOpenInstances = (tx: Tx, nowMs: number) =>
  tx
    .selectFrom('sold_risk')
    .select(['customer_id', 'instance_id'])
    .distinct()
    .where('starts_at', '>', new Date(nowMs))
    .where('closed_at', 'is', null)
    .execute()

type Risk = RowOf<'sold_risk', 'instance_id' | 'market' | 'trigger_id' | 'told_kw'> & { slot: RiskSlot }

export const saveRisk = async (tx: Tx, customerId: string, { slot, ...risk }: Risk, at: Date): Promise<void> => {
  const changing = {
    sold_kw: slot.soldKw,
    expected_kw: slot.expectedKw,
    usual_error_kw: slot.usualErrorKw,
    short_kw: slot.shortKw,
    loss_eur: slot.lossEur,
    at_stake_eur: slot.atStakeEur,
    state: slot.state,
    told_kw: risk.told_kw,
    trigger_id: risk.trigger_id,
    checked_at: at,
    closed_at: null,
  }
  const times = { starts_at: slot.start, ends_at: slot.end, raised_at: at }
  await insertRow(tx, customerId, 'sold_risk', { ...risk, ...changing, ...times, product: slot.product })
    .onConflict((conflict) =>
      conflict.columns(['customer_id', 'instance_id', 'product', 'starts_at']).doUpdateSet({
        ...changing,
        raised_at: sql<Date>`case when sold_risk.closed_at is null then sold_risk.raised_at else ${at}::timestamptz end`,
      }),
    )
    .execute()
}

type RiskKey = RowOf<'sold_risk', 'instance_id' | 'product' | 'starts_at'>

export const closeRisk = (tx: Tx, customerId: string, { instance_id, product, starts_at }: RiskKey, at: Date) =>
  updateRows(tx, customerId, 'sold_risk', { instance_id, product, starts_at })
    .set({ closed_at: at, checked_at: at })
    .execute()

const missingKw = ({ shortKw, soldKw }: RiskSlot) => shortKw ?? soldKw

export type GuardAlert = RowOf<'alert_trigger', 'trigger_id' | 'instance_id'> & {
  market: string
  slots: readonly RiskSlot[]
}

/** Alerts of the guard have no rule of a company; as rows of the company's alerts they appear in the bell and the lists. */
export const addGuardAlert = (
  tx: Tx,
  customerId: string,
  { trigger_id, instance_id, market, slots }: GuardAlert,
  at: Date,
) => {
  const worst = slots.reduce((a, b) => (missingKw(a) >= missingKw(b) ? a : b))
  return insertRow(tx, customerId, 'alert_trigger', {
    trigger_id,
    alert_id: null,
    instance_id,
    name: m.soldCapacityAtRisk,
    type: 'sold-capacity',
    criteria: 'lt',
    threshold: worst.soldKw,
    value: worst.expectedKw,
    triggered_at: at,
    crossed_at: at,
    late: false,
    notification: true,
    about: JSON.stringify({ market, slots }),
  }).execute()
}

export const closeGuardAlerts = (tx: Tx, customerId: string, triggerIds: readonly string[], at: Date) =>
  tx
    .updateTable('alert_trigger as t')
    .set({ closed_at: at })
    .where('t.customer_id', '=', customerId)
    .where('t.trigger_id', 'in', triggerIds)
    .where('t.closed_at', 'is', null)
    .where((of) =>
      of.not(
        of.exists(
          of
            .selectFrom('sold_risk as r')
            .select('r.product')
            .whereRef('r.customer_id', '=', 't.customer_id')
            .whereRef('r.trigger_id', '=', 't.trigger_id')
            .where('r.closed_at', 'is', null),
        ),
      ),
    )
    .execute()

export const findRisks = async (
  tx: Tx,
  customerId: string,
  nowMs: number,
  { market, instanceId }: { market?: string | undefined; instanceId?: string | undefined },
) => {
  const rows = await tx
    .selectFrom('sold_risk as r')
    .innerJoin('instance as i', onKey('i', 'r', 'instance_id'))
    .select(['r.market', 'r.instance_id as groupId', 'i.name as groupName', 'r.product', 'r.state'])
    .select(['r.raised_at', 'r.starts_at', 'r.ends_at'])
    .select(['r.sold_kw as soldKw', 'r.expected_kw as expectedKw', 'r.usual_error_kw as usualErrorKw'])
    .select(['r.short_kw as shortKw', 'r.loss_eur as lossEur', 'r.at_stake_eur as atStakeEur'])
    .where('r.customer_id', '=', customerId)
    .where('r.closed_at', 'is', null)
    .where('r.starts_at', '>', new Date(nowMs))
    .$if(market !== undefined, (query) => query.where('r.market', '=', market ?? ''))
    .$if(instanceId !== undefined, (query) => query.where('r.instance_id', '=', instanceId ?? ''))
    .orderBy('r.starts_at')
    .orderBy('i.position')
    .orderBy('r.product')
    .limit(500)
    .execute()
  return rows.map(({ state, raised_at, starts_at, ends_at, ...risk }) => ({
    ...risk,
    state: stateOf(state),
    raisedAt: raised_at.toISOString(),
    start: starts_at.toISOString(),
    end: ends_at.toISOString(),
  }))
}

export const getInstance = (tx: Tx, customerId: string, instanceId: string) =>
  getRow(tx, customerId, 'instance', { instance_id: instanceId }, ['instance_id'])

export const findMeasuring = (tx: Tx, customerId: string, markets: readonly string[]) =>
  sqlRows<SoldInstance & RowOf<'instance', 'markets'>>(tx)`
    select i.customer_id, i.instance_id, i.name, i.markets, up.no as up, down.no as down
    from instance i
    join signal up on up.customer_id = i.customer_id and up.instance_id = i.instance_id and up.kind = 'capacityUp'
    join signal down on down.customer_id = i.customer_id and down.instance_id = i.instance_id and down.kind = 'capacityDown'
    where i.customer_id = ${customerId} and i.enabled and i.markets && ${markets}::text[]
    order by i.position`

export const getSupport = async (tx: Tx, customerId: string, operatorEmail: string) => {
  const { support } = await selectRows(tx, customerId, 'customer')
    .select((of) => of.ref('support').$castTo<{ name?: string; phone?: string; email?: string }>().as('support'))
    .executeTakeFirstOrThrow()
  const { name = 'Gridmast operator', phone = null, email = operatorEmail } = support
  return { name, phone, email }
}
