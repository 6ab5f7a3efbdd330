import { type NotNull, sql } from 'kysely'
import type { Tx } from '#platform/records.ts'

export const findDeliveries = (tx: Tx, customerId: string, webhookId: string, page: { limit: number; skip: number }) =>
  tx
    .selectFrom('webhook_delivery')
    .selectAll()
    .$narrowType<{ delivery_id: NotNull; event: NotNull; test: NotNull; created_at: NotNull; attempts: NotNull }>() // it is a view
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

/** Makes a delivery due now; undefined when there is none. One that is under way at this moment stays as it is. */
export const retryDelivery = (tx: Tx, customerId: string, webhookId: string, deliveryId: string, now: Date) =>
  tx
    .updateTable('webhook_delivery')
    .set({
      delivered_at: null,
      next_attempt_at: sql`case when leased_until > ${now} then next_attempt_at else ${now}::timestamptz end`,
    })
    .where('customer_id', '=', customerId)
    .where('webhook_id', '=', webhookId)
    .where('delivery_id', '=', deliveryId)
    .returning('event')
    .executeTakeFirst()
