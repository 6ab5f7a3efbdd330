import { Button, Drawer, Menu, Pagination, Skeleton } from '@mantine/core'
import { limits } from '@gridmast/contract/limits.ts'
import { findWebhookDeliveries, type Webhook } from '@gridmast/contract/webhooks.ts'
import { IconSend } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from '#lib/i18n.ts'
import { useCall } from '#lib/query.ts'
import { Empty } from '#ui/Empty.tsx'
import { ReadError } from '#ui/ListPanel.tsx'
import { DeliveryRow } from './DeliveryRow.tsx'
import { TestItems, useSendTest } from './TestMenu.tsx'
import classes from './DeliveryDrawer.module.css'

const watchEveryMs = 2000

type Props = { webhook: Webhook | null; page: number; onPage: (page: number) => void; onClose: () => void }

/** What was sent to a webhook, newest first. */
export const DeliveryDrawer = ({ webhook, page, onPage, onClose }: Props) => {
  const { t } = useTranslation()
  return (
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
}

const Deliveries = ({ webhook, page, onPage }: Omit<Props, 'webhook' | 'onClose'> & { webhook: Webhook }) => {
  const { t } = useTranslation()
  const [everyMs, setEveryMs] = useState(0)
  const read = useCall(findWebhookDeliveries, {
    sent: { params: { webhookId: webhook._id }, query: { limit: limits.pageSize, skip: (page - 1) * limits.pageSize } },
    refetchIntervalMs: everyMs,
    question: webhook._id,
  })
  const waiting = read.isPending || read.isPlaceholderData
  const sendTest = useSendTest(() => onPage(1))
  const wantedMs = read.data?.deliveries.some(({ state }) => state === 'waiting') ? watchEveryMs : 0
  if (wantedMs !== everyMs) setEveryMs(wantedMs)
  const pages = Math.ceil((read.data?.totalCount ?? 0) / limits.pageSize)
  return (
    <>
      <div className={classes.tools}>
        <span>{webhook.url}</span>
        <Menu position="bottom-end">
          <Menu.Target>
            <Button variant="default" leftSection={<IconSend stroke={1.8} aria-hidden />}>
              {t('Send a test')}
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            <TestItems onSend={(event) => sendTest(webhook._id, event)} />
          </Menu.Dropdown>
        </Menu>
      </div>
      <ReadError read={read} title={t('The deliveries could not be loaded.')} />
      {waiting && (
        <div className={classes.waiting} role="status" aria-label={t('Loading')}>
          <Skeleton height={36} animate={false} />
          <Skeleton height={36} animate={false} />
          <Skeleton height={36} animate={false} />
        </div>
      )}
      {read.data?.totalCount === 0 && (
        <Empty title={t('Nothing sent yet')}>{t('Send a test to see whether your receiver answers.')}</Empty>
      )}
      {!waiting && read.data && read.data.totalCount > 0 && (
        <ul className={classes.deliveries} aria-label={t('Deliveries')}>
          {read.data.deliveries.map((delivery) => (
            <DeliveryRow key={delivery._id} webhookId={webhook._id} delivery={delivery} />
          ))}
        </ul>
      )}
      {pages > 1 && (
        <Pagination
          className={classes.pages ?? ''}
          total={pages}
          value={page}
          onChange={onPage}
          siblings={1}
          boundaries={1}
          size={28}
          getControlProps={(control) => ({ 'aria-label': control === 'next' ? t('Next page') : t('Previous page') })}
          getItemProps={(n) => ({ 'aria-label': t('Page {{n}}', { n }) })}
        />
      )}
    </>
  )
}
