import type { Records, Tx } from '#platform/records.ts'
import type { Readings } from '#readings/readings.ts'
import { readSite } from './site-outlets.ts'
import { wattsOf } from './smart-charging.ts'

/** The series of a site: its limit and what its outlets draw together, minute by minute. */

const minuteMs = 60_000
const freshMs = 3 * minuteMs

export const siteSignals = async (tx: Tx, customerId: string, siteId: string) => {
  const rows = await tx
    .selectFrom('charging_site_signal')
    .select(['kind', 'no'])
    .where('customer_id', '=', customerId)
    .where('site_id', '=', siteId)
    .execute()
  const no = (kind: string) => rows.find((row) => row.kind === kind)?.no
  return { limit: no('limit'), total: no('total') }
}

export const saveSitePower = async (
  records: Records,
  readings: Readings,
  customerId: string,
  siteId: string,
  nowMs: number,
) => {
  const found = await records.system(async (tx) => {
    const site = await tx
      .selectFrom('charging_site')
      .select('limit_a')
      .where('customer_id', '=', customerId)
      .where('site_id', '=', siteId)
      .executeTakeFirst()
    if (!site) return null
    await tx
      .insertInto('charging_site_signal')
      .values(['limit', 'total'].map((kind) => ({ customer_id: customerId, site_id: siteId, kind })))
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    const rows = await readSite(tx, customerId, siteId, nowMs)
    const drawn = rows.filter(({ measured_at }) => measured_at !== null && measured_at.getTime() > nowMs - freshMs)
    const total = drawn.reduce((sum, { measured_w }) => sum + (measured_w ?? 0), 0)
    return { limit: wattsOf(site.limit_a, 3), total, nos: await siteSignals(tx, customerId, siteId) }
  })
  if (!found) return
  // By the minute, so that several processes write the same sample.
  const t0Ms = Math.floor(nowMs / minuteMs) * minuteMs
  const runs = (['limit', 'total'] as const).flatMap((kind) => {
    const signalNo = found.nos[kind]
    return signalNo === undefined ? [] : [{ signalNo, t0Ms, dtMs: minuteMs, values: [found[kind]] }]
  })
  await readings.insert(runs)
}
