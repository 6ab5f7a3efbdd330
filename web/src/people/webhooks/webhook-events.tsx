import { type WebhookDelivery, type WebhookEvent, testWebhook } from '@gridmast/contract/people/webhooks.ts'
import { IconSend } from '@tabler/icons-react'
import type { Sentence } from '#i18n/da.ts'
import { t } from '#lib/i18n.ts'
import { Row } from '#ui/Layout.tsx'
import { type Status, StatusDot } from '#ui/Tag.tsx'
import { useDo } from '#lib/query.ts'
import { MenuItem, MenuLabel } from '#ui/Menu.tsx'

export const eventWords: { event: WebhookEvent; name: Sentence; words: Sentence }[] = [
  { event: 'alert', name: 'Alert', words: 'An alert was triggered or has ended.' },
  { event: 'activation', name: 'Activation', words: 'An instance was activated.' },
  { event: 'bid-result', name: 'Bid result', words: 'A bid was accepted or rejected.' },
  { event: 'sold-capacity', name: 'Sold capacity', words: 'Expected capacity is below what you have sold.' },
  {
    event: 'charging-budget',
    name: 'Charging budget',
    words: 'A tag or group has nearly or fully used its budget.',
  },
]

export const eventName = (event: WebhookEvent): string => eventWords.find((one) => one.event === event)?.name ?? event

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

export const useSendTest = (onSent: (webhookId: string) => void) => {
  const sending = useDo(testWebhook)
  return (webhookId: string, event: WebhookEvent) =>
    sending.mutate({ params: { webhookId }, body: { event } }, { onSuccess: () => onSent(webhookId) })
}

export const TestItems = ({ onSend }: { onSend: (event: WebhookEvent) => void }) => (
  <>
    <MenuLabel>{t('Send a test')}</MenuLabel>
    {eventWords.map(({ event, name }) => (
      <MenuItem key={event} icon={<IconSend stroke={1.8} aria-hidden />} onClick={() => onSend(event)}>
        {t(name)}
      </MenuItem>
    ))}
  </>
)
