import { Menu } from '@mantine/core'
import { testWebhook, type WebhookEvent } from '@gridmast/contract/people/webhooks.ts'
import { IconSend } from '@tabler/icons-react'
import { t } from '#lib/i18n.ts'
import { useDo } from '#lib/query.ts'
import { eventWords } from './event-words.ts'

/** Sends an example of one event, and hands the webhook on so that its delivery can be watched. */
export const useSendTest = (onSent: (webhookId: string) => void) => {
  const sending = useDo(testWebhook)
  return (webhookId: string, event: WebhookEvent) =>
    sending.mutate({ params: { webhookId }, body: { event } }, { onSuccess: () => onSent(webhookId) })
}

export const TestItems = ({ onSend }: { onSend: (event: WebhookEvent) => void }) => (
  <>
    <Menu.Label>{t('Send a test')}</Menu.Label>
    {eventWords.map(({ event, name }) => (
      <Menu.Item key={event} leftSection={<IconSend stroke={1.8} aria-hidden />} onClick={() => onSend(event)}>
        {t(name)}
      </Menu.Item>
    ))}
  </>
)
