import { ActionIcon } from '@mantine/core'
import { formatDate, formatTime, zoneLabel } from '@gridmast/contract/time.ts'
import { IconMenu2, IconSearch } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { Suspense } from 'react'
import { useNow } from '#lib/clock.ts'
import { t, translateText } from '#lib/i18n.ts'
import { liveStatus } from '#lib/live.ts'
import { part } from '#lib/part.tsx'
import { accountsStore, tokenStore } from '#lib/session.ts'
import { useStore } from '#lib/store.ts'
import { StatusDot } from '#ui/Tag.tsx'
import { Bell } from './Bell.tsx'
import { useCurrentScreen } from './current-screen.ts'
import { flat, useNav, palette } from './nav.ts'
import { ProfileMenu } from './ProfileMenu.tsx'
import classes from './TopBar.module.css'

const HistoryNotice = part(async () => (await import('./HistoryNotice.tsx')).HistoryNotice)

export const TopBar = ({ title, onMenu }: { title: string; onMenu: () => void }) => (
  <header className={classes.bar}>
    <ActionIcon className={classes.menu ?? ''} size={36} aria-label={t('Open menu')} onClick={onMenu}>
      <IconMenu2 size={19} stroke={1.6} />
    </ActionIcon>
    <Crumb />
    <h1 className={classes.title}>{title}</h1>
    <button type="button" className={classes.search} onClick={palette.open}>
      <IconSearch size={16} stroke={1.8} aria-hidden />
      <span>{t('Search or jump to')}</span>
      <kbd>{navigator.platform.startsWith('Mac') ? '⌘ K' : 'Ctrl K'}</kbd>
    </button>
    <Suspense>
      <HistoryNotice />
    </Suspense>
    <RecentApps />
    <Clock />
    <Bell />
    <ProfileMenu />
  </header>
)

const Crumb = () => {
  const { path } = useCurrentScreen()
  const above = useNav().sidebar.find(({ children }) => children.some(({ key }) => key === path))
  return (
    above && (
      <Link {...above.address} className={classes.crumb}>
        {translateText(above.title)} <span aria-hidden>/</span>
      </Link>
    )
  )
}

const RecentApps = () => {
  const token = useStore(tokenStore)
  const { path } = useCurrentScreen()
  const { sidebar, profile } = useNav()
  const entries = flat([...sidebar, ...profile])
  const recent = useStore(accountsStore).find((a) => a.token === token)?.recentApps ?? []
  const recentEntries = recent.flatMap((app) => entries.find(({ key }) => key === app && app !== path) ?? [])
  if (recentEntries.length === 0) return null
  return (
    <nav className={classes.recent} aria-label={t('Recent apps')}>
      {recentEntries.map((entry) => (
        <Link
          key={entry.key}
          {...entry.address}
          className={classes.named}
          aria-label={translateText(entry.title)}
          data-tip={translateText(entry.title)}
        >
          <entry.icon size={17} stroke={1.6} aria-hidden />
          <span>{translateText(entry.short)}</span>
        </Link>
      ))}
    </nav>
  )
}

const freshness = {
  open: { status: 'fresh', words: 'Live data' },
  connecting: { status: 'stale', words: 'Reconnecting to live data' },
  off: { status: 'off', words: 'No live data' },
} as const

/** A component of its own, so that only these words render every second. */
const Clock = () => {
  const now = useNow(1000)
  const { status, words } = freshness[useStore(liveStatus)]
  return (
    <div className={classes.clock}>
      <span data-tip={t(words)} className={classes.freshness}>
        <StatusDot status={status} label={t(words)} />
      </span>
      <span className={classes.date}>{formatDate(now)}</span>
      <time role="timer" aria-label={t('Time in Denmark')} dateTime={new Date(now).toISOString()}>
        <b>{formatTime(now)}</b> <span className={classes.zone}>{zoneLabel(now)}</span>
      </time>
    </div>
  )
}
