import { Button } from '@mantine/core'
import { unknownText } from '@gridmast/contract/numbers.ts'
import { formatDateTime } from '@gridmast/contract/time.ts'
import { findWebhookDeliveries, retryWebhookDelivery, type WebhookDelivery } from '@gridmast/contract/webhooks.ts'
import { IconChevronRight, IconRefresh } from '@tabler/icons-react'
import { type ReactNode, useId, useState } from 'react'
import { say, useTranslation } from '#lib/i18n.ts'
import { useDo } from '#lib/query.ts'
import { Code } from '#ui/Code.tsx'
import { Tag } from '#ui/Tag.tsx'
import classes from './DeliveryDrawer.module.css'
import { DeliveryState } from './DeliveryState.tsx'
import { eventName } from './event-words.ts'

const readable = (payload: string): string => {
  try {
    return JSON.stringify(JSON.parse(payload), null, 2)
  } catch {
    return payload
  }
}

const time = (at: string | null) => (at === null ? unknownText : formatDateTime(Date.parse(at)))

/** One delivery in a line; opened: how it went, what was sent, and another try. */
export const DeliveryRow = ({ webhookId, delivery }: { webhookId: string; delivery: WebhookDelivery }) => {
  const { t } = useTranslation()
  const [opened, setOpened] = useState(false)
  const id = useId()
  const { event, test, createdAt, state, attempts, status } = delivery
  return (
    <li data-opened={opened || undefined}>
      <button
        type="button"
        className={classes.row}
        aria-expanded={opened}
        aria-controls={id}
        onClick={() => setOpened(!opened)}
      >
        <IconChevronRight size={16} stroke={1.8} aria-hidden />
        <span className={classes.event}>
          {say(eventName(event))}
          {test && <Tag kind="outline">{t('Test')}</Tag>}
        </span>
        <span className={`gm-num ${classes.time}`}>{time(createdAt)}</span>
        <span className={classes.attempts}>{status === null ? `${t('Attempts')}: ${attempts}` : `HTTP ${status}`}</span>
        <DeliveryState state={state} />
      </button>
      <div id={id} hidden={!opened} className={classes.details}>
        {opened && <Details webhookId={webhookId} delivery={delivery} />}
      </div>
    </li>
  )
}

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <div>
    <dt>{name}</dt>
    <dd className="gm-num">{children}</dd>
  </div>
)

const Details = ({ webhookId, delivery }: { webhookId: string; delivery: WebhookDelivery }) => {
  const { t } = useTranslation()
  const retrying = useDo(retryWebhookDelivery, { renews: [findWebhookDeliveries] })
  const { _id, attempts, nextAttemptAt, deliveredAt, status, error, payload } = delivery
  const retry = () => retrying.mutate({ params: { webhookId, deliveryId: _id } })
  return (
    <>
      <dl className={classes.facts}>
        <Fact name={t('Attempts')}>{attempts}</Fact>
        <Fact name={t('Status')}>{status ?? unknownText}</Fact>
        <Fact name={t('Delivered')}>{time(deliveredAt)}</Fact>
        <Fact name={t('Next attempt')}>{time(nextAttemptAt)}</Fact>
        {error !== null && <Fact name={t('Error')}>{error}</Fact>}
      </dl>
      <Code label={t('Payload')} code={readable(payload)} />
      <Button
        variant="default"
        leftSection={<IconRefresh stroke={1.8} aria-hidden />}
        loading={retrying.isPending}
        onClick={retry}
      >
        {t('Send again')}
      </Button>
    </>
  )
}
