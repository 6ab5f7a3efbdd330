import type { WebhookDelivery } from '@gridmast/contract/webhooks.ts'

/** What has become of a delivery. */
export const stateOf = (row: { delivered_at: Date | null; next_attempt_at: Date | null }): WebhookDelivery['state'] => {
  if (row.delivered_at) return 'delivered'
  return row.next_attempt_at ? 'waiting' : 'failed'
}
