import { Button, Checkbox, CopyButton, Group } from '@mantine/core'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { t } from '#lib/i18n.ts'
import { useKeptPage } from '#lib/unsaved.ts'
import { Stack } from './Layout.tsx'
import classes from './OneTimeSecret.module.css'
import { Dialog } from './Dialog.tsx'

type SecretDialogProps<Secret> = {
  opened: boolean
  title: string
  secretTitle: string
  onClose: () => void
  renderForm: (onSecret: (secret: Secret) => void) => ReactNode
  renderSecret: (secret: Secret) => ReactNode
}

/** A form that creates a secret, then the secret, which only its own button closes; closing removes it. */
export const SecretDialog = <Secret,>({
  opened,
  title,
  secretTitle,
  onClose,
  renderForm,
  renderSecret,
}: SecretDialogProps<Secret>) => {
  const [isSecretStep, setSecretStep] = useState(false)
  return (
    <Dialog
      opened={opened}
      onClose={onClose}
      onExitTransitionEnd={() => setSecretStep(false)}
      size={560}
      title={isSecretStep ? secretTitle : title}
      withCloseButton={!isSecretStep}
      closeOnEscape={!isSecretStep}
      closeOnClickOutside={!isSecretStep}
    >
      <Steps renderForm={renderForm} renderSecret={renderSecret} onSecret={() => setSecretStep(true)} />
    </Dialog>
  )
}

type StepsProps<Secret> = Pick<SecretDialogProps<Secret>, 'renderForm' | 'renderSecret'> & { onSecret: () => void }

const Steps = <Secret,>({ renderForm, renderSecret, onSecret }: StepsProps<Secret>) => {
  const [secret, setSecret] = useState<Secret | null>(null)
  if (secret !== null) return renderSecret(secret)
  return renderForm((next) => {
    setSecret(next)
    onSecret()
  })
}

type Props = { label: string; secret: string; words: string; children?: ReactNode; onDone: () => void }

/** The secret is shown once, so continuing requires a tick. */
export const OneTimeSecret = ({ label, secret, words, children, onDone }: Props) => {
  const [saved, setSaved] = useState(false)
  useKeptPage()
  return (
    <Stack gap={14}>
      <p className={classes.words}>{words}</p>
      <div className={classes.secret}>
        <span>{label}</span>
        <div>
          <code>{secret}</code>
          <CopyButton value={secret}>
            {({ copied, copy }) => (
              <Button
                variant="default"
                data-autofocus
                onClick={copy}
                leftSection={copied ? <IconCheck aria-hidden /> : <IconCopy aria-hidden />}
              >
                {copied ? t('Copied') : t('Copy')}
              </Button>
            )}
          </CopyButton>
        </div>
      </div>
      {children}
      <Group justify="space-between" gap={12}>
        <Checkbox
          label={t('I have saved it')}
          checked={saved}
          onChange={(event) => setSaved(event.currentTarget.checked)}
        />
        <Button disabled={!saved} onClick={onDone}>
          {t('Done')}
        </Button>
      </Group>
    </Stack>
  )
}
