import { limits } from '@gridmast/contract/limits.ts'
import { type MarketId, markets } from '@gridmast/contract/markets.ts'
import { minuteMs } from '@gridmast/contract/time.ts'
import { sql } from 'kysely'
import { type Config, portalAddress } from '#config.ts'
import { newId } from '#platform/records/ids.ts'
import { mailFor, queueMail } from '#platform/messaging/mail.ts'
import { dropItem, holdItems, rewriteItems } from '#platform/messaging/outbox.ts'
import type { Tx } from '#platform/records/records.ts'
import { sqlRows, deleteRows, insertRow, selectRows, updateRows } from '#platform/records/rows.ts'
import type { Secret } from '#platform/security/secret.ts'
import { activationMail, type MailedActivation } from './mails.ts'
import { isOurs, rowOfToken, stopToken } from './stop-links.ts'

/*
 * Mails of activations: at most one per instance and address in 15 minutes. The first activation is mailed at once, later ones share one mail
 * that waits in the outbox. Everything happens in the transaction of the activation, so that each is mailed exactly once even when processes are
 * killed.
 */

export type ActivationForMail = MailedActivation & {
  customerId: string
  instanceId: string
  market: MarketId
  late: boolean
}

type MailSettings = { config: Pick<Config, 'PUBLIC_URL' | 'PORT'>; secret: Secret }

/** Late samples move the start of an activation: one with a start within this time is the same. */
const sameStartMs = minuteMs

/** Frequency fluctuates: activations of a small part of the capacity are not mailed. */
export const isMailed = ({ late, market, deltaLoad }: Pick<ActivationForMail, 'late' | 'market' | 'deltaLoad'>) =>
  !late && (deltaLoad >= limits.mailedFromPercent || market.startsWith('aFRR'))

/**
 * Mails new activations to the subscribers. A repeated call for the same activation, for example when it has ended or grown, updates a waiting
 * mail and queues no second one.
 */
export const mailActivations = async (tx: Tx, from: MailSettings, all: readonly ActivationForMail[], nowMs: number) => {
  const activations = all.filter(isMailed)
  for (const reader of await findReaders(tx, activations)) {
    const activation = activations[reader.n]
    if (activation) await updateMail(tx, from, reader, activation, nowMs)
  }
}

const updateMail = async (
  tx: Tx,
  from: MailSettings,
  reader: ActivationReader,
  activation: ActivationForMail,
  nowMs: number,
) => {
  const { customerId } = activation
  const digest = await lockDigest(tx, customerId, activation.instanceId, reader.email)
  const locked = digest.mail_id ? await holdItems(tx, [{ customerId, id: digest.mail_id }]) : new Set()
  const waiting = locked.has(digest.mail_id) ? digest.mail_id : null
  const mailed = await findMailed(tx, customerId, digest.digest_id, activation, nowMs)
  if (mailed && mailed.mail_id !== waiting) return
  const mailId = waiting ?? newId(nowMs)
  await saveMailed(tx, { customerId, digestId: digest.digest_id, mailId, activation, previousStart: mailed?.start_at })
  const letter = activationMail({
    instance: reader.instance,
    isSimulated: reader.simulated,
    activations: await findMailContent(tx, customerId, digest.digest_id, mailId),
    pageLink: portalAddress(from.config, '/emailSubscriptions'),
    stopLink: portalAddress(
      from.config,
      `/auth/unsubscribe/${stopToken(from.secret, digest.digest_id, digest.link_no)}`,
    ),
  })
  const to = { customerId, to: reader.address }
  if (waiting) await rewriteItems(tx, [{ customerId, id: mailId, payload: await mailFor(tx, to, letter) }])
  else {
    const dueMs = Math.max(nowMs, (digest.due_at?.getTime() ?? 0) + limits.activationMailEveryMs)
    await queueMail(tx, to, letter, { id: mailId, nowMs, dueMs })
    await saveDigest(tx, customerId, digest.digest_id, { mail_id: mailId, due_at: new Date(dueMs) })
  }
}

export const withdrawActivationMail = async (tx: Tx, customerId: string, instanceId: string, address: string) => {
  const email = address.toLowerCase()
  const rows = await sqlRows<{ mail_id: string }>(tx)`
    select mail_id from activation_digest d
    where customer_id = ${customerId} and instance_id = ${instanceId} and email = ${email} and mail_id is not null
      and not exists (
        select from email_subscription s where s.customer_id = d.customer_id and s.instance_id = d.instance_id
          and lower(s.email) = d.email and s.activation
      )
    for update`
  for (const row of rows) await dropItem(tx, customerId, row.mail_id)
}

