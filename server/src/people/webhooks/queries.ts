import { type Insertable, type Updateable, type NotNull, sql } from 'kysely'
import type { Webhook } from '#platform/records/db-types.ts'
import { notFound } from '#platform/http/errors.ts'
import { orderBy, page, type Paged } from '#platform/http/list-query.ts'
import type { Tx } from '#platform/records/records.ts'
import { countRows, deleteRows, lockCustomer, selectRows, updateRows } from '#platform/records/rows.ts'

const shownColumns = ['webhook_id', 'name', 'url', 'events', 'enabled', 'created_at'] as const

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
  selectRows(tx, customerId, 'webhook', { webhook_id: webhookId }).select(shownColumns)

export const getWebhook = (tx: Tx, customerId: string, webhookId: string) =>
  one(tx, customerId, webhookId).executeTakeFirstOrThrow(notFound)

export const lockWebhook = (tx: Tx, customerId: string, webhookId: string) =>
  one(tx, customerId, webhookId).forUpdate().executeTakeFirstOrThrow(notFound)

export const countWebhooks = async (tx: Tx, customerId: string) => {
  await lockCustomer(tx, customerId)
  return countRows(selectRows(tx, customerId, 'webhook'))
}

export const addWebhook = (tx: Tx, webhook: Insertable<Webhook>) =>
  tx.insertInto('webhook').values(webhook).returning(shownColumns).executeTakeFirstOrThrow()

export const saveWebhook = (tx: Tx, customerId: string, webhookId: string, columns: Updateable<Webhook>) =>
  updateRows(tx, customerId, 'webhook', { webhook_id: webhookId }).set(columns).execute()

export const removeWebhook = (tx: Tx, customerId: string, webhookId: string) =>
  deleteRows(tx, customerId, 'webhook', { webhook_id: webhookId })
    .returning(shownColumns)
    .executeTakeFirstOrThrow(notFound)

const sortColumns = {
  event: sql`event`,
  createdAt: sql`created_at`,
  answer: sql`last_status`,
  state: sql`case when delivered_at is not null then 0 when next_attempt_at is not null then 1 else 2 end`,
}

export const findDeliveries = (tx: Tx, customerId: string, webhookId: string, paged: Paged<keyof typeof sortColumns>) =>
  page(
    selectRows(tx, customerId, 'webhook_delivery', { webhook_id: webhookId })
      .selectAll()
      .$narrowType<{ delivery_id: NotNull; event: NotNull; test: NotNull; created_at: NotNull; attempts: NotNull }>() // it is a view
      .orderBy(orderBy(paged, sortColumns, sql`created_at desc, delivery_id desc`)),
    paged,
  )

export const countTestsSince = (tx: Tx, customerId: string, webhookId: string, since: Date) =>
  countRows(
    selectRows(tx, customerId, 'webhook_delivery', { webhook_id: webhookId, test: true }).where(
      'created_at',
      '>',
      since,
    ),
  )

export const retryDelivery = (tx: Tx, customerId: string, webhookId: string, deliveryId: string, now: Date) =>
  updateRows(tx, customerId, 'webhook_delivery', { webhook_id: webhookId, delivery_id: deliveryId })
    .set({
      delivered_at: null,
      next_attempt_at: sql`case when leased_until > ${now} then next_attempt_at else ${now}::timestamptz end`,
    })
    .returning('event')
    .executeTakeFirst()
