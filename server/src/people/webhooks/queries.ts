import { type Insertable, type Updateable, type NotNull, sql } from 'kysely'
import type { Webhook } from '#platform/records/db-types.ts'
import { notFound } from '#platform/http/errors.ts'
import { orderBy, type Sort } from '#platform/http/list-query.ts'
import type { Tx } from '#platform/records/records.ts'

const shownColumns = ['webhook_id', 'name', 'url', 'events', 'enabled', 'created_at'] as const

/** Webhooks with the newest delivery of each. */
export const findWebhooks = (tx: Tx, customerId: string) =>
  tx
    .selectFrom('webhook as w')
    .leftJoinLateral(
      (from) =>
        from
          .selectFrom('webhook_delivery')
          .select(['created_at', 'delivered_at', 'next_attempt_at'])
          .whereRef('customer_id', '=', 'w.customer_id')
          .whereRef('webhook_id', '=', 'w.webhook_id')
          .orderBy('created_at', 'desc')
          .limit(1)
          .as('last'),
      (join) => join.onTrue(),
    )
    .select(['w.webhook_id', 'w.name', 'w.url', 'w.events', 'w.enabled', 'w.created_at'])
    .select(['last.created_at as last_at', 'last.delivered_at', 'last.next_attempt_at'])
    .where('w.customer_id', '=', customerId)
    .orderBy('w.created_at')
    .execute()

const one = (tx: Tx, customerId: string, webhookId: string) =>
  tx
    .selectFrom('webhook')
    .select(shownColumns)
    .where('customer_id', '=', customerId)
    .where('webhook_id', '=', webhookId)

/** 404 when it is not this customer's. */
export const getWebhook = async (tx: Tx, customerId: string, webhookId: string) => {
  const found = await one(tx, customerId, webhookId).executeTakeFirst()
  if (!found) throw notFound()
  return found
}

/** The same, held until the transaction ends. */
export const lockWebhook = async (tx: Tx, customerId: string, webhookId: string) => {
  const found = await one(tx, customerId, webhookId).forUpdate().executeTakeFirst()
  if (!found) throw notFound()
  return found
}

/** The customer's row is held, so that two who add at once do not both get the last place. */
export const countWebhooks = async (tx: Tx, customerId: string): Promise<number> => {
  await tx.selectFrom('customer').select('customer_id').where('customer_id', '=', customerId).forUpdate().execute()
  const found = await tx
    .selectFrom('webhook')
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('customer_id', '=', customerId)
    .executeTakeFirstOrThrow()
  return found.count
}

export const addWebhook = (tx: Tx, webhook: Insertable<Webhook>) =>
  tx.insertInto('webhook').values(webhook).returning(shownColumns).executeTakeFirstOrThrow()

export const saveWebhook = (tx: Tx, customerId: string, webhookId: string, columns: Updateable<Webhook>) =>
  tx
    .updateTable('webhook')
    .set(columns)
    .where('customer_id', '=', customerId)
    .where('webhook_id', '=', webhookId)
    .execute()

export const removeWebhook = async (tx: Tx, customerId: string, webhookId: string) => {
  const removed = await tx
    .deleteFrom('webhook')
    .where('customer_id', '=', customerId)
    .where('webhook_id', '=', webhookId)
    .returning(shownColumns)
    .executeTakeFirst()
  if (!removed) throw notFound()
  return removed
}

const sortColumns = {
  event: sql`event`,
  createdAt: sql`created_at`,
  answer: sql`last_status`,
  // Delivered, waiting, failed.
  state: sql`case when delivered_at is not null then 0 when next_attempt_at is not null then 1 else 2 end`,
}

export const findDeliveries = (
  tx: Tx,
  customerId: string,
  webhookId: string,
  { limit, skip, ...sort }: { limit: number; skip: number } & Sort<keyof typeof sortColumns>,
) =>
  tx
    .selectFrom('webhook_delivery')
    .selectAll()
    .$narrowType<{ delivery_id: NotNull; event: NotNull; test: NotNull; created_at: NotNull; attempts: NotNull }>() // it is a view
    .where('customer_id', '=', customerId)
    .where('webhook_id', '=', webhookId)
    .orderBy(orderBy(sort, sortColumns, sql`created_at desc, delivery_id desc`))
    .limit(limit)
    .offset(skip)
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
