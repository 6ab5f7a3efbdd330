import { Code } from '#ui/OneTimeSecret.tsx'
import { Button } from '@mantine/core'
import { type Webhook, findWebhooks, removeWebhook } from '@gridmast/contract/people/webhooks.ts'
import { IconPlus } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { t } from '#lib/i18n.ts'
import { useUrlState } from '#lib/url-state.ts'
import { Lead, Page } from '#ui/Page.tsx'
import { webhooksSearch } from '#people/search.ts'
import { useCall } from '#lib/query.ts'
import { BelowList } from '#ui/Loaded.tsx'
import { ListPanel } from '#ui/ListPanel.tsx'
import { useConfirm } from '#ui/useConfirm.tsx'
import { Panel } from '#ui/Panel.tsx'
import { useSendTest } from './webhook-events.tsx'
import { useWebhookColumns } from './WebhookTable.tsx'
import { Note } from '#ui/Layout.tsx'
import { lateDialog } from '#ui/late-dialog.tsx'

const NewWebhookDialog = lateDialog(
  async () => (await import('./WebhookDialogs.tsx')).NewWebhookDialog,
  (props) => props.opened,
)
const EditWebhookDialog = lateDialog(
  async () => (await import('./WebhookDialogs.tsx')).EditWebhookDialog,
  (props) => props.webhook !== null,
)

const DeliveryDrawer = lateDialog(
  async () => (await import('./DeliveryDrawer.tsx')).DeliveryDrawer,
  (props) => props.webhook !== null,
)

const watchEveryMs = 3000
const isWaiting = ({ lastDelivery }: Webhook) => lastDelivery?.state === 'waiting'

const Webhooks = () => {
  const [{ webhook: opened }, change] = useUrlState(webhooksSearch)
  const onOpen = (webhookId: string | undefined) => change({ webhook: webhookId, page: undefined })
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
    text: ({ name }) => t('{{name}} receives no more events, and its delivery log is deleted.', { name }),
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
    <Page>
      <Lead>{t('A webhook sends events from this portal to your own address.')}</Lead>
      <ListPanel
        title={t('Webhooks')}
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
        emptyReason={t('A webhook notifies your system of alerts, activations and bid results as they happen.')}
      />
      <BelowList isPending={read.isPending}>
        <SignatureHelp />
      </BelowList>
      <NewWebhookDialog opened={adding} onClose={() => setAdding(false)} />
      <EditWebhookDialog webhook={editing} onClose={() => setEditing(null)} />
      {removeDialog}
      <DeliveryDrawer webhook={webhooks.find(({ _id }) => _id === opened) ?? null} onClose={() => onOpen(undefined)} />
    </Page>
  )
}

const signatureExample = `import { createHmac, timingSafeEqual } from 'node:crypto'

export const isGenuine = (headers, body, secret) => {
  const id = headers['webhook-id']
  const sentAt = headers['webhook-timestamp']
  if (Math.abs(Date.now() / 1000 - Number(sentAt)) > 300) return false
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64')
  const expected = createHmac('sha256', key).update(\`\${id}.\${sentAt}.\${body}\`).digest()
  return headers['webhook-signature'].split(' ').some((signature) => {
    const given = Buffer.from(signature.replace('v1,', ''), 'base64')
    return given.length === expected.length && timingSafeEqual(given, expected)
  })
}
`

const SignatureHelp = () => (
  <Panel title={t('How to verify the signature')} label={t('How to verify the signature')}>
    <Note ink="ink2" below={10} style={{ maxWidth: 720 }}>
      {t(
        'Each request is signed with the secret of its webhook according to the Standard Webhooks specification: webhook-signature covers webhook-id, webhook-timestamp and the body. Refuse requests that fail verification and repeated values of webhook-id. Respond with a status of 200 to 299 within 10 seconds; otherwise the delivery is retried at growing intervals for about a day.',
      )}
    </Note>
    <Code label={t('Example in Node')} code={signatureExample} />
  </Panel>
)

export default Webhooks
