import type { Data } from '@gridmast/contract/call.ts'
import {
  energyNow,
  energyPicture,
  simulatedEnergy,
  type EnergyChargers,
  type EnergyInstance,
  type EnergyPart,
  type EnergyReserve,
} from '@gridmast/contract/grid/energy-now.ts'
import { limits } from '@gridmast/contract/limits.ts'
import { capacityKind, isMarket } from '@gridmast/contract/markets.ts'
import { can } from '@gridmast/contract/roles.ts'
import { simulatedOf } from '@gridmast/contract/source.ts'
import { hourMs, localText, minuteMs } from '@gridmast/contract/time.ts'
import { route } from '#context.ts'
import * as column from '#platform/files/columns.ts'
import { type Column, tableFile } from '#platform/files/table-file.ts'
import type { Tx } from '#platform/records/records.ts'
import { sqlRows } from '#platform/records/rows.ts'
import { aboutData } from '#readings/file.ts'
import type { Readings } from '#readings/readings.ts'

type SignalRow = {
  instance_id: string
  name: string
  instance_kind: string
  flexible_kw: number
  simulated: boolean
  kind: 'power' | 'soc' | 'capacityUp' | 'capacityDown'
  no: number
}

const findSignals = (tx: Tx, customerId: string) =>
  sqlRows<SignalRow>(tx)`
    select i.instance_id, i.name, i.kind as instance_kind, i.flexible_kw::float8 as flexible_kw, e.simulated, s.kind, s.no
    from instance i
    join edge e on e.customer_id = i.customer_id and e.edge_id = i.edge_id
    join signal s on s.customer_id = i.customer_id and s.instance_id = i.instance_id
    where i.customer_id = ${customerId} and i.enabled and s.kind in ('power', 'soc', 'capacityUp', 'capacityDown')
    order by i.position`

/** Chargers in operation, and the power signal of each running session: null before its first value. */
const findChargers = async (tx: Tx, customerId: string) => ({
  simulated: (
    await sqlRows<{ simulated: boolean }>(tx)`
      select distinct simulated from charger where customer_id = ${customerId} and enabled`
  ).map((row) => row.simulated),
  sessions: await sqlRows<{ no: number | null; started_at: Date }>(tx)`
    select s.no, t.started_at
    from charger_transaction t
    join charger c on c.customer_id = t.customer_id and c.charger_id = t.charger_id and c.enabled
    left join charger_signal s
      on s.customer_id = t.customer_id and s.charger_id = t.charger_id and s.evse_no = t.evse_no and s.kind = 'power'
    where t.customer_id = ${customerId} and t.state in ('starting', 'active') and not t.refused`,
})

const findSold = (tx: Tx, customerId: string, atMs: number) => {
  const now = new Date(atMs)
  // No period is longer than a day of 25 hours.
  const since = new Date(atMs - 25 * hourMs)
  return sqlRows<{ instance_id: string; market: string; product: string; kw: number }>(tx)`
    select b.instance_id, b.market, b.product, (sum(b.won_mw) * 1000)::float8 as kw
    from bid b join instance i on i.customer_id = b.customer_id and i.instance_id = b.instance_id and i.enabled
    where b.customer_id = ${customerId} and b.won and b.starts_at > ${since} and b.starts_at <= ${now} and b.ends_at > ${now}
    group by b.instance_id, b.market, b.product`
}

const partOf = (kind: string, hasChargers: boolean): EnergyPart | null => {
  if (kind === 'battery') return 'battery'
  if (kind !== 'ev') return 'site'
  return hasChargers ? null : 'chargers'
}

const sampleMs = 3 * minuteMs

const chargersNow = async (
  readings: Readings,
  { simulated, sessions }: Awaited<ReturnType<typeof findChargers>>,
  nowMs: number,
): Promise<EnergyChargers | null> => {
  if (simulated.length === 0) return null
  const latest = await readings.latest(sessions.flatMap(({ no }) => no ?? []))
  const current = sessions.flatMap(({ no, started_at }) => {
    const sample = no === null ? undefined : latest.get(no)
    return sample && sample.tMs >= started_at.getTime() && nowMs - sample.tMs <= sampleMs ? sample.value / 1000 : []
  })
  const isUnknown = sessions.length > 0 && current.length === 0
  return {
    kw: isUnknown ? null : current.reduce((sum, kw) => sum + kw, 0),
    charging: sessions.length,
    silent: sessions.length - current.length,
    simulated: simulatedOf(simulated),
  }
}

const directionsOf = (market: string, product: string): EnergyReserve['direction'][] => {
  if (product.endsWith('-DEC') || (isMarket(market) && capacityKind(market) === 'capacityDown')) return ['down']
  return market === 'FCR' || market === 'FCR-N' ? ['up', 'down'] : ['up']
}

type Available = (instanceId: string, kind: SignalRow['kind']) => number | null

