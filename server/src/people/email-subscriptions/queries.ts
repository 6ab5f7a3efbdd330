import type { SubscribedMail } from '@gridmast/contract/people/email-subscriptions.ts'
import { m } from '@gridmast/contract/messages.ts'
import { type Insertable, sql } from 'kysely'
import type { EmailSubscription } from '#platform/records/db-types.ts'
import { notFound, Refusal } from '#platform/http/errors.ts'
import { byName, containing, orderBy, page, type Paged } from '#platform/http/list-query.ts'
import type { Tx } from '#platform/records/records.ts'
import { countRows, deleteRows, findRow, lockCustomer, selectRows, updateRows, onKey } from '#platform/records/rows.ts'

export type Filter = { eventType?: string | undefined; filter?: string | undefined }

const subscriptionsOf = (tx: Tx, customerId: string) =>
  tx
    .selectFrom('email_subscription as s')
    .innerJoin('instance as i', onKey('i', 's', 'instance_id'))
    .where('s.customer_id', '=', customerId)

const filtered = (tx: Tx, customerId: string, { eventType, filter }: Filter) =>
  subscriptionsOf(tx, customerId)
    .$if(eventType !== undefined, (query) => query.where('s.event_type', '=', eventType ?? ''))
    .$if(filter !== undefined, (query) => query.where(containing(filter ?? '', [sql`s.email`, sql`i.name`])))

const columns = [
  's.subscription_id',
  's.email',
  's.event_type',
  's.instance_id',
  's.activation',
  's.bid_result',
  sql<boolean>`not is_confirmed(s.customer_id, s.email)`.as('unconfirmed'),
  'i.name as instance_name',
  'i.enabled',
] as const

const sortColumns = {
  email: sql`lower(s.email)`,
  instance: sql`case when i.enabled then ${byName(sql`i.name`)} end`,
  activation: sql`s.activation`,
  bidResult: sql`s.bid_result`,
}

export const findSubscriptions = (tx: Tx, customerId: string, filter: Filter, paged: Paged<keyof typeof sortColumns>) =>
  page(
    filtered(tx, customerId, filter)
      .select(columns)
      .orderBy(orderBy(paged, sortColumns, sql`lower(s.email), i.position, s.subscription_id`)),
    paged,
  )
export type SubscriptionRow = Awaited<ReturnType<typeof findSubscriptions>>['rows'][number]

export const countSubscriptions = async (tx: Tx, customerId: string): Promise<number> => {
  await lockCustomer(tx, customerId)
  return countRows(subscriptionsOf(tx, customerId))
}

export const lockSubscription = (tx: Tx, customerId: string, subscriptionId: string): Promise<SubscriptionRow> =>
  subscriptionsOf(tx, customerId)
    .select(columns)
    .where('s.subscription_id', '=', subscriptionId)
    .forUpdate('s')
    .executeTakeFirstOrThrow(notFound)

export const getInstance = async (tx: Tx, customerId: string, instanceId: string) => {
  const instance = await findRow(tx, customerId, 'instance', { instance_id: instanceId, enabled: true }, [
    'name',
    'markets',
  ])
  if (!instance) throw new Refusal(404, m.instanceNotAvailable(instanceId))
  return instance
}

export const findSubscribed = async (
  tx: Tx,
  customerId: string,
  of: { instanceId: string; eventType: string },
  emails: readonly string[],
): Promise<Set<string>> => {
  const rows = await selectRows(tx, customerId, 'email_subscription', {
    instance_id: of.instanceId,
    event_type: of.eventType,
  })
    .select(sql<string>`lower(email)`.as('email'))
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
  updateRows(tx, customerId, 'email_subscription', { subscription_id: subscriptionId })
    .set({ [columnOf[type]]: value })
    .execute()

export const removeSubscription = (tx: Tx, customerId: string, subscriptionId: string) =>
  deleteRows(tx, customerId, 'email_subscription', { subscription_id: subscriptionId }).execute()

export const stopActivationMails = async (tx: Tx, customerId: string, instanceId: string, email: string) => {
  await updateRows(tx, customerId, 'email_subscription', { instance_id: instanceId })
    .set({ activation: false })
    .where(sql`lower(email)`, '=', email)
    .execute()
  const { name } = await selectRows(tx, customerId, 'instance', { instance_id: instanceId })
    .select('name')
    .executeTakeFirstOrThrow()
  return name
}
