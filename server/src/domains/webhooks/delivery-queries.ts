import { sql } from 'kysely'
import type { Tx } from '#platform/records.ts'

export const findDeliveries = (tx: Tx, customerId: string, webhookId: string, page: { limit: number; skip: number }) =>
  tx
    .selectFrom('webhook_delivery')
    .selectAll()
    .where('customer_id', '=', customerId)
    .where('webhook_id', '=', webhookId)
    .orderBy('created_at', 'desc')
    .orderBy('delivery_id', 'desc')
    .limit(page.limit)
    .offset(page.skip)
    .execute()

export const countDeliveries = async (tx: Tx, customerId: string, webhookId: string): Promise<number> => {
  const found = await tx
    .selectFrom('webhook_delivery')
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('customer_id', '=', customerId)
    .where('webhook_id', '=', webhookId)
    .executeTakeFirstOrThrow()
  return found.count
}

export const countTestsSince = async (tx: Tx, customerId: string, webhookId: string, since: Date): Promise<number> => {
  const found = await tx
    .selectFrom('webhook_delivery')
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('customer_id', '=', customerId)
    .where('webhook_id', '=', webhookId)
    .where('test', '=', true)
    .where('created_at', '>', since)
    .executeTakeFirstOrThrow()
  return found.count
}

/**
 * Makes a delivery due now; undefined when there is none. One that is due within the lease may be under way at this moment
 * and stays as it is, so that it is never sent twice at once.
 */
export const retryDelivery = (
  tx: Tx,
  customerId: string,
  webhookId: string,
  deliveryId: string,
  at: { now: Date; leaseEnd: Date },
) =>
  tx
    .updateTable('webhook_delivery')
    .set({
      delivered_at: null,
      next_attempt_at: sql`case when next_attempt_at <= ${at.leaseEnd} then next_attempt_at else ${at.now}::timestamptz end`,
    })
    .where('customer_id', '=', customerId)
    .where('webhook_id', '=', webhookId)
    .where('delivery_id', '=', deliveryId)
    .returning('event')
    .executeTakeFirst()

export const removeDeliveriesBefore = async (tx: Tx, before: Date): Promise<number> => {
  const removed = await tx.deleteFrom('webhook_delivery').where('created_at', '<', before).executeTakeFirst()
  return Number(removed.numDeletedRows)
}
