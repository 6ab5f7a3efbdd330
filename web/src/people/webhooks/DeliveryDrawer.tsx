import { Button, Drawer, Menu } from '@mantine/core'
import { formatDateTime } from '@gridmast/contract/time.ts'
import {
  deliveryColumns,
  findWebhookDeliveries,
  type Webhook,
  type WebhookDelivery,
} from '@gridmast/contract/people/webhooks.ts'
import { IconChevronRight, IconSend } from '@tabler/icons-react'
import { useState } from 'react'
import { t, translateText } from '#lib/i18n.ts'
import { usePageSize } from '#lib/phone.ts'
import { useCall } from '#lib/query.ts'
import { useOwnSorting } from '#lib/sort-state.ts'
import type { Column } from '#ui/DataTable.tsx'
import { ListPanel } from '#ui/ListPanel.tsx'
import { Tag } from '#ui/Tag.tsx'
import { DeliveryDetails } from './DeliveryDetails.tsx'
import { DeliveryState } from './DeliveryState.tsx'
import { eventName } from './event-words.ts'
import { TestItems, useSendTest } from './TestMenu.tsx'
import classes from './DeliveryDrawer.module.css'

const watchEveryMs = 2000

type Props = { webhook: Webhook | null; page: number; onPage: (page: number) => void; onClose: () => void }

/** What was sent to a webhook, newest first. */
export const DeliveryDrawer = ({ webhook, page, onPage, onClose }: Props) => (
  <Drawer
    opened={webhook !== null}
    onClose={onClose}
    position="right"
    size={640}
    title={t('Deliveries of {{name}}', { name: webhook?.name ?? '' })}
    classNames={{ title: classes.title ?? '', header: classes.header ?? '', body: classes.body ?? '' }}
    closeButtonProps={{ 'aria-label': t('Close') }}
  >
    {webhook && <Deliveries webhook={webhook} page={page} onPage={onPage} />}
  </Drawer>
)

const useColumns = (opened: string | null, onOpen: (deliveryId: string | null) => void) => {
  const columns: Column<WebhookDelivery>[] = [
    {
      key: 'event',
      title: t('Event'),
      lead: true,
      cell: ({ _id, event, test }) => (
        <span className={classes.event}>
          <button type="button" aria-expanded={_id === opened} onClick={() => onOpen(_id === opened ? null : _id)}>
            <IconChevronRight size={16} stroke={1.8} aria-hidden />
            {translateText(eventName(event))}
          </button>
          {test && <Tag kind="outline">{t('Test')}</Tag>}
        </span>
      ),
    },
    {
      key: 'createdAt',
      title: t('Sent'),
      digits: true,
      plain: true,
      cell: ({ createdAt }) => formatDateTime(Date.parse(createdAt)),
    },
    {
      key: 'answer',
      title: t('Response'),
      plain: true,
      cell: ({ status, attempts }) => (status === null ? `${t('Attempts')}: ${attempts}` : `HTTP ${status}`),
    },
    { key: 'state', title: t('State'), corner: true, cell: ({ state }) => <DeliveryState state={state} /> },
  ]
  return columns
}

const Deliveries = ({ webhook, page, onPage }: Omit<Props, 'webhook' | 'onClose'> & { webhook: Webhook }) => {
  const [everyMs, setEveryMs] = useState(0)
  const [opened, setOpened] = useState<string | null>(null)
  const columns = useColumns(opened, setOpened)
  const pageSize = usePageSize()
  const [sort, sorting] = useOwnSorting(deliveryColumns, () => onPage(1))
  const read = useCall(findWebhookDeliveries, {
    sent: { params: { webhookId: webhook._id }, query: { ...sort, limit: pageSize, skip: (page - 1) * pageSize } },
    refetchIntervalMs: everyMs,
    keepWhile: webhook._id,
  })
  const sendTest = useSendTest(() => onPage(1))
  const wantedMs = read.data?.deliveries.some(({ state }) => state === 'waiting') ? watchEveryMs : 0
  if (wantedMs !== everyMs) setEveryMs(wantedMs)
  return (
    <ListPanel
      label={t('Deliveries')}
      read={read}
      failed={t('The deliveries could not be loaded.')}
      filters={
        <>
          <span className={classes.url}>{webhook.url}</span>
          <Menu position="bottom-end">
            <Menu.Target>
              <Button data-end variant="default" leftSection={<IconSend stroke={1.8} aria-hidden />}>
                {t('Send a test')}
              </Button>
            </Menu.Target>
            <Menu.Dropdown>
              <TestItems onSend={(event) => sendTest(webhook._id, event)} />
            </Menu.Dropdown>
          </Menu>
        </>
      }
      columns={columns}
      rows={read.data?.deliveries ?? []}
      pageSize={pageSize}
      rowKey={({ _id }) => _id}
      sorting={sorting}
      renderBelow={(delivery) =>
        delivery._id === opened && <DeliveryDetails webhookId={webhook._id} delivery={delivery} />
      }
      emptyReason={t('Send a test to see whether your receiver answers.')}
      paging={{ page, total: read.data?.totalCount ?? 0, onPage }}
    />
  )
}
