import { QrCode } from '#ui/OneTimeSecret.tsx'
import { SubmitButton } from '#ui/FormParts.tsx'
import { PasswordField } from '#ui/PasswordField.tsx'
import { Button, Checkbox, CopyButton, TextInput } from '@mantine/core'
import { beginSecondFactor, confirmSecondFactor } from '@gridmast/contract/people/profile.ts'
import { type ReactNode, useState } from 'react'
import { IconCheck, IconCopy, IconDownload } from '@tabler/icons-react'
import { t } from '#lib/i18n.ts'
import { useCallForm } from '#lib/call-form.ts'
import { useUser } from '#lib/user.tsx'
import { Note, Row, Stack, Under } from '#ui/Layout.tsx'
import { useKeptPage } from '#lib/unsaved.ts'
import { saveFile } from '#lib/download.ts'
import classes from './security.module.css'

type Secret = { secret: string; uri: string }
type Props = { actions?: ReactNode; onDone: () => void }

export const SecondFactorSetup = ({ actions, onDone }: Props) => {
  const [secret, setSecret] = useState<Secret | null>(null)
  const [codes, setCodes] = useState<string[] | null>(null)
  if (codes) return <RecoveryCodes codes={codes} onDone={onDone} />
  if (secret) return <Confirm {...secret} actions={actions} onConfirmed={setCodes} />
  return <Begin actions={actions} onBegun={setSecret} />
}

const Begin = ({ actions, onBegun }: { actions: ReactNode; onBegun: (secret: Secret) => void }) => {
  const { email } = useUser()
  const { field, formProps, sending, waitS } = useCallForm(beginSecondFactor, {
    initial: { currentPassword: '' },
    onDone: onBegun,
  })
  return (
    <form className={classes.form} aria-label={t('Set up two-step sign-in')} {...formProps}>
      <Note ink="ink2">
        {t('An authenticator app on your phone shows a six-digit code, which you enter after your password.')}
      </Note>
      <input type="email" autoComplete="username" value={email} readOnly hidden />
      <PasswordField
        label={t('Current password')}
        autoComplete="current-password"
        data-autofocus
        {...field('currentPassword')}
      />
      <div className={classes.actions}>
        {actions}
        <SubmitButton sending={sending} waitS={waitS}>
          {t('Continue')}
        </SubmitButton>
      </div>
    </form>
  )
}

type ConfirmProps = Secret & { actions: ReactNode; onConfirmed: (codes: string[]) => void }

const Confirm = ({ secret, uri, actions, onConfirmed }: ConfirmProps) => {
  const { field, formProps, sending, waitS } = useCallForm(confirmSecondFactor, {
    initial: { code: '' },
    onDone: ({ recoveryCodes }) => onConfirmed(recoveryCodes),
  })
  return (
    <form className={classes.form} aria-label={t('Set up two-step sign-in')} {...formProps}>
      <Note ink="ink2">{t('Scan this with your authenticator app, then enter the code it shows.')}</Note>
      <QrCode text={uri} label={t('QR code for the authenticator app')} />
      <Stack as="p" gap={4} className={classes.secret}>
        <Under as="span">{t('Or enter this key in the app')}</Under>
        <code>{secret.replace(/(.{4})(?=.)/g, '$1 ')}</code>
      </Stack>
      <TextInput
        label={t('Code from the app')}
        inputMode="numeric"
        autoComplete="one-time-code"
        autoFocus
        maxLength={20}
        {...field('code')}
      />
      <div className={classes.actions}>
        {actions}
        <SubmitButton sending={sending} waitS={waitS}>
          {t('Turn on')}
        </SubmitButton>
      </div>
    </form>
  )
}

/** The codes are shown once, so continuing requires a tick. */
const RecoveryCodes = ({ codes, onDone }: { codes: string[]; onDone: () => void }) => {
  const [saved, setSaved] = useState(false)
  useKeptPage()
  const text = codes.join('\n')
  return (
    <Stack gap={14}>
      <Note ink="ink2">{t('If you lose your phone, each code replaces the app once. They are not shown again.')}</Note>
      <ul className={classes.codes} aria-label={t('Recovery codes')}>
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <Row gap={8} nowrap align="stretch">
        <CopyButton value={text}>
          {({ copied, copy }) => (
            <Button
              variant="default"
              onClick={copy}
              leftSection={copied ? <IconCheck aria-hidden /> : <IconCopy aria-hidden />}
            >
              {copied ? t('Copied') : t('Copy')}
            </Button>
          )}
        </CopyButton>
        <Button
          variant="default"
          leftSection={<IconDownload aria-hidden />}
          onClick={() => saveFile(new Blob([`${text}\n`], { type: 'text/plain' }), 'gridmast-recovery-codes.txt')}
        >
          {t('Download')}
        </Button>
      </Row>
      <Checkbox
        label={t('I have saved the codes')}
        checked={saved}
        onChange={(event) => setSaved(event.currentTarget.checked)}
      />
      <div className={classes.actions}>
        <Button disabled={!saved} onClick={onDone}>
          {t('Done')}
        </Button>
      </div>
    </Stack>
  )
}
