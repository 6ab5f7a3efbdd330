import { edgeTopic, type EdgeConfig } from '@gridmast/contract/delivery/edge.ts'
import { isMarket } from '@gridmast/contract/markets.ts'
import { dayBounds, minuteMs, today } from '@gridmast/contract/time.ts'
import { sql } from 'kysely'
import type { App } from '#context.ts'
import { products } from '#delivery/scoring/products.ts'
import type { Job } from '#platform/jobs/jobs.ts'
import { rowChanged } from '#platform/messaging/bus.ts'
import type { Tx } from '#platform/records/records.ts'
import { sqlRows, onKey } from '#platform/records/rows.ts'
import type { Publish } from '#protocols/mqtt/broker.ts'

type SoldEdge = {
  customer_id: string
  edge_id: string
  edge_key: string
  instance_key: string
  flexible_kw: string
  markets: string[]
  sold: { market: string; product: string; from: string; to: string; kW: number }[]
  schedule: { planId: string; from: string; kW: number[] } | null
}

const findSoldByEdge = (tx: Tx, from: Date, now: Date): Promise<SoldEdge[]> =>
  sqlRows<SoldEdge>(tx)`
    with sold as (
      select customer_id, instance_id, market, product, starts_at, max(ends_at) as ends_at, sum(won_mw) * 1000 as kw
      from bid where won and ends_at > ${from} group by 1, 2, 3, 4, 5)
    select i.customer_id, i.edge_id, e.key as edge_key, i.key as instance_key, i.flexible_kw::text, i.markets,
      coalesce((select json_agg(json_build_object('market', s.market, 'product', s.product, 'from', to_char(s.starts_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'),
        'to', to_char(s.ends_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'), 'kW', trim_scale(s.kw)) order by s.starts_at, s.market, s.product)
        from sold s where s.customer_id = i.customer_id and s.instance_id = i.instance_id), '[]') as sold,
      (select json_build_object('planId', p.plan_id, 'from', to_char(p.from_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'), 'kW', to_json(p.kw))
        from instance_schedule p where p.customer_id = i.customer_id and p.instance_id = i.instance_id
          and p.from_at + cardinality(p.kw) * interval '15 minutes' > ${now}) as schedule
    from instance i join edge e on e.customer_id = i.customer_id and e.edge_id = i.edge_id and e.enabled
    where i.enabled order by i.customer_id, i.edge_id, i.position, i.key`

type Group = EdgeConfig['groups'][number]

const droopOf = (market: string): Group['droop'] => {
  const product = isMarket(market) ? products[market] : undefined
  if (!product || !('droop' in product)) return []
  const { deadbandMilliHz, zeroMilliHz, fullMilliHz } = product.droop
  const [deadband, zero, full] = [deadbandMilliHz, zeroMilliHz, fullMilliHz].map((milliHz) => milliHz / 1000)
  return [{ market, deadband: deadband ?? 0, zero: zero ?? 0, full: full ?? 0 }]
}

const groupOf = ({ instance_key, flexible_kw, markets, sold, schedule }: SoldEdge): Group => ({
  groupId: instance_key,
  flexibleKw: Number(flexible_kw),
  droop: markets.flatMap(droopOf),
  sold,
  ...(schedule ? { schedule } : {}),
})

type Edge = { customerId: string; edgeId: string; groups: Group[] }

const saveConfig = async (tx: Tx, { customerId, edgeId, groups }: Edge, nowMs: number): Promise<boolean> => {
  const json = JSON.stringify(groups)
  const saved = await sql`
    insert into edge_config values (${customerId}, ${edgeId}, 1, ${json}::jsonb, ${new Date(nowMs)})
    on conflict (customer_id, edge_id) do update
      set version = edge_config.version + 1, groups = excluded.groups, changed_at = excluded.changed_at
      where edge_config.groups <> excluded.groups`.execute(tx)
  return Number(saved.numAffectedRows ?? 0) > 0
}

const emptyOthers = async (tx: Tx, edgeIds: readonly string[], nowMs: number): Promise<string[]> => {
  const rows = await sqlRows<{ edge_id: string }>(tx)`
    update edge_config set version = version + 1, groups = '[]', changed_at = ${new Date(nowMs)}
    where groups <> '[]' and edge_id <> all(${edgeIds}::uuid[]) returning edge_id`
  return rows.map(({ edge_id }) => edge_id)
}

export const prepareConfigs = async ({ records, clock }: Pick<App, 'records' | 'clock'>): Promise<string[]> => {
  const nowMs = clock.now()
  return records.system(async (tx) => {
    const rows = await findSoldByEdge(tx, new Date(dayBounds(today(nowMs)).fromMs), new Date(nowMs))
    const byEdge = Map.groupBy(rows, ({ edge_id }) => edge_id)
    const changed = await emptyOthers(tx, [...byEdge.keys()], nowMs)
    for (const [edgeId, instances] of byEdge) {
      const customerId = instances[0]?.customer_id ?? ''
      if (await saveConfig(tx, { customerId, edgeId, groups: instances.map(groupOf) }, nowMs)) changed.push(edgeId)
    }
    for (const edgeId of changed) rowChanged(tx, 'edge-config', edgeId)
    return changed
  })
}

export const configJob: Job<App> = {
  name: 'edge-config',
  cron: '* * * * *',
  atStart: true,
  run: async (app) => void (await prepareConfigs(app)),
}

type EdgeFilter = { edge_id?: string; customer_id?: string }

const findConfigs = (tx: Tx, which: EdgeFilter) =>
  tx
    .selectFrom('edge as e')
    .leftJoin('edge_config as c', onKey('e', 'c', 'edge_id'))
    .select(['e.key', 'e.enabled', 'c.version', 'c.groups', 'c.changed_at'])
    .where((where) =>
      where.and(Object.entries(which).map(([column, id]) => sql<boolean>`e.${sql.ref(column)} = ${id}`)),
    )
    .execute()

type Publishing = Pick<App, 'records' | 'bus' | 'log'>

const publish = async ({ records }: Publishing, send: Publish, which: EdgeFilter) => {
  for (const { key, enabled, version, groups, changed_at } of await records.system((tx) => findConfigs(tx, which))) {
    const retained = (topic: string, payload: object | null) => send(topic, payload, { retain: true })
    if (!enabled) for (const topic of [edgeTopic.config(key), edgeTopic.status(key)]) await retained(topic, null)
    else if (changed_at)
      await retained(edgeTopic.config(key), { v: 1, version, issuedAt: changed_at.toISOString(), groups })
  }
}

/**
 * Publishes the newest config of every edge now, and of one as soon as it changes; removes the retained messages of a disabled edge. During an
 * outage of the broker the next round sends it.
 */
export const publishConfigs = (app: Publishing, send: Publish): (() => void) => {
  const start = (which: EdgeFilter = {}) =>
    void publish(app, send, which).catch((error: unknown) => app.log.warn({ err: error, which }, 'config not sent'))
  const ends = [
    app.bus.listen('edge-config', (edgeId) => typeof edgeId === 'string' && start({ edge_id: edgeId })),
    app.bus.listen('edges', (customerId) => typeof customerId === 'string' && start({ customer_id: customerId })),
    app.bus.listen('resync', () => start()),
  ]
  // An external broker may lose its retained messages with its disk, or be down now.
  const timer = setInterval(start, 10 * minuteMs)
  start()
  return () => {
    clearInterval(timer)
    for (const end of ends) end()
  }
}
