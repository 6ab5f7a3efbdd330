import { Checkbox, TextInput } from '@mantine/core'
import type { Data } from '@gridmast/contract/call.ts'
import { type Webhook, type WebhookEvent, addWebhook, saveWebhook } from '@gridmast/contract/people/webhooks.ts'
import type { ReactNode } from 'react'
import { t } from '#lib/i18n.ts'
import { useCallForm } from '#lib/call-form.ts'
import { FormActions } from '#ui/FormActions.tsx'
import { Stack } from '#ui/Layout.tsx'
import { eventWords } from './event-words.ts'
import classes from './webhooks.module.css'

const fields = ['name', 'url', 'events']
const empty = { name: '', url: '', events: [] as WebhookEvent[], enabled: true }

export const valuesOf = ({ name, url, events, enabled }: Webhook) => ({ name, url, events, enabled })

type Form = Pick<ReturnType<typeof useCallForm>, 'field' | 'submit' | 'sending' | 'waitS'>
type FrameProps = { label: string; form: Form; save: string; onCancel: () => void; children?: ReactNode }

const Frame = ({ label, form: { field, submit, sending, waitS }, save, onCancel, children }: FrameProps) => (
  <form noValidate aria-label={label} onSubmit={submit}>
    <Stack gap={16}>
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
        <div className={classes.events}>
          {eventWords.map(({ event, name, words }, i) => (
            <Checkbox
              key={event}
              value={event}
              label={t(name)}
              description={t(words)}
              {...(i === 0 ? { 'data-path': 'events' } : {})}
            />
          ))}
        </div>
      </Checkbox.Group>
      {children}
    </Stack>
    <FormActions onCancel={onCancel} sending={sending} waitS={waitS}>
      {save}
    </FormActions>
  </form>
)

type AddProps = { onCancel: () => void; onMade: (made: Data<typeof addWebhook>) => void }

export const NewWebhookForm = ({ onCancel, onMade }: AddProps) => {
  const form = useCallForm(addWebhook, { initial: empty, fields, onDone: onMade })
  return <Frame label={t('New webhook')} form={form} save={t('Add webhook')} onCancel={onCancel} />
}

type EditProps = { webhook: Webhook; onCancel: () => void; onSaved: () => void }

export const EditWebhookForm = ({ webhook, onCancel, onSaved }: EditProps) => {
  const form = useCallForm(saveWebhook, {
    initial: valuesOf(webhook),
    fields,
    beside: () => ({ params: { webhookId: webhook._id } }),
    onDone: onSaved,
  })
  return <Frame label={t('Edit webhook')} form={form} save={t('Save changes')} onCancel={onCancel} />
}
