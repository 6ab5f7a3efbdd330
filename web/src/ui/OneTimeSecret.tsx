import { Button, Checkbox, CopyButton, Group, ActionIcon } from '@mantine/core'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { encode } from 'uqr'
import { t } from '#lib/i18n.ts'
import { useKeptPage } from '#lib/unsaved.ts'
import { Note, Row, Stack, Text } from './Layout.tsx'
import classes from './OneTimeSecret.module.css'
import { Dialog } from './Dialog.tsx'

export const Code = ({ code, label, copy = true }: { code: string; label: string; copy?: boolean }) => (
  <div className={classes.code}>
    {/* Focusable, because long lines scroll. */}
    {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
    <pre tabIndex={0} role="region" aria-label={label}>
      <code>{code}</code>
    </pre>
    {copy && (
      <CopyButton value={code}>
        {({ copied, copy: copyNow }) => (
          <ActionIcon
            data-tip={copied ? t('Copied') : t('Copy')}
            className={classes.copy ?? ''}
            aria-label={copied ? t('Copied') : `${t('Copy')}: ${label}`}
            onClick={copyNow}
          >
            {copied ? <IconCheck size={16} stroke={1.8} /> : <IconCopy size={16} stroke={1.8} />}
          </ActionIcon>
        )}
      </CopyButton>
    )}
  </div>
)

/** One path, always dark on white: cameras need it, whatever the theme. */
export const QrCode = ({ text, label }: { text: string; label: string }) => {
  const { data, size } = encode(text, { border: 4 })
  const path = data.flatMap((row, y) => row.flatMap((dark, x) => (dark ? [`M${x} ${y}h1v1h-1z`] : []))).join('')
  return (
    <svg
      style={{ width: 196, marginInline: 'auto', borderRadius: 8 }}
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label={label}
      shapeRendering="crispEdges"
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  )
}

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
      <Note ink="ink2">{words}</Note>
      <div>
        <Text as="div" below={4} ink="ink2" size="label" weight="medium">
          {label}
        </Text>
        <Row gap={8} nowrap>
          <code className={classes.secret}>{secret}</code>
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
        </Row>
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
