import type { WebhookEvent } from '@gridmast/contract/webhooks.ts'
import { sql } from 'kysely'
import { newId } from './ids.ts'
import type { Tx } from './records.ts'

type Queued = { event: WebhookEvent; data: object; test: boolean; nowMs: number }

/** One delivery to one webhook, in the caller's transaction. Answers its id, which stays the same however often it is sent. */
export const queueDelivery = async (
  tx: Tx,
  customerId: string,
  webhookId: string,
  { event, data, test, nowMs }: Queued,
): Promise<string> => {
  const id = newId(nowMs)
  const createdAt = new Date(nowMs)
  const payload = { id, type: event, test, createdAt: createdAt.toISOString(), customerId, data }
  await tx
    .insertInto('webhook_delivery')
    .values({
      customer_id: customerId,
      delivery_id: id,
      webhook_id: webhookId,
      event,
      test,
      payload: JSON.stringify(payload),
      created_at: createdAt,
      next_attempt_at: createdAt,
    })
    .execute()
  return id
}

/** Queues an event for each enabled webhook of the customer that wants it: it goes out exactly when the change is committed. */
export const queueWebhook = async (
  tx: Tx,
  customerId: string,
  event: WebhookEvent,
  data: object,
  nowMs: number,
): Promise<void> => {
  const wanting = await tx
    .selectFrom('webhook')
    .select('webhook_id')
    .where('customer_id', '=', customerId)
    .where('enabled', '=', true)
    .where(sql<boolean>`${event} = any(events)`)
    .execute()
  for (const { webhook_id } of wanting)
    await queueDelivery(tx, customerId, webhook_id, { event, data, test: false, nowMs })
}
