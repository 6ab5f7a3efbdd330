import { spotlight } from '@mantine/spotlight'
import { IconDots, IconSearch } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import classes from './BottomBar.module.css'
import type { NavEntry } from './entries.ts'

const places = 3

/** Phones: the first places of the sidebar under the thumb, then search and the rest. */
export const BottomBar = ({ entries, onMore }: { entries: NavEntry[]; onMore: () => void }) => {
  const { t } = useTranslation()
  return (
    <nav className={classes.bar} aria-label={t('Quick navigation')}>
      {entries.slice(0, places).map(({ path, short, icon: Icon }) => (
        <Link key={path} to={path} activeOptions={{ exact: true, includeSearch: false }}>
          <span>
            <Icon size={20} stroke={1.6} aria-hidden />
          </span>
          {t(short)}
        </Link>
      ))}
      <button type="button" onClick={spotlight.open}>
        <span>
          <IconSearch size={20} stroke={1.6} aria-hidden />
        </span>
        {t('Search')}
      </button>
      <button type="button" onClick={onMore}>
        <span>
          <IconDots size={20} stroke={1.6} aria-hidden />
        </span>
        {t('More')}
      </button>
    </nav>
  )
}
