import { type Webhook, type WebhookEvent, addWebhook, saveWebhook } from '@gridmast/contract/people/webhooks.ts'
import { Checkbox, TextInput } from '@mantine/core'
import { t } from '#lib/i18n.ts'
import { CallForm, CallFormDialog } from '#ui/CallForm.tsx'
import { OneTimeSecret, SecretDialog } from '#ui/OneTimeSecret.tsx'
import type { CallFormOf } from '#lib/call-form.ts'
import { eventWords } from './webhook-events.tsx'
import { Stack } from '#ui/Layout.tsx'

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

const empty = { name: '', url: '', events: [] as WebhookEvent[], enabled: true }
export const valuesOf = ({ name, url, events, enabled }: Webhook) => ({ name, url, events, enabled })

const WebhookFields = ({ form: { field } }: { form: CallFormOf<typeof empty> }) => (
  <>
    <TextInput label={t('Name')} autoComplete="off" data-autofocus {...field('name')} />
    <TextInput
      label={t('URL')}
      type="url"
      inputMode="url"
      placeholder="https://"
      autoComplete="off"
      spellCheck={false}
      {...field('url')}
    />
    {/* When none is ticked the first box takes the focus, which the group cannot. */}
    <Checkbox.Group label={t('Events')} {...field('events')} data-path={undefined}>
      <Stack gap={10} style={{ paddingTop: 2 }}>
        {eventWords.map(({ event, name, words }, i) => (
          <Checkbox
            key={event}
            value={event}
            label={t(name)}
            description={t(words)}
            {...(i === 0 ? { 'data-path': 'events' } : {})}
          />
        ))}
      </Stack>
    </Checkbox.Group>
  </>
)
