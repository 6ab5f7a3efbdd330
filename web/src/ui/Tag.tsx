import type { ReactNode } from 'react'
import classes from './Tag.module.css'
import { formatDateTime, formatTime, minuteMs } from '@gridmast/contract/time.ts'
import { t } from '#lib/i18n.ts'
import { useAgeOver, useSeen } from '#lib/clock.ts'

export const ageText = (ms: number): string => {
  const minutes = Math.floor(ms / minuteMs)
  if (minutes < 60) return t('{{n}} min ago', { n: minutes })
  const hours = Math.floor(minutes / 60)
  return hours < 48 ? t('{{n}} h ago', { n: hours }) : t('{{count}} days ago', { count: Math.floor(hours / 24) })
}

type Props = {
  at: number | null
  staleAfterMs?: number | undefined
  brief?: boolean
}

/** `Last Reported: …` with a circle while fresh; a diamond and the age once stale. */
export const LastReported = ({ at: stamped, staleAfterMs, brief = false }: Props) => {
  // The clock of an edge may be minutes ahead.
  const at = useSeen(stamped)
  const age = useAgeOver(() => at, staleAfterMs ?? Infinity)
  const stale = age !== null
  const status = at === null ? 'off' : stale ? 'stale' : 'fresh'
  return (
    <span style={{ display: 'inline-flex', alignItems: 'center', gap: 8 }}>
      <StatusDot status={status} />
      <span className="gm-num">
        <span className={brief ? 'gm-hidden' : ''}>{t('Last Reported:')} </span>
        {at === null ? '–' : brief ? formatTime(at) : formatDateTime(at)}
        {stale && ` · ${t('Stale')}, ${ageText(age)}`}
      </span>
    </span>
  )
}

export type Status = 'fresh' | 'stale' | 'failed' | 'off'

/** State by shape and colour: circle, diamond, square, ring. */
export const StatusDot = ({ status, label }: { status: Status; label?: string }) => (
  <span
    className={classes.dot}
    data-status={status}
    {...(label ? { role: 'img', 'aria-label': label } : { 'aria-hidden': true })}
  />
)

export type TagKind = 'plain' | 'outline' | 'up' | 'down' | 'warn' | 'brand'

/** A short state or name, whose meaning never depends on the colour alone. */
export const Tag = ({ kind = 'plain', icon, children }: { kind?: TagKind; icon?: ReactNode; children: ReactNode }) => (
  <span className={classes.tag} data-kind={kind}>
    {icon}
    {children}
  </span>
)
