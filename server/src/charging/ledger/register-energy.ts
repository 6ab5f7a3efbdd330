import type { Span } from '@gridmast/contract/time.ts'
import { sql } from 'kysely'
import { plausibleWh } from './plausible.ts'
import type { Tx } from '#platform/records/records.ts'

/** Energy of a connector by interval, from its register: see meter-values.md. */

type Point = { atMs: number; wh: number }
type Begun = Point & { isConfirmed: boolean }

export type Registers = {
  /** In order of time, including the last reading before the span. */
  readings: readonly Point[]
  /** Sessions that overlap the span, in order of time; the register may restart with each. */
  sessions: readonly Begun[]
  maxKw: number
}

export const readRegisters = async (
  tx: Tx,
  customerId: string,
  { chargerId, connectorId }: { chargerId: string; connectorId: number },
  { fromMs, toMs }: Span,
): Promise<Registers> => {
  const [from, to] = [new Date(fromMs), new Date(toMs)]
  const of = sql`customer_id = ${customerId} and charger_id = ${chargerId} and evse_no = ${connectorId}::int`
  const { rows: readings } = await sql<{ at: Date; wh: string }>`
    (select at, wh from charger_register where ${of} and at < ${from} order by at desc limit 1)
    union all
    (select at, wh from charger_register where ${of} and at >= ${from} and at < ${to} order by at)`.execute(tx)
  const { rows: sessions } = await sql<{ at: Date; wh: string | null; is_confirmed: boolean }>`
    select started_at as at, meter_start_wh as wh, coalesce(energy_reviewed_at is not null and consumption_wh = doubted_wh, false) as is_confirmed
    from charger_transaction where ${of} and started_at < ${to} and coalesce(ended_at, 'infinity') >= ${from}
    order by started_at`.execute(tx)
  const charger = await tx
    .selectFrom('charger')
    .select('max_kw')
    .where('customer_id', '=', customerId)
    .where('charger_id', '=', chargerId)
    .executeTakeFirstOrThrow()
  return {
    readings: readings.map(({ at, wh }) => ({ atMs: at.getTime(), wh: Number(wh) })),
    sessions: sessions.flatMap(({ at, wh, is_confirmed }) =>
      wh === null ? [] : { atMs: at.getTime(), wh: Number(wh), isConfirmed: is_confirmed },
    ),
    maxKw: Number(charger.max_kw),
  }
}

const rises = ({ readings, sessions, maxKw }: Registers): { atMs: number; wh: number }[] => {
  let before: Point | null = null
  let next = 0
  let isConfirmed = false
  return readings.map(({ atMs, wh }) => {
    for (let session = sessions[next]; session && session.atMs <= atMs; session = sessions[++next])
      if (before === null || session.atMs > before.atMs) {
        before = session
        isConfirmed = session.isConfirmed
      }
    const rise = before === null || wh < before.wh ? 0 : wh - before.wh
    const isPossible = isConfirmed || before === null || rise <= plausibleWh(maxKw, atMs - before.atMs)
    before = { atMs, wh }
    return { atMs, wh: isPossible ? rise : 0 }
  })
}

export const registerKwh = (registers: Registers, intervals: readonly Span[]): (number | null)[] => {
  const found = rises(registers)
  return intervals.map(({ fromMs, toMs }) => {
    const inside = found.filter(({ atMs }) => atMs >= fromMs && atMs < toMs)
    // Registers have whole mWh: the sum of floats is rounded to them.
    return inside.length === 0 ? null : Math.round(inside.reduce((sum, { wh }) => sum + wh, 0) * 1000) / 1e6
  })
}
