import { createECDH } from 'node:crypto'
import { savePushDevice } from '@gridmast/contract/people/push-devices.ts'
import type { TestApp } from '#testing/app.ts'
import { addRows, changeRows, storedRow, storedRows } from '#testing/rows.ts'
import { newId } from '#platform/records/ids.ts'
import type { PushPayload } from './queue.ts'

/**
 * A device for each of five users: an English and a Danish reader, one who has muted everything, one without the rights, and one of another
 * company. The answer lists the queued messages with their readers.
 */
export const addPushDevices = async (app: TestApp) => {
  const [reader, danish, muted] = ['sudoer@north.example', 'auditor@north.example', 'expert@north.example']
  const without = 'custom@north.example'
  const emails = [reader, danish, muted, without, 'sudoer@west.example']
  const devices = new Map<string, string>()
  for (const email of emails) {
    const key = createECDH('prime256v1')
    key.generateKeys()
    const keys = { p256dh: key.getPublicKey('base64url'), auth: Buffer.alloc(16).toString('base64url') }
    const body = { endpoint: `https://push.example/${email}`, keys }
    const { device } = await app.data(savePushDevice, { token: await app.tokenOf(email), body })
    devices.set(device._id, email)
  }
  await changeRows(app.records, 'app_user', { email: danish }, { language: 'da' })
  await changeRows(app.records, 'app_user', { email: without }, { allowed: '{"eConomics":true}' })
  const { customer_id, user_id } = await storedRow(app.records, 'app_user', { email: muted }, [
    'customer_id',
    'user_id',
  ])
  const always = { instance_id: null, start_time: '00:00', end_time: '23:59' }
  await addRows(app.records, 'alert_mute', { customer_id, user_id, mute_id: newId(), ...always })
  return async () => {
    const items = await storedRows(app.records, 'outbox', { kind: 'push' }, ['payload'])
    return items
      .map(({ payload }) => payload as PushPayload) // written by `toItem`
      .map(({ deviceId, title, body, path }) => ({ to: devices.get(deviceId), title, body, path }))
      .toSorted((a, b) => emails.indexOf(a.to ?? '') - emails.indexOf(b.to ?? ''))
  }
}
