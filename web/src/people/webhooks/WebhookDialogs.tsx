import { addWebhook, saveWebhook, type Webhook } from '@gridmast/contract/people/webhooks.ts'
import { t } from '#lib/i18n.ts'
import { CallForm, CallFormDialog } from '#ui/CallForm.tsx'
import { OneTimeSecret, SecretDialog } from '#ui/OneTimeSecret.tsx'
import { empty, valuesOf, WebhookFields } from './WebhookForm.tsx'

export const NewWebhookDialog = ({ opened, onClose }: { opened: boolean; onClose: () => void }) => (
  <SecretDialog<string>
    opened={opened}
    title={t('New webhook')}
    secretTitle={t('The secret of your webhook')}
    onClose={onClose}
    renderForm={(onSecret) => (
      <CallForm
        label={t('New webhook')}
        submit={t('Add webhook')}
        call={addWebhook}
        initial={empty}
        onCancel={onClose}
        onDone={({ secret }) => onSecret(secret)}
      >
        {(form) => <WebhookFields form={form} />}
      </CallForm>
    )}
    renderSecret={(secret) => (
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

export const EditWebhookDialog = ({ webhook, onClose }: { webhook: Webhook | null; onClose: () => void }) => (
  <CallFormDialog
    title={t('Edit webhook')}
    submit={t('Save changes')}
    call={saveWebhook}
    initial={webhook && valuesOf(webhook)}
    request={{ params: { webhookId: webhook?._id } }}
    onClose={onClose}
  >
    {(form) => <WebhookFields form={form} />}
  </CallFormDialog>
)
