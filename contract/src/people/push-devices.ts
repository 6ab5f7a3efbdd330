import { z } from 'zod'
import { call, id } from '#call.ts'
import { requiredText } from '#fields.ts'
import { m } from '#messages.ts'

export const pushDevice = z.object({
  _id: id('push-device'),
  /** Of the session of this call. */
  current: z.boolean(),
  userAgent: z.string().nullable(),
  createdAt: z.iso.datetime(),
})
export type PushDevice = z.infer<typeof pushDevice>

const deviceId = z.object({ id: id('push-device') })

export const findPushDevices = call({
  method: 'GET',
  path: '/client/push-device',
  summary: 'List your devices that receive notifications, and the public key for a subscription (RFC 8292)',
  may: 'session.use',
  of: ['push-device'],
  response: z.object({
    publicKey: z.string(),
    /** The session of this call. */
    session: id('session'),
    devices: z.array(pushDevice),
  }),
})

export const savePushDevice = call({
  method: 'PUT',
  path: '/client/push-device',
  summary:
    'Send notifications to this browser until its session is ended; body: its subscription of the Push API, with an https endpoint on the internet',
  may: 'session.use',
  touches: ['push-device'],
  body: z.strictObject({
    endpoint: requiredText(1000).pipe(z.url({ protocol: /^https?$/, error: m.webhookUrl })),
    keys: z.strictObject({
      /** A point of P-256, uncompressed: 65 bytes. */
      p256dh: z.string().regex(/^B[\w-]{86}$/, m.pushKeys),
      /** 16 bytes. */
      auth: z.string().regex(/^[\w-]{22}$/, m.pushKeys),
    }),
  }),
  response: z.object({ device: pushDevice }),
})

export const removePushDevice = call({
  method: 'DELETE',
  path: '/client/push-device/{id}',
  summary: 'Send no more notifications to a device of yours',
  may: 'session.use',
  touches: ['push-device'],
  params: deviceId,
})

export const testPushDevice = call({
  method: 'POST',
  path: '/client/push-device/{id}/test',
  summary: 'Send a test notification to a device of yours; at most one in 10 s',
  may: 'session.use',
  touches: ['push-device'],
  params: deviceId,
  ok: m.webhookQueued,
})
