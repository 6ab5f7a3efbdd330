import { Button } from '@mantine/core'
import { unknownText } from '@gridmast/contract/numbers.ts'
import { formatDateTime } from '@gridmast/contract/time.ts'
import { retryWebhookDelivery, type WebhookDelivery } from '@gridmast/contract/people/webhooks.ts'
import { IconRefresh } from '@tabler/icons-react'
import { t } from '#lib/i18n.ts'
import { useDo } from '#lib/query.ts'
import { Code } from '#ui/OneTimeSecret.tsx'
import { Facts } from '#ui/Layout.tsx'
import classes from './DeliveryDrawer.module.css'

const readable = (payload: string): string => {
  try {
    return JSON.stringify(JSON.parse(payload), null, 2)
  } catch {
    return payload
  }
}

const time = (at: string | null) => (at === null ? unknownText : formatDateTime(Date.parse(at)))

/** How a delivery went, what was sent, and another try. */
export const DeliveryDetails = ({ webhookId, delivery }: { webhookId: string; delivery: WebhookDelivery }) => {
  const retrying = useDo(retryWebhookDelivery)
  const { _id, attempts, nextAttemptAt, deliveredAt, status, error, payload } = delivery
  const retry = () => retrying.mutate({ params: { webhookId, deliveryId: _id } })
  return (
    <div className={classes.details}>
      <Facts
        layout="row"
        facts={[
          [t('Attempts'), attempts],
          [t('Status'), status ?? unknownText],
          [t('Delivered'), time(deliveredAt)],
          [t('Next attempt'), time(nextAttemptAt)],
          ...(error === null ? [] : [[t('Error'), error] as const]),
        ]}
      />
      <Code label={t('Payload')} code={readable(payload)} />
      <Button
        variant="default"
        leftSection={<IconRefresh stroke={1.8} aria-hidden />}
        loading={retrying.isPending}
        onClick={retry}
      >
        {t('Send again')}
      </Button>
    </div>
  )
}
