import { ActionIcon } from '@mantine/core'
import { formatDateTime } from '@gridmast/contract/time.ts'
import { type Webhook, type WebhookEvent, saveWebhook } from '@gridmast/contract/people/webhooks.ts'
import { IconDots, IconListDetails, IconPencil, IconTrash } from '@tabler/icons-react'
import { t, translateText } from '#lib/i18n.ts'
import * as column from '#ui/columns.tsx'
import type { Columns } from '#ui/DataTable.tsx'
import { Row, Text, TextButton } from '#ui/Layout.tsx'
import { SavedSwitch } from '#ui/SavedSwitch.tsx'
import { Tag } from '#ui/Tag.tsx'
import { DeliveryState, TestItems, eventName } from './webhook-events.tsx'
import { valuesOf } from './WebhookDialogs.tsx'
import classes from './webhooks.module.css'
import { Menu, MenuDivider, MenuItem } from '#ui/Menu.tsx'

type Actions = {
  onOpen: (webhook: Webhook) => void
  onEdit: (webhook: Webhook) => void
  onRemove: (webhook: Webhook) => void
  onTest: (webhook: Webhook, event: WebhookEvent) => void
}

const RowMenu = ({ webhook, onOpen, onEdit, onRemove, onTest }: { webhook: Webhook } & Actions) => (
  <Menu
    target={
      <ActionIcon className={classes.above ?? ''} aria-label={t('Actions for {{name}}', { name: webhook.name })}>
        <IconDots size={16} stroke={1.8} />
      </ActionIcon>
    }
  >
    <MenuItem icon={<IconListDetails stroke={1.8} aria-hidden />} onClick={() => onOpen(webhook)}>
      {t('Deliveries')}
    </MenuItem>
    <MenuItem icon={<IconPencil stroke={1.8} aria-hidden />} onClick={() => onEdit(webhook)}>
      {t('Edit')}
    </MenuItem>
    <MenuDivider />
    <TestItems onSend={(event) => onTest(webhook, event)} />
    <MenuDivider />
    <MenuItem icon={<IconTrash stroke={1.8} aria-hidden />} onClick={() => onRemove(webhook)}>
      {t('Remove')}
    </MenuItem>
  </Menu>
)

export const useWebhookColumns = (actions: Actions): Columns<Webhook> => [
  column.cell(
    'name',
    t('Name'),
    (webhook) => (
      <TextButton
        plain
        strong
        covers
        aria-label={t('Deliveries of {{name}}', { name: webhook.name })}
        onClick={() => actions.onOpen(webhook)}
      >
        {webhook.name}
      </TextButton>
    ),
    { card: 'lead', sort: ({ name }) => name },
  ),
  column.text('url', t('URL'), ({ url }) => url, { card: 'plain', cut: 48, sort: true }),
  column.cell(
    'events',
    t('Events'),
    ({ events }) => (
      <Row as="span" inline gap={4} align="stretch">
        {events.map((event) => (
          <Tag key={event}>{translateText(eventName(event))}</Tag>
        ))}
      </Row>
    ),
    { card: 'plain' },
  ),
  column.cell(
    'last',
    t('Last delivery'),
    ({ lastDelivery }) =>
      lastDelivery ? (
        <Row as="span" inline gap={8} rowGap={0} align="stretch">
          <DeliveryState state={lastDelivery.state} />
          <Text ink="ink3">{formatDateTime(Date.parse(lastDelivery.at))}</Text>
        </Row>
      ) : (
        <Text ink="ink3">{t('Nothing sent yet')}</Text>
      ),
    { card: 'plain', sort: ({ lastDelivery }) => lastDelivery?.at ?? '' },
  ),
  column.cell('enabled', t('Enabled'), (webhook) => (
    <SavedSwitch
      className={classes.above ?? ''}
      aria-label={t('{{name}} enabled', { name: webhook.name })}
      checked={webhook.enabled}
      call={saveWebhook}
      sent={(enabled) => ({ params: { webhookId: webhook._id }, body: { ...valuesOf(webhook), enabled } })}
    />
  )),
  column.figure('actions', t('Actions'), (webhook) => <RowMenu webhook={webhook} {...actions} />, { card: 'corner' }),
]
