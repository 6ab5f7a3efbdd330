import { SubmitButton } from '#ui/FormParts.tsx'
import { TextInput, Textarea } from '@mantine/core'
import { requestAccount } from '@gridmast/contract/people/auth.ts'
import { useState } from 'react'
import { t } from '#lib/i18n.ts'
import { useCallForm } from '#lib/call-form.ts'
import { AuthFrame, BackToSignIn } from './AuthFrame.tsx'

const RequestAccount = () => {
  const [isSent, setIsSent] = useState(false)
  if (isSent)
    return (
      <AuthFrame title={t('Your request is sent')} lead={t('Thank you. We will reply by email.')}>
        <p role="status">
          <BackToSignIn />
        </p>
      </AuthFrame>
    )
  return (
    <AuthFrame
      title={t('Request an account')}
      lead={t('Enter your details, and we will open an account for your company.')}
      under={<BackToSignIn />}
    >
      <RequestForm onSent={() => setIsSent(true)} />
    </AuthFrame>
  )
}

const RequestForm = ({ onSent }: { onSent: () => void }) => {
  const { field, formProps, sending, waitS } = useCallForm(requestAccount, {
    initial: { name: '', company: '', email: '', message: '' },
    onDone: onSent,
  })
  return (
    <form aria-label={t('Request an account')} {...formProps}>
      <TextInput size="lg" label={t('Name')} autoComplete="name" autoFocus {...field('name')} />
      <TextInput size="lg" label={t('Company')} autoComplete="organization" {...field('company')} />
      <TextInput size="lg" label={t('Email')} type="email" autoComplete="email" {...field('email')} />
      <Textarea
        label={t('Message')}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        {...field('message')}
      />
      <SubmitButton size="lg" fullWidth sending={sending} waitS={waitS}>
        {t('Send request')}
      </SubmitButton>
    </form>
  )
}

export default RequestAccount
