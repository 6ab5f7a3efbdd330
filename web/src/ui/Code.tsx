import { ActionIcon, CopyButton, Tooltip } from '@mantine/core'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { t } from '#lib/i18n.ts'
import classes from './OneTimeSecret.module.css'

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
          <Tooltip label={copied ? t('Copied') : t('Copy')}>
            <ActionIcon
              className={classes.copy ?? ''}
              aria-label={copied ? t('Copied') : `${t('Copy')}: ${label}`}
              onClick={copyNow}
            >
              {copied ? <IconCheck size={16} stroke={1.8} /> : <IconCopy size={16} stroke={1.8} />}
            </ActionIcon>
          </Tooltip>
        )}
      </CopyButton>
    )}
  </div>
)
