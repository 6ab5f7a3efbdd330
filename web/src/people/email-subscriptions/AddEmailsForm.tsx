import { Checkbox, Select, TagsInput } from '@mantine/core'
import { addEmailSubscriptions } from '@gridmast/contract/people/email-subscriptions.ts'
import type { EventType } from '@gridmast/contract/markets.ts'
import { limits } from '@gridmast/contract/limits.ts'
import { m } from '@gridmast/contract/messages.ts'
import type { Customer } from '@gridmast/contract/people/user.ts'
import { t, translateText } from '#lib/i18n.ts'
import { useCallForm } from '#lib/call-form.ts'
import { Stack } from '#ui/Layout.tsx'
import { SubmitButton } from '#ui/FormParts.tsx'
import classes from './email-subscriptions.module.css'

type Props = { eventType: EventType; instances: Customer['instances']; onAdded: () => void }

/** Several addresses at once; which of them is wrong, and why, stands under the field. */
export const AddEmailsForm = ({ eventType, instances, onAdded }: Props) => {
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
    <form aria-label={t('Add Emails')} {...formProps} className={classes.form}>
      <Stack gap={16}>
        <TagsInput
          label={t('Emails')}
          description={t('Type or paste one or more, up to {{n}}; Enter, a comma or a space ends each.', {
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
                  <span key={email} className={classes.wrong}>
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
        <fieldset className={classes.mails}>
          <legend>{t('What they are emailed')}</legend>
          <Checkbox
            label={t('Activation')}
            description={t('From a load of {{n}} percent, and every activation of aFRR.', {
              n: limits.toldFromPercent,
            })}
            {...form.getInputProps('activation', { type: 'checkbox' })}
          />
          <Checkbox
            label={t('Bid Result')}
            description={t('Whether a bid was won or lost.')}
            {...form.getInputProps('bidResult', { type: 'checkbox' })}
          />
        </fieldset>
      </Stack>
      <div className={classes.actions}>
        <SubmitButton sending={sending} waitS={waitS}>
          {t('Add Emails')}
        </SubmitButton>
      </div>
    </form>
  )
}
