import { isMarket } from '@gridmast/contract/markets.ts'
import { quarterMs } from '@gridmast/contract/time.ts'
import { findTests } from '#delivery/equipment/tests-by-hand.ts'
import { notFound } from '#platform/http/errors.ts'
import type { Tx } from '#platform/records/records.ts'
import type { Own } from '#platform/http/route.ts'
import type { Subject } from './judge.ts'
import { type EventRow, getEvent, getMeasuring } from './queries.ts'
import { judgedOf } from './to-event.ts'

export const loadEvent = (own: Own['own'], eventId: string, nowMs: number) =>
  own(async (tx, customerId) => {
    const row = await getEvent(tx, customerId, eventId)
    return { row, ...(await subjectOf(tx, customerId, row, nowMs)) }
  })

export const subjectOf = async (tx: Tx, customerId: string, row: EventRow, nowMs: number) => {
  const instance = await getMeasuring(tx, customerId, row.instance_id)
  const { startMs, endMs } = judgedOf(row)
  const span = { fromMs: startMs - quarterMs, toMs: endMs ?? nowMs }
  const [tests = []] = await findTests(tx, [{ customerId, instanceId: row.instance_id, ...span }])
  if (!isMarket(row.market)) throw notFound()
  const subject: Subject = { market: row.market, capacityKw: row.capacity_kw, nos: instance.nos, tests }
  return { instance, subject }
}
