import type { Sentence } from '#i18n/da.ts'
import type { WebhookDelivery } from '@gridmast/contract/people/webhooks.ts'
import { t } from '#lib/i18n.ts'
import { Row } from '#ui/Layout.tsx'
import { type Status, StatusDot } from '#ui/Tag.tsx'

const states: Record<WebhookDelivery['state'], { status: Status; name: Sentence }> = {
  delivered: { status: 'fresh', name: 'Delivered' },
  waiting: { status: 'stale', name: 'Waiting' },
  failed: { status: 'failed', name: 'Failed' },
}

export const DeliveryState = ({ state }: { state: WebhookDelivery['state'] }) => {
  const { status, name } = states[state]
  return (
    <Row as="span" inline gap={8} nowrap>
      <StatusDot status={status} />
      {t(name)}
    </Row>
  )
}
