import { edgeTopic, type EdgeConfig } from '@gridmast/contract/delivery/edge.ts'
import { isMarket } from '@gridmast/contract/markets.ts'
import { dayBounds, minuteMs, today } from '@gridmast/contract/time.ts'
import { sql } from 'kysely'
import type { App } from '#context.ts'
import { products } from '#delivery/scoring/products.ts'
import type { Job } from '#platform/jobs/jobs.ts'
import { rowChanged } from '#platform/messaging/bus.ts'
import type { Tx } from '#platform/records/records.ts'
import type { Publish } from '#protocols/mqtt/broker.ts'
import { findSoldByEdge, type SoldEdge } from './sold.ts'

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
  const { rows } = await sql<{ edge_id: string }>`
    update edge_config set version = version + 1, groups = '[]', changed_at = ${new Date(nowMs)}
    where groups <> '[]' and edge_id <> all(${edgeIds}::uuid[]) returning edge_id`.execute(tx)
  return rows.map(({ edge_id }) => edge_id)
}

export const prepareConfigs = async ({ records, clock }: Pick<App, 'records' | 'clock'>): Promise<string[]> => {
  const nowMs = clock.now()
  return records.system(async (tx) => {
    const rows = await findSoldByEdge(tx, new Date(dayBounds(today(nowMs)).fromMs), new Date(nowMs))
    const told: string[] = []
    for (const [edgeId, own] of Map.groupBy(rows, ({ edge_id }) => edge_id)) {
      const customerId = own[0]?.customer_id ?? ''
      if (await saveConfig(tx, { customerId, edgeId, groups: own.map(groupOf) }, nowMs)) told.push(edgeId)
    }
    const empty = await emptyOthers(tx, [...new Set(rows.map(({ edge_id }) => edge_id))], nowMs)
    const changed = [...told, ...empty]
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

type Which = { edge_id?: string; customer_id?: string }

const findConfigs = (tx: Tx, which: Which) =>
  tx
    .selectFrom('edge as e')
    .leftJoin('edge_config as c', (join) =>
      join.onRef('e.customer_id', '=', 'c.customer_id').onRef('e.edge_id', '=', 'c.edge_id'),
    )
    .select(['e.key', 'e.enabled', 'c.version', 'c.groups', 'c.changed_at'])
    .where((where) =>
      where.and(Object.entries(which).map(([column, id]) => sql<boolean>`e.${sql.ref(column)} = ${id}`)),
    )
    .execute()

type Publishing = Pick<App, 'records' | 'bus' | 'log'>

const publish = async ({ records }: Publishing, send: Publish, which: Which) => {
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
  const tell = (which: Which = {}) =>
    void publish(app, send, which).catch((error: unknown) => app.log.warn({ err: error, which }, 'config not sent'))
  const ends = [
    app.bus.listen('edge-config', (edgeId) => typeof edgeId === 'string' && tell({ edge_id: edgeId })),
    app.bus.listen('edges', (customerId) => typeof customerId === 'string' && tell({ customer_id: customerId })),
    app.bus.listen('resync', () => tell()),
  ]
  // An external broker may lose its retained messages with its disk, or be down now.
  const timer = setInterval(tell, 10 * minuteMs)
  tell()
  return () => {
    clearInterval(timer)
    for (const end of ends) end()
  }
}
