import { IconAlertCircle, IconClockPause } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { t } from '#lib/i18n.ts'
import classes from './Banner.module.css'

type Props = { title: string; children?: ReactNode; onRetry?: () => void; retrying?: boolean }

export const ErrorBanner = ({ title, children, onRetry, retrying }: Props) => (
  <div className={classes.banner} data-kind="error" role="alert">
    <IconAlertCircle size={16} stroke={1.8} aria-hidden />
    <p>
      <b>{title}</b> {children}
    </p>
    {onRetry && (
      <button type="button" onClick={onRetry} disabled={retrying}>
        {t('Retry now')}
      </button>
    )}
  </div>
)

export const StaleBanner = ({ title, children }: { title: string; children?: ReactNode }) => (
  <div className={classes.banner} data-kind="stale" role="status">
    <IconClockPause size={16} stroke={1.8} aria-hidden />
    <p>
      <b>{title}</b> {children}
    </p>
  </div>
)
