import { type RiskSlot, riskStates } from '@gridmast/contract/trading/penalty-guard.ts'
import { sql } from 'kysely'
import type { Tx } from '#platform/records/records.ts'
import { getRow, insertRow, selectRows, updateRows } from '#platform/records/rows.ts'
import type { Open, RiskState, Sold } from './shortfall.ts'

export type SoldInstance = {
  customer_id: string
  instance_id: string
  name: string
  up: number | null
  down: number | null
}

export type Ahead = SoldInstance & { sold: Sold[] }

type Of = { customerId?: string; market?: string | undefined; instanceId?: string | undefined }

/** Sold capacity of future periods by instance, over all its markets, because they share its capacity. */
export const findSoldAhead = async (
  tx: Tx,
  nowMs: number,
  { customerId, market, instanceId }: Of = {},
): Promise<Ahead[]> => {
  const own = customerId === undefined ? sql`` : sql`and b.customer_id = ${customerId}`
  const one = instanceId === undefined ? sql`` : sql`and b.instance_id = ${instanceId}`
  const on = market === undefined ? sql`` : sql`and ${market} = any(i.markets)`
  const { rows } = await sql<
    SoldInstance & { market: string; product: string; starts_at: Date; ends_at: Date; kw: number; eur: string | null }
  >`
    select i.customer_id, i.instance_id, i.name, up.no as up, down.no as down, b.market, b.product, b.starts_at, max(b.ends_at) as ends_at,
      (sum(b.won_mw) * 1000)::float8 as kw,
      case when count(*) = count(b.marginal_price_eur) then trim_scale(sum(b.won_mw * b.marginal_price_eur))::text end as eur
    from bid b
    join instance i on i.customer_id = b.customer_id and i.instance_id = b.instance_id and i.enabled
    left join signal up on up.customer_id = i.customer_id and up.instance_id = i.instance_id and up.kind = 'capacityUp'
    left join signal down on down.customer_id = i.customer_id and down.instance_id = i.instance_id and down.kind = 'capacityDown'
    where b.won and b.won_mw > 0 and b.ends_at > ${new Date(nowMs)} and b.starts_at > ${new Date(nowMs)} ${own} ${one} ${on}
    group by i.customer_id, i.instance_id, up.no, down.no, b.market, b.product, b.starts_at
    order by i.position, b.starts_at, b.product`.execute(tx)
  return [...Map.groupBy(rows, ({ instance_id }) => instance_id).values()].flatMap((own) => {
    const [first] = own
    if (!first) return []
    const { customer_id, instance_id, name, up, down } = first
    const sold = own.map((row) => ({
      market: row.market,
      product: row.product,
      kw: row.kw,
      eur: row.eur,
      fromMs: row.starts_at.getTime(),
      toMs: row.ends_at.getTime(),
    }))
    return [{ customer_id, instance_id, name, up, down, sold }]
  })
}

const stateOf = (text: string): RiskState => riskStates.find((state) => state === text) ?? 'short'

type OpenRow = Open & { product: string; startMs: number; triggerId: string }

export const lockOpen = async (tx: Tx, customerId: string, instanceId: string, nowMs: number): Promise<OpenRow[]> => {
  const rows = await selectRows(tx, customerId, 'sold_risk', { instance_id: instanceId, closed_at: null })
    .select(['product', 'starts_at', 'state', 'told_kw as toldKw', 'trigger_id as triggerId'])
    .where('starts_at', '>', new Date(nowMs))
    .forUpdate()
    .execute()
  return rows.map(({ starts_at, state, ...open }) => ({ ...open, startMs: starts_at.getTime(), state: stateOf(state) }))
}

export const findOpenInstances = async (tx: Tx, nowMs: number) => {
  const rows = await tx
    .selectFrom('sold_risk')
    .select(['customer_id', 'instance_id'])
    .distinct()
    .where('starts_at', '>', new Date(nowMs))
    .where('closed_at', 'is', null)
    .execute()
  return rows
}

type Place = {
  customerId: string
  instanceId: string
  market: string
  triggerId: string
  toldKw: number
  nowMs: number
}

export const saveRisk = async (tx: Tx, slot: RiskSlot, place: Place): Promise<void> => {
  const at = new Date(place.nowMs)
  const changing = {
    sold_kw: slot.soldKw,
    expected_kw: slot.expectedKw,
    usual_error_kw: slot.usualErrorKw,
    short_kw: slot.shortKw,
    loss_eur: slot.lossEur,
    at_stake_eur: slot.atStakeEur,
    state: slot.state,
    told_kw: place.toldKw,
    trigger_id: place.triggerId,
    checked_at: at,
    closed_at: null,
  }
  await insertRow(tx, place.customerId, 'sold_risk', {
    instance_id: place.instanceId,
    market: place.market,
    product: slot.product,
    starts_at: new Date(slot.start),
    ends_at: new Date(slot.end),
    raised_at: at,
    ...changing,
  })
    .onConflict((conflict) =>
      conflict.columns(['customer_id', 'instance_id', 'product', 'starts_at']).doUpdateSet({
        ...changing,
        raised_at: sql<Date>`case when sold_risk.closed_at is null then sold_risk.raised_at else ${at}::timestamptz end`,
      }),
    )
    .execute()
}

export const closeRisk = (
  tx: Tx,
  {
    customerId,
    instanceId,
    product,
    startMs,
    at,
  }: { customerId: string; instanceId: string; product: string; startMs: number; at: Date },
) =>
  updateRows(tx, customerId, 'sold_risk', { instance_id: instanceId, product, starts_at: new Date(startMs) })
    .set({ closed_at: at, checked_at: at })
    .execute()

export const findRisks = async (tx: Tx, customerId: string, nowMs: number, { market, instanceId }: Of) => {
  const rows = await tx
    .selectFrom('sold_risk as r')
    .innerJoin('instance as i', (join) =>
      join.onRef('i.customer_id', '=', 'r.customer_id').onRef('i.instance_id', '=', 'r.instance_id'),
    )
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

export const findMeasuring = async (
  tx: Tx,
  customerId: string,
  markets: readonly string[],
): Promise<(SoldInstance & { markets: string[] })[]> => {
  const { rows } = await sql<SoldInstance & { markets: string[] }>`
    select i.customer_id, i.instance_id, i.name, i.markets, up.no as up, down.no as down
    from instance i
    join signal up on up.customer_id = i.customer_id and up.instance_id = i.instance_id and up.kind = 'capacityUp'
    join signal down on down.customer_id = i.customer_id and down.instance_id = i.instance_id and down.kind = 'capacityDown'
    where i.customer_id = ${customerId} and i.enabled and i.markets && ${markets}::text[] order by i.position`.execute(
    tx,
  )
  return rows
}

type Support = { name?: string; phone?: string; email?: string }

export const getSupport = async (tx: Tx, customerId: string): Promise<Support> => {
  const { support } = await selectRows(tx, customerId, 'customer')
    .select((of) => of.ref('support').$castTo<Support>().as('support'))
    .executeTakeFirstOrThrow()
  return support
}
