import { limits } from '@gridmast/contract/limits.ts'
import { languageOf } from '@gridmast/contract/people/user.ts'
import { can, type CapabilityName } from '@gridmast/contract/roles.ts'
import { sql } from 'kysely'
import { findUnended } from '#access/viewer.ts'
import type { InBoth } from '#platform/messaging/mail.ts'
import { queueItems } from '#platform/messaging/outbox.ts'
import type { Tx } from '#platform/records/records.ts'
import { sqlRows } from '#platform/records/rows.ts'
import { isMuted } from './mutes.ts'

type Push = {
  customerId: string
  instanceId: string
  /** Devices show the newest message of a topic only. */
  topic: string
  title: InBoth
  body: InBoth
  /** Path of the portal that the message opens. */
  path: string
  atMs: number
}

export type PushPayload = Pick<Push, 'topic' | 'path' | 'atMs'> & { deviceId: string; title: string; body: string }

const kinds = {
  alert: { may: 'alert.read', everyMs: limits.pushEveryMs },
  activation: { may: 'event.read', everyMs: limits.activationMailEveryMs },
  slots: { may: 'alert.read', everyMs: limits.pushEveryMs },
} as const satisfies Record<string, { may: CapabilityName; everyMs: number }>

type Target = { n: number; customer_id: string; device_id: string; session_id: string; language: string }

const findTargets = (tx: Tx, pushes: readonly Push[]) => {
  const asked = pushes.map(({ customerId, instanceId, atMs }, n) => ({
    n,
    customer: customerId,
    instance: instanceId,
    at: new Date(atMs),
  }))
  return sqlRows<Target>(tx)`
    select p.n, d.customer_id, d.device_id, d.session_id, coalesce(u.language, c.language) as language
    from jsonb_to_recordset(${JSON.stringify(asked)}::jsonb) as p(n int, customer uuid, instance uuid, at timestamptz)
    join push_device d on d.customer_id = p.customer
    join app_user u on u.customer_id = d.customer_id and u.user_id = d.user_id
    join customer c on c.customer_id = d.customer_id
    where not ${isMuted(sql`d.customer_id`, sql`d.user_id`, sql`p.at`, sql`p.instance`)}
    order by d.device_id, p.n`
}

const keyOf = (deviceId: string, topic: string) => `${deviceId} ${topic}`

type TopicOf = { customerId: string; deviceId: string; topic: string }

/** The topics of devices that had no message for `everyMs`; this message is noted. Each key once, in order of the devices. */
export const startTopics = async (tx: Tx, topics: readonly TopicOf[], everyMs: number, nowMs: number) => {
  const rows = await sqlRows<{ device_id: string; topic: string }>(tx)`
    insert into push_topic (customer_id, device_id, topic, sent_at)
    select "customerId", "deviceId", topic, ${new Date(nowMs)}::timestamptz
    from jsonb_to_recordset(${JSON.stringify(topics)}::jsonb) as t("customerId" uuid, "deviceId" uuid, topic text)
    on conflict (customer_id, device_id, topic) do update set sent_at = excluded.sent_at
    where push_topic.sent_at <= ${new Date(nowMs - everyMs)}
    returning device_id, topic`
  return new Set(rows.map(({ device_id, topic }) => keyOf(device_id, topic)))
}

/** A push service accepts 4,096 bytes. */
const cut = (text: string, max: number) => (text.length > max ? `${text.slice(0, max - 1)}…` : text)

export const toItem = (customerId: string, { title, body, ...payload }: PushPayload, nowMs: number) => ({
  customerId,
  kind: 'push',
  payload: { ...payload, title: cut(title, 150), body: cut(body, 600) },
  nowMs,
})

/**
 * Queues a message for each device whose user may read it and has not muted it, in the caller's transaction. Of messages about one topic within
 * the interval of its kind only the first is sent.
 */
export const queuePushes = async (
  tx: Tx,
  kind: keyof typeof kinds,
  pushes: readonly Push[],
  nowMs: number,
): Promise<void> => {
  if (pushes.length === 0) return
  const targets = await findTargets(tx, pushes)
  if (targets.length === 0) return
  const { may, everyMs } = kinds[kind]
  const sessions = await findUnended(tx, [...new Set(targets.map(({ session_id }) => session_id))])
  const newest = new Map<string, TopicOf & { push: Push; language: string }>()
  for (const { n, customer_id, device_id, session_id, language } of targets) {
    const subject = sessions.get(session_id)
    const push = pushes[n]
    if (!push || !subject || !can(subject, may)) continue
    const { topic } = push
    newest.set(keyOf(device_id, topic), { customerId: customer_id, deviceId: device_id, topic, push, language })
  }
  if (newest.size === 0) return
  const topics = [...newest.values()].map(({ customerId, deviceId, topic }) => ({ customerId, deviceId, topic }))
  const started = await startTopics(tx, topics, everyMs, nowMs)
  const items = [...newest].flatMap(([key, { customerId, deviceId, push, language }]) => {
    if (!started.has(key)) return []
    const { topic, path, atMs, title, body } = push
    const reads = languageOf(language)
    return [toItem(customerId, { deviceId, topic, path, atMs, title: title[reads], body: body[reads] }, nowMs)]
  })
  await queueItems(tx, items)
}
