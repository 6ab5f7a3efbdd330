import { Button, Checkbox, CopyButton } from '@mantine/core'
import { IconCheck, IconCopy, IconDownload } from '@tabler/icons-react'
import { useState } from 'react'
import { t } from '#lib/i18n.ts'
import { useKeptPage } from '#lib/unsaved.ts'
import { saveFile } from '#lib/download.ts'
import { Note, Row } from '#ui/Layout.tsx'
import classes from './profile.module.css'

/** Codes for a lost phone. They cannot be shown again, so going on takes a tick. */
export const RecoveryCodes = ({ codes, onDone }: { codes: string[]; onDone: () => void }) => {
  const [saved, setSaved] = useState(false)
  useKeptPage()
  const text = codes.join('\n')
  return (
    <div className={classes.form}>
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
    </div>
  )
}
