import { createHash } from 'node:crypto'
import { limits } from '@gridmast/contract/limits.ts'
import { minuteMs, hourMs } from '@gridmast/contract/time.ts'
import webPush from 'web-push'
import type { App } from '#context.ts'
import type { Resolve } from '#platform/http/address.ts'
import type { Item, Kind, Outcome } from '#platform/messaging/outbox.ts'
import { postOnce } from '#platform/messaging/webhook.ts'
import type { Records } from '#platform/records/records.ts'
import { deleteRows, sqlRows } from '#platform/records/rows.ts'
import type { Secret } from '#platform/security/secret.ts'
import type { PushPayload } from './queue.ts'

type Keys = { public_key: string; private_sealed: Buffer }

/** The key pair of this installation (VAPID, RFC 8292), created at its first use. */
export const getPushKeys = ({ records, secret }: { records: Records; secret: Secret }): Promise<Keys> =>
  records.system(async (tx) => {
    const find = () => tx.selectFrom('push_key').select(['public_key', 'private_sealed'])
    const stored = await find().executeTakeFirst()
    if (stored) return stored
    const { publicKey, privateKey } = webPush.generateVAPIDKeys()
    await tx
      .insertInto('push_key')
      .values({ public_key: publicKey, private_sealed: secret.seal(privateKey), created_at: new Date() })
      .onConflict((on) => on.doNothing())
      .execute()
    return find().executeTakeFirstOrThrow()
  })

type Device = { endpoint: string; p256dh: string; auth: string }

const findDevice = (records: Records, customerId: string, deviceId: string): Promise<Device | undefined> =>
  records.tenant(customerId, async (tx) => {
    const [device] = await sqlRows<Device>(tx)`
      select d.endpoint, d.p256dh, d.auth from push_device d
      join user_session s on s.customer_id = d.customer_id and s.session_id = d.session_id and s.ended_at is null
      join app_user u on u.customer_id = d.customer_id and u.user_id = d.user_id and u.enabled
      where d.customer_id = ${customerId} and d.device_id = ${deviceId}`
    return device
  })

/** At most 32 characters of base64url (RFC 8030, 5.4). */
const topicHeader = (topic: string) => createHash('sha256').update(topic).digest('base64url').slice(0, 32)

/** Below the life of a message in total. */
const waitsMs = [10_000, minuteMs, 5 * minuteMs, 30 * minuteMs, 2 * hourMs]

type From = Pick<App, 'records' | 'secret' | 'clock' | 'config'> & { resolve?: Resolve }

const deliver = async (from: From, { customerId, payload }: Item): Promise<Outcome> => {
  const { deviceId, ...message } = payload as PushPayload // written by `toItem`
  const { records, secret, clock, config } = from
  const leftMs = message.atMs + limits.pushLifeMs - clock.now()
  const device = customerId && leftMs > 0 ? await findDevice(records, customerId, deviceId) : undefined
  if (!customerId || !device) return { error: null } // too old, or the device may not receive it any more
  const { endpoint, p256dh, auth } = device
  const { public_key, private_sealed } = await getPushKeys(from)
  const { headers, body } = webPush.generateRequestDetails(
    { endpoint, keys: { p256dh, auth } },
    JSON.stringify(message),
    {
      vapidDetails: {
        subject: `mailto:${config.OPERATOR_EMAIL}`,
        publicKey: public_key,
        privateKey: secret.unseal(private_sealed),
      },
      TTL: Math.ceil(leftMs / 1000),
      urgency: 'high',
      topic: topicHeader(message.topic),
    },
  )
  const outcome = await postOnce({
    url: endpoint,
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])),
    body: body ?? '',
    timeoutMs: 10_000,
    allowPrivate: config.WEBHOOK_PRIVATE === 'on',
    ...(from.resolve ? { resolve: from.resolve } : {}),
  })
  // The subscription has ended (RFC 8030, 7.3).
  if (outcome.status !== 404 && outcome.status !== 410) return outcome
  await records.tenant(customerId, (tx) => deleteRows(tx, customerId, 'push_device', { device_id: deviceId }).execute())
  return { error: null, status: outcome.status }
}

export const pushKind = (from: From): { push: Kind } => ({
  push: {
    deliver: (item) => deliver(from, item),
    waitMs: (attempts) => waitsMs[attempts - 1] ?? null,
    atOnce: 20,
    forget: ['title', 'body'],
  },
})
