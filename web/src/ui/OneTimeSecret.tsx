import { Button, Checkbox, CopyButton, Group } from '@mantine/core'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { t } from '#lib/i18n.ts'
import { useKeptPage } from '#lib/kept-page.ts'
import { Stack } from './Layout.tsx'
import classes from './OneTimeSecret.module.css'

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
