import { Button } from '@mantine/core'
import { findWebhooks, removeWebhook, type Webhook } from '@gridmast/contract/people/webhooks.ts'
import { IconPlus } from '@tabler/icons-react'
import { type ReactNode, useRef, useState } from 'react'
import { t } from '#lib/i18n.ts'
import { useCall } from '#lib/query.ts'
import { BelowList } from '#ui/Loaded.tsx'
import { ListPanel } from '#ui/ListPanel.tsx'
import { useConfirm } from '#ui/useConfirm.tsx'
import { DeliveryDrawer } from './DeliveryDrawer.tsx'
import { useSendTest } from './TestMenu.tsx'
import { EditWebhookDialog, NewWebhookDialog } from './WebhookDialogs.tsx'
import { useWebhookColumns } from './WebhookTable.tsx'

const watchEveryMs = 3000
const isWaiting = ({ lastDelivery }: Webhook) => lastDelivery?.state === 'waiting'

type Props = {
  /** The webhook whose deliveries are open, and their page. */
  opened: string | undefined
  onOpen: (webhookId: string | undefined) => void
  /** Stands under the list once it is read. */
  below: ReactNode
}

export const WebhooksPanel = ({ opened, onOpen, below }: Props) => {
  const read = useCall(findWebhooks, {
    refetchIntervalMs: (data) => (data?.webhooks.some(isWaiting) ? watchEveryMs : 0),
  })
  const sendTest = useSendTest(onOpen)
  const [adding, setAdding] = useState(false)
  const [editing, setEditing] = useState<Webhook | null>(null)
  const add = useRef<HTMLButtonElement>(null)
  const webhooks = read.data?.webhooks ?? []

  const [remove, removeDialog] = useConfirm({
    call: removeWebhook,
    sent: ({ _id }: Webhook) => ({ params: { webhookId: _id } }),
    title: t('Remove this webhook?'),
    text: ({ name }) => t('{{name}} is no longer called, and its deliveries are removed with it.', { name }),
    confirm: t('Remove'),
    danger: true,
    onDone: () => add.current?.focus(),
  })
  const columns = useWebhookColumns({
    onOpen: ({ _id }) => onOpen(_id),
    onEdit: setEditing,
    onRemove: remove,
    onTest: ({ _id }, event) => sendTest(_id, event),
  })
  return (
    <>
      <ListPanel
        title={t('Webhooks')}
        label={t('Webhooks')}
        tools={
          <Button ref={add} leftSection={<IconPlus stroke={1.8} aria-hidden />} onClick={() => setAdding(true)}>
            {t('New webhook')}
          </Button>
        }
        query={read}
        failed={t('The webhooks could not be loaded.')}
        columns={columns}
        rows={webhooks}
        rowKey={({ _id }) => _id}
        emptyReason={t('A webhook tells your system about alerts, activations and bid results as they happen.')}
      />
      <BelowList isPending={read.isPending}>{below}</BelowList>
      <NewWebhookDialog opened={adding} onClose={() => setAdding(false)} />
      <EditWebhookDialog webhook={editing} onClose={() => setEditing(null)} />
      {removeDialog}
      <DeliveryDrawer webhook={webhooks.find(({ _id }) => _id === opened) ?? null} onClose={() => onOpen(undefined)} />
    </>
  )
}
