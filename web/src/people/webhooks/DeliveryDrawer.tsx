import { Code } from '#ui/OneTimeSecret.tsx'
import { Button, Drawer } from '@mantine/core'
import {
  type Webhook,
  type WebhookDelivery,
  findWebhookDeliveries,
  retryWebhookDelivery,
} from '@gridmast/contract/people/webhooks.ts'
import { IconChevronRight, IconRefresh, IconSend } from '@tabler/icons-react'
import { useState } from 'react'
import { unknownText } from '@gridmast/contract/numbers.ts'
import { formatDateTime } from '@gridmast/contract/time.ts'
import { t, translateText } from '#lib/i18n.ts'
import { useList } from '#lib/list.ts'
import * as column from '#ui/columns.tsx'
import type { Columns } from '#ui/DataTable.tsx'
import { ListPanel } from '#ui/ListPanel.tsx'
import { Tag } from '#ui/Tag.tsx'
import { useDo } from '#lib/query.ts'
import { Facts, Row, Stack, Text, TextButton } from '#ui/Layout.tsx'
import { DeliveryState, TestItems, eventName, useSendTest } from './webhook-events.tsx'
import classes from './webhooks.module.css'
import { Menu } from '#ui/Menu.tsx'

const watchEveryMs = 2000

export const DeliveryDrawer = ({ webhook, onClose }: { webhook: Webhook | null; onClose: () => void }) => (
  <Drawer
    opened={webhook !== null}
    onClose={onClose}
    position="right"
    size={640}
    title={t('Deliveries of {{name}}', { name: webhook?.name ?? '' })}
    styles={{
      header: { padding: '16px 20px 12px' },
      title: { fontSize: 16, fontWeight: 600, lineHeight: '24px', letterSpacing: '-0.015em' },
      body: { padding: '0 12px 20px' },
    }}
    closeButtonProps={{ 'aria-label': t('Close') }}
  >
    {webhook && <Deliveries webhook={webhook} />}
  </Drawer>
)

const useColumns = (opened: string | null, onOpen: (deliveryId: string | null) => void) => {
  const columns: Columns<WebhookDelivery> = [
    column.cell(
      'event',
      t('Event'),
      ({ _id, event, test }) => (
        <Row as="span" inline nowrap gap={8}>
          <TextButton
            plain
            strong
            covers
            className={classes.event}
            aria-expanded={_id === opened}
            onClick={() => onOpen(_id === opened ? null : _id)}
          >
            <IconChevronRight size={16} stroke={1.8} aria-hidden />
            {translateText(eventName(event))}
          </TextButton>
          {test && <Tag kind="outline">{t('Test')}</Tag>}
        </Row>
      ),
      { card: 'lead' },
    ),
    column.time('createdAt', t('Sent'), ({ createdAt }) => createdAt, { card: 'plain' }),
    column.text(
      'answer',
      t('Response'),
      ({ status, attempts }) => (status === null ? `${t('Attempts')}: ${attempts}` : `HTTP ${status}`),
      { card: 'plain' },
    ),
    column.cell('state', t('State'), ({ state }) => <DeliveryState state={state} />, { card: 'corner' }),
  ]
  return columns
}

const Deliveries = ({ webhook }: { webhook: Webhook }) => {
  const [opened, setOpened] = useState<string | null>(null)
  const columns = useColumns(opened, setOpened)
  const list = useList(
    findWebhookDeliveries,
    { params: { webhookId: webhook._id }, query: {} },
    {
      rows: ({ deliveries }) => deliveries,
      ownSort: true,
      refetchIntervalMs: (data) => (data?.deliveries.some(({ state }) => state === 'waiting') ? watchEveryMs : 0),
    },
  )
  const sendTest = useSendTest(() => list.paging.onPage(1))
  return (
    <ListPanel
      label={t('Deliveries')}
      {...list}
      failed={t('The deliveries could not be loaded.')}
      filters={
        <>
          <Text ink="ink3" style={{ flex: 1, alignSelf: 'center', overflowWrap: 'anywhere' }}>
            {webhook.url}
          </Text>
          <Menu
            target={
              <Button data-end variant="default" leftSection={<IconSend stroke={1.8} aria-hidden />}>
                {t('Send a test')}
              </Button>
            }
          >
            <TestItems onSend={(event) => sendTest(webhook._id, event)} />
          </Menu>
        </>
      }
      columns={columns}
      rowKey={({ _id }) => _id}
      renderBelow={(delivery) =>
        delivery._id === opened && <DeliveryDetails webhookId={webhook._id} delivery={delivery} />
      }
      emptyReason={t('Send a test to see whether your receiver responds.')}
    />
  )
}

const readable = (payload: string): string => {
  try {
    return JSON.stringify(JSON.parse(payload), null, 2)
  } catch {
    return payload
  }
}

const time = (at: string | null) => (at === null ? unknownText : formatDateTime(Date.parse(at)))

export const DeliveryDetails = ({ webhookId, delivery }: { webhookId: string; delivery: WebhookDelivery }) => {
  const retrying = useDo(retryWebhookDelivery)
  const { _id, attempts, nextAttemptAt, deliveredAt, status, error, payload } = delivery
  const retry = () => retrying.mutate({ params: { webhookId, deliveryId: _id } })
  return (
    <Stack gap={12} align="start" className={classes.details}>
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
    </Stack>
  )
}
