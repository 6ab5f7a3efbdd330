import type { LoadKind, PlanTarget } from '@gridmast/contract/planning/load-shifting.ts'
import { minuteMs, today } from '@gridmast/contract/time.ts'
import { findChargingPrices, priceOn, pricingOf } from '#charging/costs/prices.ts'
import { gridAreaOf } from '#grid/published/emission.ts'
import type { Pricing } from '#grid/published/pricing.ts'
import { notFound, Refusal } from '#platform/http/errors.ts'
import type { Tx } from '#platform/records/records.ts'
import { selectRows } from '#platform/records/rows.ts'
import { findAllSignals } from '#readings/signals.ts'

type PlannedCharger = {
  chargerId: string
  name: string
  online: boolean
  maxKw: number
  phases: 1 | 3
}

export type PlanLoad = {
  target: PlanTarget
  area: string | null
  pricing: Pricing | null
  kinds: readonly LoadKind[]
  maxKw: number
  signals: { power: number | null; soc: number | null } | null
  markets: readonly string[]
  chargers: PlannedCharger[]
  siteKw: number | null
  simulated: boolean
}

export type LoadIds = { instanceId?: string | undefined; siteId?: string | undefined; chargerId?: string | undefined }

const kindsOf = (kind: string): readonly LoadKind[] => (kind === 'battery' ? ['storage'] : ['shiftable', 'on-off'])

const findInstances = async (tx: Tx, customerId: string, { instanceId }: LoadIds): Promise<PlanLoad[]> => {
  const rows = await tx
    .selectFrom('instance as i')
    .innerJoin('edge as e', (join) =>
      join.onRef('e.customer_id', '=', 'i.customer_id').onRef('e.edge_id', '=', 'i.edge_id'),
    )
    .select(['i.instance_id', 'i.name', 'i.area', 'i.kind', 'i.flexible_kw', 'i.markets', 'e.simulated'])
    .where('i.customer_id', '=', customerId)
    .where('i.enabled', '=', true)
    .$if(instanceId !== undefined, (query) => query.where('i.instance_id', '=', instanceId ?? ''))
    .orderBy('i.position')
    .execute()
  const signals = await findAllSignals(tx, customerId)
  const prices = await selectRows(tx, customerId, 'price_signal')
    .select(['area', 'tax_dkk_per_mwh'])
    .orderBy('position')
    .execute()
  return rows.map((row) => {
    const noOf = (kind: string) =>
      signals.find((one) => one.instance_id === row.instance_id && one.kind === kind)?.no ?? null
    const price = prices.find(({ area }) => area === row.area)
    return {
      target: { kind: 'instance', _id: row.instance_id, name: row.name },
      area: row.area,
      pricing: price ? { area: price.area, taxDkkPerMwh: price.tax_dkk_per_mwh, tariff: null } : null,
      kinds: kindsOf(row.kind),
      maxKw: Number(row.flexible_kw),
      signals: { power: noOf('power'), soc: noOf('soc') },
      markets: row.markets,
      chargers: [],
      siteKw: null,
      simulated: row.simulated,
    }
  })
}

/** A charger that reconnects within this time is still present. */
const awayMs = 5 * minuteMs

const kwOf = (amperes: number) => (3 * 230 * amperes) / 1000

const findChargers = async (
  tx: Tx,
  customerId: string,
  { siteId, chargerId }: LoadIds,
  nowMs: number,
): Promise<PlanLoad[]> => {
  const rows = await selectRows(tx, customerId, 'charger', { enabled: true })
    .select(['charger_id', 'name', 'online', 'last_seen_at', 'max_kw', 'site_id', 'site_phases', 'simulated'])
    .$if(siteId !== undefined, (query) => query.where('site_id', '=', siteId ?? ''))
    .$if(chargerId !== undefined, (query) => query.where('charger_id', '=', chargerId ?? ''))
    .orderBy('position')
    .orderBy('charger_id')
    .execute()
  const sites = await selectRows(tx, customerId, 'charging_site')
    .select(['site_id', 'name', 'limit_a', 'reserve_a'])
    .$if(siteId !== undefined, (query) => query.where('site_id', '=', siteId ?? ''))
    .orderBy('name')
    .execute()
  const priced = await findChargingPrices(tx, customerId, chargerId)
  const prices = Map.groupBy(priced, ({ charger_id }) => charger_id)
  const loadOf = (target: PlanTarget, own: typeof rows, siteKw: number | null): PlanLoad => {
    // Chargers behind one fuse use one grid and one meter: the first price applies to all.
    const price = own.map(({ charger_id }) => priceOn(prices.get(charger_id) ?? [], today(nowMs))).find(Boolean)
    const maxKw = own.reduce((sum, { max_kw }) => sum + Number(max_kw), 0)
    return {
      target,
      area: price ? gridAreaOf({ area: price.grid_area, priced_area: price.area }) : null,
      pricing: price ? pricingOf(price) : null,
      kinds: ['session'],
      maxKw: Math.min(maxKw, siteKw ?? Infinity),
      signals: null,
      markets: [],
      chargers: own.map((row) => ({
        chargerId: row.charger_id,
        name: row.name,
        maxKw: Number(row.max_kw),
        online: row.online || (row.last_seen_at?.getTime() ?? 0) > nowMs - awayMs,
        phases: row.site_phases === 'L1L2L3' ? 3 : 1,
      })),
      siteKw,
      simulated: own.some(({ simulated }) => simulated),
    }
  }
  return [
    ...sites.map(({ site_id, name, limit_a, reserve_a }) =>
      loadOf(
        { kind: 'site', _id: site_id, name },
        rows.filter((row) => row.site_id === site_id),
        kwOf(limit_a - reserve_a),
      ),
    ),
    ...rows.map((row) => loadOf({ kind: 'charger', _id: row.charger_id, name: row.name }, [row], null)),
  ]
}

export const findLoads = async (tx: Tx, customerId: string, nowMs: number): Promise<PlanLoad[]> => [
  ...(await findInstances(tx, customerId, {})),
  ...(await findChargers(tx, customerId, {}, nowMs)),
]

export const getLoad = async (
  tx: Tx,
  customerId: string,
  { instanceId, siteId, chargerId }: LoadIds,
  nowMs: number,
): Promise<PlanLoad | undefined> => {
  if (!instanceId && !siteId && !chargerId) return undefined
  const isOf = (kind: PlanTarget['kind']) => (load: PlanLoad) => load.target.kind === kind
  const found: (PlanLoad | undefined)[] = []
  if (instanceId) found.push((await findInstances(tx, customerId, { instanceId }))[0])
  if (siteId) found.push((await findChargers(tx, customerId, { siteId }, nowMs)).find(isOf('site')))
  if (chargerId) found.push((await findChargers(tx, customerId, { chargerId }, nowMs)).find(isOf('charger')))
  const [load] = found
  if (!load || found.includes(undefined)) throw notFound()
  return load
}

export const gone = (error: unknown): undefined => {
  if (error instanceof Refusal && error.status === 404) return undefined
  throw error
}
