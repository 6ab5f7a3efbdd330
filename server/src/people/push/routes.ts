import { ECDH } from 'node:crypto'
import { limits } from '@gridmast/contract/limits.ts'
import { m } from '@gridmast/contract/messages.ts'
import * as contract from '@gridmast/contract/people/push-devices.ts'
import { languageOf } from '@gridmast/contract/people/user.ts'
import { sql } from 'kysely'
import type { Viewer } from '#access/viewer.ts'
import { ownRoute, route } from '#context.ts'
import { invalid, notFound, Refusal } from '#platform/http/errors.ts'
import type { InBoth } from '#platform/messaging/mail.ts'
import { queueItems } from '#platform/messaging/outbox.ts'
import { isWebhookUrl } from '#platform/messaging/webhook.ts'
import { newId } from '#platform/records/ids.ts'
import type { Tx } from '#platform/records/records.ts'
import { deleteRows, getRow, insertRow, lockCustomer, selectRows, sqlRows, updateRows } from '#platform/records/rows.ts'
import { startTopics, toItem } from './queue.ts'
import { getPushKeys } from './send.ts'

type DeviceRow = {
  device_id: string
  session_id: string
  endpoint: string
  p256dh: string
  auth: string
  user_agent: string | null
  created_at: Date
}

/** The user's devices whose session has not been ended, the newest first. */
const findDevices = (tx: Tx, customerId: string, { userId }: Viewer) =>
  sqlRows<DeviceRow>(tx)`
    select d.device_id, d.session_id, d.endpoint, d.p256dh, d.auth, d.created_at, s.user_agent from push_device d
    join user_session s on s.customer_id = d.customer_id and s.session_id = d.session_id and s.ended_at is null
    where d.customer_id = ${customerId} and d.user_id = ${userId}
    order by d.created_at desc, d.device_id`

const toDevice = ({ sessionId }: Viewer, row: DeviceRow): contract.PushDevice => ({
  _id: row.device_id,
  current: row.session_id === sessionId,
  userAgent: row.user_agent,
  createdAt: row.created_at.toISOString(),
})

const find = route(contract.findPushDevices, async ({ app, own, viewer }) => {
  const { public_key } = await getPushKeys(app)
  const rows = await own((tx, customerId) => findDevices(tx, customerId, viewer))
  return { publicKey: public_key, session: viewer.sessionId, devices: rows.map((row) => toDevice(viewer, row)) }
})

const isPoint = (p256dh: string) => {
  try {
    return ECDH.convertKey(p256dh, 'prime256v1', 'base64url').length > 0
  } catch {
    return false
  }
}

/** An endpoint is one browser: other users, also of other companies, receive nothing there any more. */
const removeOthers = (tx: Tx, { customerId, userId }: Viewer, endpoint: string) =>
  tx
    .deleteFrom('push_device')
    .where('endpoint', '=', endpoint)
    .where((eb) => eb.not(eb.and({ customer_id: customerId, user_id: userId })))
    .execute()

const save = route(contract.savePushDevice, async ({ app, own, viewer, audit, nowMs, body }) => {
  const { endpoint, keys } = body
  if (!isWebhookUrl(endpoint, app.config.WEBHOOK_PRIVATE === 'on')) throw invalid({ endpoint: m.webhookUrl })
  if (!isPoint(keys.p256dh)) throw invalid({ 'keys.p256dh': m.pushKeys })
  const { userId, sessionId } = viewer
  const device = await own(async (tx, customerId) => {
    await lockCustomer(tx, customerId)
    const devices = await findDevices(tx, customerId, viewer)
    const same = devices.find((row) => row.endpoint === endpoint)
    const kept = devices.filter((row) => row === same || row.session_id !== sessionId)
    // A session has one device; those of ended sessions are removed.
    await deleteRows(tx, customerId, 'push_device', { user_id: userId })
      .where('device_id', '<>', sql<string>`all(${kept.map(({ device_id }) => device_id)})`)
      .execute()
    if (same) {
      await updateRows(tx, customerId, 'push_device', { device_id: same.device_id })
        .set({ session_id: sessionId, ...keys })
        .execute()
      return toDevice(viewer, { ...same, session_id: sessionId })
    }
    if (kept.length >= limits.pushDevices) throw new Refusal(409, m.tooManyPushDevices(limits.pushDevices))
    const key = { device_id: newId(nowMs), session_id: sessionId }
    const row = { ...key, endpoint, ...keys, created_at: new Date(nowMs) }
    await insertRow(tx, customerId, 'push_device', { ...row, user_id: userId }).execute()
    await audit(tx, 'push-device.add', viewer.email, { after: { host: new URL(endpoint).host } })
    const { user_agent } = await getRow(tx, customerId, 'user_session', { session_id: sessionId }, ['user_agent'])
    return toDevice(viewer, { ...row, user_agent })
  })
  await app.records.system((tx) => removeOthers(tx, viewer, endpoint))
  return { device }
})

const remove = ownRoute(contract.removePushDevice, async (tx, customerId, { viewer, audit, params }) => {
  const removed = await deleteRows(tx, customerId, 'push_device', { device_id: params.id, user_id: viewer.userId })
    .returning('endpoint')
    .executeTakeFirstOrThrow(notFound)
  await audit(tx, 'push-device.remove', viewer.email, { before: { host: new URL(removed.endpoint).host } })
})

const testText: InBoth = {
  en: 'Notifications arrive on this device.',
  da: 'Notifikationer når frem til denne enhed.',
}

const test = ownRoute(contract.testPushDevice, async (tx, customerId, { viewer, nowMs, params }) => {
  const key = { device_id: params.id, user_id: viewer.userId }
  await getRow(tx, customerId, 'push_device', key, ['device_id'])
  const topic = { customerId, deviceId: params.id, topic: 'test' }
  const started = await startTopics(tx, [topic], limits.pushTestEveryMs, nowMs)
  if (started.size === 0) throw new Refusal(429, m.tooMany, { retryAfterS: limits.pushTestEveryMs / 1000 })
  const { language } = await selectRows(tx, customerId, 'app_user', { user_id: viewer.userId })
    .innerJoin('customer', 'customer.customer_id', 'app_user.customer_id')
    .select(sql<string>`coalesce(app_user.language, customer.language)`.as('language'))
    .executeTakeFirstOrThrow(notFound)
  const text = { title: 'Gridmast', body: testText[languageOf(language)] }
  const payload = { deviceId: params.id, topic: 'test', path: '/profile', atMs: nowMs, ...text }
  await queueItems(tx, [toItem(customerId, payload, nowMs)])
})

export const pushDevices = [find, save, remove, test]
