import { notFound } from '#platform/http/errors.ts'
import type { Tx } from '#platform/records/records.ts'
import { findRow } from '#platform/records/rows.ts'
import { findSignals } from '#readings/signals.ts'

/** The area asked for must be one of the customer's; any other is the same 404. */
export const checkArea = async (tx: Tx, customerId: string, area: string): Promise<void> => {
  const found = await findRow(tx, customerId, 'customer', {}, ['areas'])
  if (!found?.areas.includes(area)) throw notFound()
}

/** Enabled instances of the customer in an area whose power is measured. An instance asked for that is none of them is a 404. */
export const findConsumers = async (tx: Tx, customerId: string, area: string, instanceId: string | undefined) => {
  const measured = await findSignals(tx, customerId, 'power', instanceId)
  const found = measured.filter((one) => one.enabled && one.area === area)
  if (instanceId && found.length === 0) throw notFound()
  return found
}
