import { IconDots, IconSearch } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { t, translateText } from '#lib/i18n.ts'
import { palette, useNav } from './nav.ts'
import classes from './Shell.module.css'

const places = 3

export const BottomBar = ({ onMore }: { onMore: () => void }) => {
  const { sidebar } = useNav()
  return (
    <nav className={classes.bottomBar} aria-label={t('Quick navigation')}>
      {sidebar.slice(0, places).map((entry) => (
        <Link key={entry.key} {...entry.address} activeOptions={{ exact: entry.key === '/', includeSearch: false }}>
          <span>
            <entry.icon size={20} stroke={1.6} aria-hidden />
          </span>
          {translateText(entry.short)}
        </Link>
      ))}
      <button type="button" onClick={palette.open}>
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
