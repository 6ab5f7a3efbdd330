import { quarterMs } from '@gridmast/contract/time.ts'
import { sql } from 'kysely'
import type { App } from '#context.ts'
import type { Measured } from '#planning/solver/savings.ts'
import { findRow } from '#platform/records/rows.ts'

/** Energy of loads per quarter in Wh, null without a reading; unfinished quarters are omitted. */

type Source = Pick<App, 'records' | 'readings'>
type Metered = { instanceId: string; powerNo: number | null } | { chargerIds: readonly string[] }
type Asked = { fromMs: number; count: number; nowMs: number }

const overOf = ({ fromMs, count, nowMs }: Asked) =>
  Math.max(0, Math.min(count, Math.floor((nowMs - fromMs) / quarterMs)))

/** Samples are kW, every second, minute or quarter. */
const instanceWh = async ({ readings }: Source, powerNo: number, fromMs: number, over: number) => {
  const edgesMs = Array.from({ length: over + 1 }, (_, i) => fromMs + i * quarterMs)
  const buckets = await readings.buckets({ signalNo: powerNo, edgesMs })
  return buckets.slice(0, over).map((one) => (one.count > 0 ? Math.round((one.sum / one.count) * 250) : null))
}

/** Session energy is calculated each minute from the chargers' registers; a charger without a session used nothing. */
const chargersWh = async (
  { records }: Source,
  customerId: string,
  chargerIds: readonly string[],
  fromMs: number,
  over: number,
) => {
  const { rows } = await records.tenant(customerId, (tx) =>
    sql<{ charger_id: string; from_at: Date; wh: number[] }>`
      select s.charger_id, k.from_at, k.wh from charging_cost k
      join charger_transaction s on s.customer_id = k.customer_id and s.transaction_id = k.transaction_id
      where k.customer_id = ${customerId} and s.charger_id = any(${chargerIds}::uuid[])
        and k.from_at < ${new Date(fromMs + over * quarterMs)}
        and k.from_at + cardinality(k.wh) * interval '15 minutes' > ${new Date(fromMs)}`.execute(tx),
  )
  const byCharger = new Map(chargerIds.map((id) => [id, Array.from({ length: over }, () => 0)]))
  for (const { charger_id, from_at, wh } of rows) {
    const sums = byCharger.get(charger_id)
    wh.forEach((part, i) => {
      const at = (from_at.getTime() - fromMs) / quarterMs + i
      if (sums && at >= 0 && at < over) sums[at] = (sums[at] ?? 0) + part
    })
  }
  return [...byCharger].map(([loadId, wh]) => ({ loadId, wh }))
}

export const readMeasured = async (
  app: Source,
  customerId: string,
  metered: Metered,
  asked: Asked,
): Promise<Measured[]> => {
  const over = overOf(asked)
  if ('chargerIds' in metered) return chargersWh(app, customerId, metered.chargerIds, asked.fromMs, over)
  const { instanceId, powerNo } = metered
  const wh = powerNo === null || over === 0 ? [] : await instanceWh(app, powerNo, asked.fromMs, over)
  return [{ loadId: instanceId, wh }]
}

export const sumOf = (measured: readonly Measured[]): (number | null)[] =>
  (measured[0]?.wh ?? []).map((_, q) =>
    measured.reduce<number | null>((sum, { wh }) => {
      const one = wh[q]
      return sum === null || typeof one !== 'number' ? null : sum + one
    }, 0),
  )

export const meteredOf = async (
  { records }: Source,
  customerId: string,
  instanceId: string | null,
  chargerIds: readonly string[],
): Promise<Metered> => {
  if (instanceId === null) return { chargerIds }
  const found = await records.tenant(customerId, (tx) =>
    findRow(tx, customerId, 'signal', { instance_id: instanceId, kind: 'power' }, ['no']),
  )
  return { instanceId, powerNo: found?.no ?? null }
}
