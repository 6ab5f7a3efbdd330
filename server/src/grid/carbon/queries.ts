import { notFound } from '#platform/http/errors.ts'
import type { Tx } from '#platform/records/records.ts'
import { findRow } from '#platform/records/rows.ts'
import { findSignals } from '#readings/signals.ts'

export const checkArea = async (tx: Tx, customerId: string, area: string): Promise<void> => {
  const found = await findRow(tx, customerId, 'customer', {}, ['areas'])
  if (!found?.areas.includes(area)) throw notFound()
}

export const findConsumers = async (tx: Tx, customerId: string, area: string, instanceId: string | undefined) => {
  const measured = await findSignals(tx, customerId, 'power', instanceId)
  const found = measured.filter((one) => one.enabled && one.area === area)
  if (instanceId && found.length === 0) throw notFound()
  return found
}
