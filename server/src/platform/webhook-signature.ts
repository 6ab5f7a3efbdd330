import { createHmac, randomBytes } from 'node:crypto'

const prefix = 'whsec_'

/** 256 random bits, written as the Standard Webhooks specification has it. */
export const newWebhookSecret = (): string => `${prefix}${randomBytes(32).toString('base64')}`

/** The headers that let a receiver know a delivery as ours, whole and fresh (standardwebhooks.com). */
export const signedHeaders = (secret: string, delivery: { id: string; body: string; nowMs: number }) => {
  const timestamp = String(Math.floor(delivery.nowMs / 1000))
  const key = Buffer.from(secret.slice(prefix.length), 'base64')
  const signature = createHmac('sha256', key).update(`${delivery.id}.${timestamp}.${delivery.body}`).digest('base64')
  return { 'webhook-id': delivery.id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` }
}
