import { minuteMs } from '@gridmast/contract/time.ts'
import type { Records, Tx } from '#platform/records/records.ts'
import { findRow, selectRows } from '#platform/records/rows.ts'
import type { Readings } from '#readings/readings.ts'
import { isFresh, readSite, type SiteRow } from './site-outlets.ts'
import { wattsOf } from './smart-charging.ts'

const siteKinds = ['limit', 'total', 'held'] as const

export const siteSignals = async (tx: Tx, customerId: string, siteId: string) => {
  const rows = await selectRows(tx, customerId, 'charging_site_signal', { site_id: siteId })
    .select(['kind', 'no'])
    .execute()
  const no = (kind: string) => rows.find((row) => row.kind === kind)?.no
  return { limit: no('limit'), total: no('total'), held: no('held') }
}

const heldW = ({ heldA, phases }: SiteRow) => wattsOf(heldA, phases.length)
const sumOf = (rows: readonly SiteRow[], watts: (row: SiteRow) => number) =>
  rows.reduce((sum, row) => sum + watts(row), 0)

const allowedSignals = async (tx: Tx, customerId: string, rows: readonly SiteRow[]) => {
  if (rows.length === 0) return new Map<string, number>()
  const own = rows.map(({ charger_id, evse_no }) => ({ customer_id: customerId, charger_id, evse_no, kind: 'allowed' }))
  await tx
    .insertInto('charger_signal')
    .values(own)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const found = await selectRows(tx, customerId, 'charger_signal', { kind: 'allowed' })
    .select(['charger_id', 'evse_no', 'no'])
    .execute()
  return new Map(found.map((one) => [`${one.charger_id} ${one.evse_no}`, one.no]))
}

export const saveSitePower = async (
  records: Records,
  readings: Readings,
  customerId: string,
  siteId: string,
  nowMs: number,
) => {
  const found = await records.system(async (tx) => {
    const site = await findRow(tx, customerId, 'charging_site', { site_id: siteId }, ['limit_a', 'reserve_a'])
    if (!site) return null
    await tx
      .insertInto('charging_site_signal')
      .values(siteKinds.map((kind) => ({ customer_id: customerId, site_id: siteId, kind })))
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    const rows = await readSite(tx, customerId, siteId, nowMs)
    const nos = await siteSignals(tx, customerId, siteId)
    const drawn = rows.filter((row) => isFresh(row, nowMs))
    const allowed = await allowedSignals(tx, customerId, rows)
    return [
      [nos.limit, wattsOf(site.limit_a - site.reserve_a, 3)] as const,
      [nos.total, sumOf(drawn, ({ measured_w }) => measured_w ?? 0)] as const,
      [nos.held, sumOf(rows, heldW)] as const,
      ...rows.map((row) => [allowed.get(`${row.charger_id} ${row.evse_no}`), heldW(row)] as const),
    ]
  })
  if (!found) return
  // On full minutes, so that several processes write the same sample.
  const t0Ms = Math.floor(nowMs / minuteMs) * minuteMs
  await readings.insert(
    found.flatMap(([signalNo, watt]) =>
      signalNo === undefined ? [] : [{ signalNo, t0Ms, dtMs: minuteMs, values: [watt] }],
    ),
  )
}
