import { ActionIcon, Tooltip } from '@mantine/core'
import { spotlight } from '@mantine/spotlight'
import { formatDate, formatTime, zoneLabel } from '@gridmast/contract/time.ts'
import { IconMenu2, IconSearch } from '@tabler/icons-react'
import { Link, useRouterState } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useNow } from '#lib/clock.ts'
import { liveStatus } from '#lib/live.ts'
import { accountsStore, tokenStore } from '#lib/session.ts'
import { useStore } from '#lib/store.ts'
import { StatusDot } from '#ui/StatusDot.tsx'
import { Bell } from './Bell.tsx'
import type { NavEntry } from './entries.ts'
import { ProfileMenu } from './ProfileMenu.tsx'
import classes from './TopBar.module.css'

export const TopBar = ({ title, entries, onMenu }: { title: string; entries: NavEntry[]; onMenu: () => void }) => {
  const { t } = useTranslation()
  return (
    <header className={classes.bar}>
      <ActionIcon className={classes.menu ?? ''} size={36} aria-label={t('Open menu')} onClick={onMenu}>
        <IconMenu2 size={19} stroke={1.6} />
      </ActionIcon>
      <h1 className={classes.title}>{title}</h1>
      <button type="button" className={classes.search} onClick={spotlight.open}>
        <IconSearch size={16} stroke={1.8} aria-hidden />
        <span>{t('Search or jump to')}</span>
        <kbd>{navigator.platform.startsWith('Mac') ? '⌘ K' : 'Ctrl K'}</kbd>
      </button>
      <RecentApps entries={entries} />
      <Clock />
      <Bell />
      <ProfileMenu />
    </header>
  )
}

const RecentApps = ({ entries }: { entries: NavEntry[] }) => {
  const { t } = useTranslation()
  const token = useStore(tokenStore)
  const path = useRouterState({ select: (state) => state.location.pathname })
  const recent = useStore(accountsStore).find((a) => a.token === token)?.recentApps ?? []
  const known = recent.flatMap((app) => entries.find((entry) => entry.path === app && app !== path) ?? [])
  if (known.length === 0) return null
  return (
    <nav className={classes.recent} aria-label={t('Recent apps')}>
      {known.map(({ path: to, title, icon: Icon }) => (
        <Tooltip key={to} label={t(title)}>
          <ActionIcon component={Link} to={to} size={32} aria-label={t(title)}>
            <Icon size={17} stroke={1.6} />
          </ActionIcon>
        </Tooltip>
      ))}
    </nav>
  )
}

const freshness = {
  open: { status: 'fresh', words: 'Live data' },
  connecting: { status: 'stale', words: 'Reconnecting to live data' },
  off: { status: 'off', words: 'No live data' },
} as const

/** Ticks alone: only these few words are rendered each second. */
const Clock = () => {
  const { t } = useTranslation()
  const now = useNow(1000)
  const { status, words } = freshness[useStore(liveStatus)]
  return (
    <div className={classes.clock}>
      <Tooltip label={t(words)}>
        <span className={classes.freshness}>
          <StatusDot status={status} label={t(words)} />
        </span>
      </Tooltip>
      <span className={classes.date}>{formatDate(now)}</span>
      <time role="timer" aria-label={t('Time in Denmark')} dateTime={new Date(now).toISOString()}>
        <b>{formatTime(now)}</b> {zoneLabel(now)}
      </time>
    </div>
  )
}
