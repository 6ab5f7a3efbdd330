import type { SubscribedMail } from '@gridmast/contract/people/email-subscriptions.ts'
import { m } from '@gridmast/contract/messages.ts'
import { type Insertable, sql } from 'kysely'
import type { EmailSubscription } from '#platform/records/db-types.ts'
import { notFound, Refusal } from '#platform/http/errors.ts'
import { containing, orderBy, type Sort } from '#platform/http/list-query.ts'
import type { Tx } from '#platform/records/records.ts'

export type Filter = { eventType?: string | undefined; filter?: string | undefined }

const subscriptionsOf = (tx: Tx, customerId: string) =>
  tx
    .selectFrom('email_subscription as s')
    .innerJoin('instance as i', (join) =>
      join.onRef('i.customer_id', '=', 's.customer_id').onRef('i.instance_id', '=', 's.instance_id'),
    )
    .where('s.customer_id', '=', customerId)

const filtered = (tx: Tx, customerId: string, { eventType, filter }: Filter) =>
  subscriptionsOf(tx, customerId)
    .$if(eventType !== undefined, (query) => query.where('s.event_type', '=', eventType ?? ''))
    .$if(filter !== undefined, (query) => query.where(containing(filter ?? '', [sql`s.email`, sql`i.name`])))

const shown = [
  's.subscription_id',
  's.email',
  's.event_type',
  's.instance_id',
  's.activation',
  's.bid_result',
  sql<boolean>`not is_confirmed(s.customer_id, s.email)`.as('unconfirmed'),
] as const

const sortColumns = {
  email: sql`lower(s.email)`,
  instance: sql`case when i.enabled then lower(i.name) end`,
  activation: sql`s.activation`,
  bidResult: sql`s.bid_result`,
}

export const findSubscriptions = (
  tx: Tx,
  customerId: string,
  filter: Filter,
  { limit, skip, ...sort }: { limit: number; skip: number } & Sort<keyof typeof sortColumns>,
) =>
  filtered(tx, customerId, filter)
    .select([...shown, 'i.name as instance_name', 'i.enabled'])
    .orderBy(orderBy(sort, sortColumns, sql`lower(s.email), i.position, s.subscription_id`))
    .limit(limit)
    .offset(skip)
    .execute()
export type SubscriptionRow = Awaited<ReturnType<typeof findSubscriptions>>[number]

export const countSubscriptions = async (tx: Tx, customerId: string, filter: Filter): Promise<number> => {
  const found = await filtered(tx, customerId, filter)
    .select((select) => select.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return found.count
}

/** The customer's row is held: two who add at once do not both get the last place, nor the same address. */
export const countAllHeld = async (tx: Tx, customerId: string): Promise<number> => {
  await tx.selectFrom('customer').select('customer_id').where('customer_id', '=', customerId).forUpdate().execute()
  return countSubscriptions(tx, customerId, {})
}

/** Held until the transaction ends; 404 when it is not this customer's. */
export const lockSubscription = async (
  tx: Tx,
  customerId: string,
  subscriptionId: string,
): Promise<SubscriptionRow> => {
  const found = await subscriptionsOf(tx, customerId)
    .select([...shown, 'i.name as instance_name', 'i.enabled'])
    .where('s.subscription_id', '=', subscriptionId)
    .forUpdate('s')
    .executeTakeFirst()
  if (!found) throw notFound()
  return found
}

/** One that is unknown, of another customer or not in use gets the sentence of the specification. */
export const getInstance = async (tx: Tx, customerId: string, instanceId: string) => {
  const found = await tx
    .selectFrom('instance')
    .select(['name', 'markets'])
    .where('customer_id', '=', customerId)
    .where('instance_id', '=', instanceId)
    .where('enabled', '=', true)
    .executeTakeFirst()
  if (!found) throw new Refusal(404, m.instanceNotAvailable(instanceId))
  return found
}

/** Which of these addresses, in lower case, are subscribed already. */
export const findSubscribed = async (
  tx: Tx,
  customerId: string,
  of: { instanceId: string; eventType: string },
  emails: readonly string[],
): Promise<Set<string>> => {
  const rows = await tx
    .selectFrom('email_subscription')
    .select(sql<string>`lower(email)`.as('email'))
    .where('customer_id', '=', customerId)
    .where('instance_id', '=', of.instanceId)
    .where('event_type', '=', of.eventType)
    .where(sql`lower(email)`, 'in', emails)
    .execute()
  return new Set(rows.map(({ email }) => email))
}

export const addSubscriptions = (tx: Tx, rows: Insertable<EmailSubscription>[]) =>
  tx.insertInto('email_subscription').values(rows).execute()

const columnOf = { activation: 'activation', bidResult: 'bid_result' } as const

export const saveSubscription = (
  tx: Tx,
  customerId: string,
  subscriptionId: string,
  { type, value }: { type: SubscribedMail; value: boolean },
) =>
  tx
    .updateTable('email_subscription')
    .set({ [columnOf[type]]: value })
    .where('customer_id', '=', customerId)
    .where('subscription_id', '=', subscriptionId)
    .execute()

export const removeSubscription = (tx: Tx, customerId: string, subscriptionId: string) =>
  tx
    .deleteFrom('email_subscription')
    .where('customer_id', '=', customerId)
    .where('subscription_id', '=', subscriptionId)
    .execute()

/** Switches activation mails of an instance off for an address (in lower case), of whatever kind of event. Answers the instance's name. */
export const stopActivationMails = async (tx: Tx, customerId: string, instanceId: string, email: string) => {
  await tx
    .updateTable('email_subscription')
    .set({ activation: false })
    .where('customer_id', '=', customerId)
    .where('instance_id', '=', instanceId)
    .where(sql`lower(email)`, '=', email)
    .execute()
  const { name } = await tx
    .selectFrom('instance')
    .select('name')
    .where('customer_id', '=', customerId)
    .where('instance_id', '=', instanceId)
    .executeTakeFirstOrThrow()
  return name
}
