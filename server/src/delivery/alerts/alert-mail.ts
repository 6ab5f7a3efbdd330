import { sqlRows, insertRows, type RowOf } from '#platform/records/rows.ts'
import { limits } from '@gridmast/contract/limits.ts'
import { sql } from 'kysely'
import { lettersFor } from '#platform/messaging/mail.ts'
import { holdItems, queueItems, rewriteItems } from '#platform/messaging/outbox.ts'
import { newId } from '#platform/records/ids.ts'
import type { Tx } from '#platform/records/records.ts'
import { alertTriggered, type Triggered } from './mails.ts'

export type MailedTrigger = Omit<Triggered, 'isSimulated' | 'triggers' | 'firstMs' | 'extreme'> & {
  customerId: string
  alertId: string
  email: string
}

type Digest = RowOf<'alert_mail'>

const keysTable = (triggers: readonly MailedTrigger[]) => {
  const keys = triggers.map(({ customerId, alertId, email }, no) => ({ no, customerId, alertId, email }))
  return sql`jsonb_to_recordset(${JSON.stringify(keys)}::jsonb) as k(no int, "customerId" uuid, "alertId" uuid, email text)`
}

const findDigests = async (tx: Tx, triggers: readonly MailedTrigger[]) => {
  const rows = await sqlRows<Digest>(tx)`
    select d.* from alert_mail d
    join ${keysTable(triggers)} on d.customer_id = k."customerId" and d.alert_id = k."alertId" and d.email = k.email
    for update of d`
  return new Map(rows.map((row) => [keyOf(row.alert_id, row.email), row]))
}

const confirmedOf = async (tx: Tx, triggers: readonly MailedTrigger[]) => {
  if (triggers.length === 0) return []
  const rows = await sqlRows<{ no: number; isSimulated: boolean }>(tx)`
    select k.no, coalesce(e.simulated, false) as "isSimulated" from ${keysTable(triggers)}
    left join alert a on a.customer_id = k."customerId" and a.alert_id = k."alertId"
    left join instance i on i.customer_id = a.customer_id and i.instance_id = a.instance_id
    left join edge e on e.customer_id = i.customer_id and e.edge_id = i.edge_id
    where is_confirmed(k."customerId", k.email)`
  const simulated = new Map(rows.map(({ no, isSimulated }) => [no, isSimulated]))
  return triggers.flatMap((trigger, no) => {
    const isSimulated = simulated.get(no)
    return isSimulated === undefined ? [] : [{ ...trigger, isSimulated }]
  })
}

const keyOf = (alertId: string, email: string) => `${alertId} ${email}`

/**
 * At most one mail per alert and address in `limits.alertMailEveryMs`: the first trigger is mailed at once, later ones share one mail that waits
 * in the outbox; the number of statements does not grow with the alerts.
 */
export const queueAlertMails = async (tx: Tx, triggers: readonly MailedTrigger[], nowMs: number) => {
  const all = await confirmedOf(tx, triggers)
  if (all.length === 0) return
  const groups = [...Map.groupBy(all, ({ alertId, email }) => keyOf(alertId, email)).values()]
  const newest = groups.flatMap((group) => group.at(-1) ?? [])
  const digests = await findDigests(tx, newest)
  const mailIds = [...digests.values()].map((row) => ({ customerId: row.customer_id, id: row.mail_id }))
  const waiting = await holdItems(tx, mailIds)
  const saved = groups.flatMap((group) => {
    const last = group.at(-1)
    if (!last) return []
    const { customerId, alertId, email, criteria } = last
    const before = digests.get(keyOf(alertId, email))
    const open = before && waiting.has(before.mail_id) ? before : undefined
    const values = [...group.map(({ value }) => value), ...(open ? [open.extreme] : [])]
    const afterMs = before ? before.due_at.getTime() + limits.alertMailEveryMs : nowMs
    const row: Digest = {
      customer_id: customerId,
      alert_id: alertId,
      email,
      mail_id: open?.mail_id ?? newId(nowMs),
      due_at: open?.due_at ?? new Date(Math.max(nowMs, afterMs)),
      triggers: group.length + (open?.triggers ?? 0),
      first_at: open?.first_at ?? new Date(group[0]?.tMs ?? last.tMs),
      extreme: criteria === 'gt' ? Math.max(...values) : Math.min(...values),
    }
    const mailed = { ...last, triggers: row.triggers, firstMs: row.first_at.getTime(), extreme: row.extreme }
    const reader = { customerId, to: email }
    return [{ row, isOpen: open !== undefined, mail: { reader, letter: alertTriggered(mailed) } }]
  })
  const mails = saved.map(({ mail }) => mail)
  const payloads = await lettersFor(tx, mails)
  const items = saved.map(({ row, isOpen }, i) => {
    const ids = { customerId: row.customer_id, kind: 'mail', id: row.mail_id }
    return { ...ids, isOpen, payload: payloads[i] ?? {}, nowMs, dueMs: row.due_at.getTime() }
  })
  const rows = saved.map(({ row }) => row)
  const [open, added] = [items.filter(({ isOpen }) => isOpen), items.filter(({ isOpen }) => !isOpen)]
  await queueItems(tx, added)
  await rewriteItems(tx, open)
  await sql`
    ${insertRows('alert_mail', rows)}
    on conflict (customer_id, alert_id, email) do update
      set mail_id = excluded.mail_id, due_at = excluded.due_at, triggers = excluded.triggers,
        first_at = excluded.first_at, extreme = excluded.extreme`.execute(tx)
}
