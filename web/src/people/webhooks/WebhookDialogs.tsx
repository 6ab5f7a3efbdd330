import { removeWebhook, type Webhook } from '@gridmast/contract/people/webhooks.ts'
import { t } from '#lib/i18n.ts'
import { useDo } from '#lib/query.ts'
import { ConfirmDialog } from '#ui/ConfirmDialog.tsx'
import { Dialog } from '#ui/Dialog.tsx'
import { OneTimeSecret } from '#ui/OneTimeSecret.tsx'
import { SecretDialog } from '#ui/SecretDialog.tsx'
import { EditWebhookForm, NewWebhookForm } from './WebhookForm.tsx'

export const NewWebhookDialog = ({ opened, onClose }: { opened: boolean; onClose: () => void }) => (
  <SecretDialog<string>
    opened={opened}
    title={t('New webhook')}
    madeTitle={t('The secret of your webhook')}
    onClose={onClose}
    renderForm={(onMade) => <NewWebhookForm onCancel={onClose} onMade={({ secret }) => onMade(secret)} />}
    renderMade={(secret) => (
      <OneTimeSecret
        label={t('Signing secret')}
        secret={secret}
        words={t(
          'Your receiver verifies each request with it. It is shown only once: if you lose it, add a new webhook.',
        )}
        onDone={onClose}
      />
    )}
  />
)

type OfOne = { webhook: Webhook | null; onClose: () => void }

export const EditWebhookDialog = ({ webhook, onClose }: OfOne) => (
  <Dialog opened={webhook !== null} onClose={onClose} size={560} title={t('Edit webhook')}>
    {webhook && <EditWebhookForm webhook={webhook} onCancel={onClose} onSaved={onClose} />}
  </Dialog>
)

export const RemoveWebhookDialog = ({ webhook, onClose, onRemoved }: OfOne & { onRemoved: () => void }) => {
  const removing = useDo(removeWebhook)
  const remove = () => {
    if (!webhook) return
    removing.mutate(
      { params: { webhookId: webhook._id } },
      {
        onSuccess: onRemoved,
        onSettled: onClose,
      },
    )
  }
  return (
    <ConfirmDialog
      opened={webhook !== null}
      title={t('Remove this webhook?')}
      confirm={t('Remove')}
      danger
      sending={removing.isPending}
      onConfirm={remove}
      onClose={onClose}
    >
      {t('{{name}} is no longer called, and its deliveries are removed with it.', { name: webhook?.name ?? '' })}
    </ConfirmDialog>
  )
}
