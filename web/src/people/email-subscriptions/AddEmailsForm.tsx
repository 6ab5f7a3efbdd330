import { SubmitButton } from '#ui/FormParts.tsx'
import { Checkbox, TagsInput } from '@mantine/core'
import type { EventType } from '@gridmast/contract/markets.ts'
import { addEmailSubscriptions } from '@gridmast/contract/people/email-subscriptions.ts'
import { limits } from '@gridmast/contract/limits.ts'
import { m } from '@gridmast/contract/messages.ts'
import type { Customer } from '@gridmast/contract/people/user.ts'
import { t, translateText } from '#lib/i18n.ts'
import { useCallForm } from '#lib/call-form.ts'
import { Row, Stack, Text } from '#ui/Layout.tsx'
import { Select } from '#ui/Select.tsx'

type AddProps = { eventType: EventType; instances: Customer['instances']; onAdded: () => void }

export const AddEmailsForm = ({ eventType, instances, onAdded }: AddProps) => {
  const [only] = instances.length === 1 ? instances : []
  const emails: string[] = []
  const { form, field, formProps, sending, waitS } = useCallForm(addEmailSubscriptions, {
    initial: { emails, instanceId: only?._id ?? '', activation: true, bidResult: true, eventType },
    onDone: onAdded,
  })
  const wrong = form.values.emails.flatMap((email, i) => {
    const why = form.errors[`emails.${i}`]
    return why ? [{ email, why }] : []
  })
  return (
    <form aria-label={t('Add Emails')} {...formProps} style={{ maxWidth: 560 }}>
      <Stack gap={16}>
        <TagsInput
          label={t('Emails')}
          description={t('Type or paste addresses, at most {{n}}; Enter, comma or space separates them.', {
            n: limits.emailsAtOnce,
          })}
          type="email"
          autoComplete="off"
          splitChars={[',', ';', ' ', '\n', '\t']}
          clearable
          clearButtonProps={{ 'aria-label': t('Remove all') }}
          {...field('emails')}
          onChange={(next) => {
            form.clearErrors()
            form.setFieldValue('emails', next)
          }}
          onDuplicate={() => form.setFieldError('emails', translateText(m.emailTwice))}
          error={
            wrong.length > 0
              ? wrong.map(({ email, why }) => (
                  <span key={email} style={{ display: 'block' }}>
                    {email}: {why}
                  </span>
                ))
              : form.errors['emails']
          }
        />
        <Select
          label={t('Instance')}
          placeholder={t('Choose an instance')}
          searchable
          nothingFoundMessage={t('No instance matches.')}
          data={instances.map(({ _id, name }) => ({ value: _id, label: name }))}
          {...field('instanceId')}
          value={form.values.instanceId === '' ? null : form.values.instanceId}
          onChange={(instanceId) => form.setFieldValue('instanceId', instanceId ?? '')}
        />
        <Stack as="fieldset" gap={10}>
          <Text as="legend" weight="medium" below={8}>
            {t('Emails to send')}
          </Text>
          <Checkbox
            label={t('Activation')}
            description={t('For a delta load of at least {{n}} percent, and for every aFRR activation.', {
              n: limits.mailedFromPercent,
            })}
            {...form.getInputProps('activation', { type: 'checkbox' })}
          />
          <Checkbox
            label={t('Bid Result')}
            description={t('Whether a bid was won or lost.')}
            {...form.getInputProps('bidResult', { type: 'checkbox' })}
          />
        </Stack>
      </Stack>
      <Row justify="end" above={20}>
        <SubmitButton sending={sending} waitS={waitS}>
          {t('Add Emails')}
        </SubmitButton>
      </Row>
    </form>
  )
}