const reserveOf = (sold: Awaited<ReturnType<typeof findSold>>, available: Available): EnergyReserve[] =>
  (['up', 'down'] as const).flatMap((direction) => {
    const byInstance = Map.groupBy(
      sold.filter(({ market, product }) => directionsOf(market, product).includes(direction)),
      ({ instance_id }) => instance_id,
    )
    if (byInstance.size === 0) return []
    const each = [...byInstance].map(([instanceId, rows]) => {
      const soldKw = rows.reduce((sum, { kw }) => sum + kw, 0)
      const availableKw = available(instanceId, direction === 'up' ? 'capacityUp' : 'capacityDown')
      return { soldKw, heldKw: availableKw === null ? null : Math.max(0, Math.min(soldKw, availableKw)) }
    })
    return [
      {
        direction,
        soldKw: each.reduce((sum, { soldKw }) => sum + soldKw, 0),
        heldKw: each.reduce((sum, { heldKw }) => sum + (heldKw ?? 0), 0),
        silent: each.filter(({ heldKw }) => heldKw === null).length,
      },
    ]
  })

/** Mean weighted by flexible power, of the batteries with a current value. */
const socOf = (batteries: readonly { soc: number; flexibleKw: number }[]): number | null => {
  const weight = batteries.reduce((sum, { flexibleKw }) => sum + flexibleKw, 0)
  return weight > 0 ? batteries.reduce((sum, { soc, flexibleKw }) => sum + soc * flexibleKw, 0) / weight : null
}

type Line = { part: string; kw?: number | null; silent?: number; instance?: EnergyInstance; reserve?: EnergyReserve }

const partWords: Record<EnergyPart, string> = { site: 'Site', battery: 'Battery', chargers: 'Chargers' }

const fileColumns: Column<Line>[] = [
  column.text('Part', ({ part }) => part),
  column.text('Instance', ({ instance }) => instance?.name, 24),
  column.number('Power (kW)', 1, ({ kw }) => kw),
  column.number('Sold (kW)', 1, ({ reserve }) => reserve?.soldKw),
  column.number('Held (kW)', 1, ({ reserve }) => reserve?.heldKw),
  column.text('Without a value', ({ silent }) => silent || null),
  column.instant('Last report', ({ instance }) => instance?.lastReported),
]

/** Totals by part, then each instance and the reserve, as on the card; a value older than 15 minutes is empty. */
const energyFile = (now: Data<typeof energyNow>, nowMs: number) => {
  const { nodes, gridKw, silent } = energyPicture(now, nowMs)
  const { instances, soc, reserve } = now
  const isCurrent = ({ lastReported }: EnergyInstance) => nowMs - Date.parse(lastReported) <= limits.edgeAliveMs
  const lines: Line[] = [
    ...(nodes.length > 0 ? [{ part: 'Grid', kw: gridKw, silent }] : []),
    ...nodes.map((node) => ({ part: partWords[node.part], kw: node.kw, silent: node.silent })),
    ...instances.map((instance) => ({
      part: partWords[instance.part],
      kw: isCurrent(instance) ? instance.kw : null,
      instance,
    })),
    ...(reserve ?? []).map((one) => ({
      part: one.direction === 'up' ? 'Reserve up' : 'Reserve down',
      silent: one.silent,
      reserve: one,
    })),
  ]
  const name = {
    fileName: `Energy now ${localText(nowMs).slice(0, 16)}`,
    sheet: 'Energy now',
    about: {
      Power: 'Positive is consumption or import, the grid is calculated',
      ...(soc === null ? {} : { 'State of charge': `${Math.round(soc)} %` }),
      ...aboutData(simulatedEnergy(now)),
    },
  }
  return { file: tableFile(name, fileColumns, lines) }
}

const now = route(energyNow, async ({ app, viewer, readCached, nowMs, query }) => {
  const mayReadChargers = can(viewer, 'ev-charging.read') || can(viewer, 'charge-fleet.read')
  const mayReadReserve = can(viewer, 'bid-request.read') && can(viewer, 'capacity.read')
  const signals = await readCached(findSignals)
  const fleet = mayReadChargers ? await readCached(findChargers) : { simulated: [], sessions: [] }
  const latest = await app.readings.latest(signals.map(({ no }) => no))
  const chargers = await chargersNow(app.readings, fleet, nowMs)
  const currentOf = ({ no }: SignalRow) => {
    const sample = latest.get(no)
    return sample && nowMs - sample.tMs <= limits.edgeAliveMs ? sample.value : null
  }
  const available: Available = (instanceId, kind) => {
    const signal = signals.find((one) => one.instance_id === instanceId && one.kind === kind)
    return signal ? currentOf(signal) : null
  }
  const answer = {
    instances: signals.flatMap((signal) => {
      const part = signal.kind === 'power' ? partOf(signal.instance_kind, chargers !== null) : null
      const sample = latest.get(signal.no)
      if (part === null || !sample) return []
      const { instance_id: _id, name, simulated } = signal
      return { _id, name, part, kw: sample.value, lastReported: new Date(sample.tMs).toISOString(), simulated }
    }),
    chargers,
    soc: socOf(
      signals.flatMap((signal) => {
        const isBattery = signal.kind === 'soc' && signal.instance_kind === 'battery'
        const soc = isBattery ? currentOf(signal) : null
        return soc === null ? [] : { soc, flexibleKw: signal.flexible_kw }
      }),
    ),
    reserve: mayReadReserve ? reserveOf(await readCached(findSold, nowMs - (nowMs % minuteMs)), available) : null,
  }
  return query.format ? energyFile(answer, nowMs) : answer
})

export const energyNowRoutes = [now]