type ActivationReader = { n: number; email: string; address: string; instance: string; simulated: boolean }

const findReaders = async (tx: Tx, activations: readonly ActivationForMail[]): Promise<ActivationReader[]> => {
  if (activations.length === 0) return []
  const rows = activations.map(({ customerId, instanceId, market }, n) => ({
    n,
    customer: customerId,
    instance: instanceId,
    type: markets[market].group,
  }))
  const readers = await sql<ActivationReader>`
    select a.n, lower(s.email) as email, s.email as address, i.name as instance, e.simulated
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as a(n int, customer uuid, instance uuid, type text)
    join email_subscription s on s.customer_id = a.customer and s.instance_id = a.instance and s.event_type = a.type and s.activation
      and is_confirmed(s.customer_id, s.email)
    join instance i on i.customer_id = s.customer_id and i.instance_id = s.instance_id
    join edge e on e.customer_id = i.customer_id and e.edge_id = i.edge_id
    order by 1, 2`.execute(tx)
  return readers.rows
}

const lockDigest = (tx: Tx, customerId: string, instanceId: string, email: string) =>
  insertRow(tx, customerId, 'activation_digest', { digest_id: newId(), instance_id: instanceId, email })
    .onConflict((on) => on.columns(['customer_id', 'instance_id', 'email']).doUpdateSet({ email }))
    .returning(['digest_id', 'link_no', 'mail_id', 'due_at'])
    .executeTakeFirstOrThrow()

const saveDigest = (tx: Tx, customerId: string, digestId: string, columns: { mail_id: string; due_at: Date }) =>
  updateRows(tx, customerId, 'activation_digest', { digest_id: digestId }).set(columns).execute()

const findMailed = (tx: Tx, customerId: string, digestId: string, activation: ActivationForMail, nowMs: number) =>
  selectRows(tx, customerId, 'mailed_activation', {
    digest_id: digestId,
    market: activation.market,
    direction: activation.direction,
  })
    .select(['start_at', 'mail_id'])
    .where('start_at', '>=', new Date(activation.startMs - sameStartMs))
    .where('start_at', '<=', new Date(activation.endMs ?? nowMs))
    .orderBy(sql`abs(extract(epoch from start_at - ${new Date(activation.startMs)}))`)
    .executeTakeFirst()

type MailedRow = {
  customerId: string
  digestId: string
  mailId: string
  activation: ActivationForMail
  previousStart?: Date | undefined
}

const saveMailed = async (tx: Tx, { customerId, digestId, mailId, activation, previousStart }: MailedRow) => {
  const { market, direction, startMs, endMs, deltaLoad } = activation
  if (previousStart)
    await deleteRows(tx, customerId, 'mailed_activation', {
      digest_id: digestId,
      market,
      direction,
      start_at: previousStart,
    }).execute()
  await insertRow(tx, customerId, 'mailed_activation', {
    digest_id: digestId,
    mail_id: mailId,
    market,
    direction,
    delta_load: deltaLoad,
    start_at: new Date(startMs),
    end_at: endMs === null ? null : new Date(endMs),
  }).execute()
}

const findMailContent = async (tx: Tx, customerId: string, digestId: string, mailId: string) => {
  const rows = await selectRows(tx, customerId, 'mailed_activation', { digest_id: digestId, mail_id: mailId })
    .select(['market', 'direction', 'start_at', 'end_at', 'delta_load'])
    .orderBy('start_at')
    .execute()
  return rows.map((row): MailedActivation => ({
    market: row.market,
    direction: row.direction === 'decreased' ? 'decreased' : 'increased',
    startMs: row.start_at.getTime(),
    endMs: row.end_at?.getTime() ?? null,
    deltaLoad: row.delta_load,
  }))
}

/** Disables the mails of a link; null when the link is invalid or used. Rows stay locked until the transaction ends. */
export const useStopToken = async (tx: Tx, secret: Secret, token: string) => {
  const id = rowOfToken(token)
  if (id === null) return null
  const digest = await tx
    .selectFrom('activation_digest')
    .select(['customer_id', 'digest_id', 'instance_id', 'email', 'link_no'])
    .where('digest_id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  if (!digest || !isOurs(secret, token, id, digest.link_no)) return null
  await updateRows(tx, digest.customer_id, 'activation_digest', { digest_id: id })
    .set({ link_no: digest.link_no + 1 })
    .execute()
  return digest
}
