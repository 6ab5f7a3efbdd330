import type { Sentence } from '#i18n/da.ts'
import type { WebhookDelivery } from '@gridmast/contract/people/webhooks.ts'
import { t } from '#lib/i18n.ts'
import { type Status, StatusDot } from '#ui/StatusDot.tsx'
import classes from './webhooks.module.css'

const states: Record<WebhookDelivery['state'], { status: Status; name: Sentence }> = {
  delivered: { status: 'fresh', name: 'Delivered' },
  waiting: { status: 'stale', name: 'Waiting' },
  failed: { status: 'failed', name: 'Failed' },
}

export const DeliveryState = ({ state }: { state: WebhookDelivery['state'] }) => {
  const { status, name } = states[state]
  return (
    <span className={classes.state}>
      <StatusDot status={status} />
      {t(name)}
    </span>
  )
}
