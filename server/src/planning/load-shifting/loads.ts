import { sql } from 'kysely'
import type { LoadKind, PlanTarget } from '@gridmast/contract/planning/load-shifting.ts'
import { addDays, datesBetween, dayBounds, minuteMs, today } from '@gridmast/contract/time.ts'
import { findChargingPrices, priceOn, pricingOf } from '#charging/costs/prices.ts'
import { gridAreaOf } from '#grid/published/emission.ts'
import type { Pricing } from '#grid/published/pricing.ts'
import { notFound, Refusal } from '#platform/http/errors.ts'
import type { Tx } from '#platform/records/records.ts'
import { onKey, selectRows, sqlRows } from '#platform/records/rows.ts'
import { findAllSignals } from '#readings/signals.ts'
import type { App } from '#context.ts'
import { byName } from '#platform/http/list-query.ts'

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

export const tariffOf = (tariff: string | undefined) => {
  const [gln, code] = tariff?.split(':') ?? []
  return gln && code ? { gln, code } : undefined
}

/** The load's prices, with the tariff of the form where there is one. */
export const pricingWith = (pricing: Pricing, tariff: string | undefined): Pricing => ({
  ...pricing,
  tariff: tariffOf(tariff) ?? pricing.tariff,
})

export type LoadIds = { instanceId?: string | undefined; siteId?: string | undefined; chargerId?: string | undefined }

const kindsOf = (kind: string): readonly LoadKind[] => (kind === 'battery' ? ['storage'] : ['shiftable', 'on-off'])

const findInstances = async (tx: Tx, customerId: string, { instanceId }: LoadIds): Promise<PlanLoad[]> => {
  const rows = await tx
    .selectFrom('instance as i')
    .innerJoin('edge as e', onKey('e', 'i', 'edge_id'))
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

const findChargers = async (tx: Tx, customerId: string, { siteId, chargerId }: LoadIds, nowMs: number) => {
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
    .orderBy(byName(sql`name`))
    .execute()
  const priced = await findChargingPrices(tx, customerId, chargerId)
  const prices = Map.groupBy(priced, ({ charger_id }) => charger_id)
  const loadOf = (target: PlanTarget, chargers: typeof rows, siteKw: number | null): PlanLoad => {
    // Chargers behind one fuse use one grid and one meter: the first price applies to all.
    const price = chargers.map(({ charger_id }) => priceOn(prices.get(charger_id) ?? [], today(nowMs))).find(Boolean)
    const maxKw = chargers.reduce((sum, { max_kw }) => sum + Number(max_kw), 0)
    return {
      target,
      area: price ? gridAreaOf({ area: price.grid_area, priced_area: price.area }) : null,
      pricing: price ? pricingOf(price) : null,
      kinds: ['session'],
      maxKw: Math.min(maxKw, siteKw ?? Infinity),
      signals: null,
      markets: [],
      chargers: chargers.map((row) => ({
        chargerId: row.charger_id,
        name: row.name,
        maxKw: Number(row.max_kw),
        online: row.online || (row.last_seen_at?.getTime() ?? 0) > nowMs - awayMs,
        phases: row.site_phases === 'L1L2L3' ? 3 : 1,
      })),
      siteKw,
      simulated: chargers.some(({ simulated }) => simulated),
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
  const loads: (PlanLoad | undefined)[] = []
  if (instanceId) loads.push((await findInstances(tx, customerId, { instanceId }))[0])
  if (siteId) loads.push((await findChargers(tx, customerId, { siteId }, nowMs)).find(isOf('site')))
  if (chargerId) loads.push((await findChargers(tx, customerId, { chargerId }, nowMs)).find(isOf('charger')))
  const [load] = loads
  if (!load || loads.includes(undefined)) throw notFound()
  return load
}

export const undefinedIfMissing = (error: unknown): undefined => {
  if (error instanceof Refusal && error.status === 404) return undefined
  throw error
}

const days = 7

const weekOf = (nowMs: number) => {
  const last = today(nowMs)
  const first = addDays(last, -days)
  return { first, last, fromMs: dayBounds(first).fromMs, toMs: dayBounds(last).fromMs }
}

export const weeklyWhByCharger = async ({ records, clock }: Pick<App, 'records' | 'clock'>, customerId: string) => {
  const { fromMs, toMs } = weekOf(clock.now())
  const rows = await records.tenant(
    customerId,
    (tx) =>
      sqlRows<{ charger_id: string; wh: number }>(tx)`
      select charger_id, sum(consumption_wh)::float8 as wh from charger_transaction
      where customer_id = ${customerId} and started_at >= ${new Date(fromMs)} and started_at < ${new Date(toMs)} and consumption_wh is not null
      group by charger_id`,
  )
  return new Map(rows.map(({ charger_id, wh }) => [charger_id, wh]))
}

export const typicalNeedKwh = async (
  { readings, clock }: Pick<App, 'readings' | 'clock'>,
  load: PlanLoad,
  usedWh: ReadonlyMap<string, number>,
): Promise<number | null> => {
  if (load.chargers.length > 0) {
    const used = load.chargers.flatMap(({ chargerId }) => usedWh.get(chargerId) ?? [])
    return used.length === 0 ? null : Math.round(used.reduce((sum, wh) => sum + wh, 0) / 1000 / days)
  }
  if (!load.signals || load.signals.power === null || load.kinds.includes('storage')) return null
  const { first, last, toMs } = weekOf(clock.now())
  const edgesMs = [...datesBetween(first, addDays(last, -1)).map((day) => dayBounds(day).fromMs), toMs]
  const buckets = (await readings.buckets({ signalNo: load.signals.power, edgesMs })).slice(0, days)
  const measured = buckets.filter(({ count }) => count > 0)
  if (measured.length === 0) return null
  const meanKw = measured.reduce((sum, { sum: kw, count }) => sum + kw / count, 0) / measured.length
  return Math.round(meanKw * 24)
}
