import { IconDots, IconSearch } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { t, translateText } from '#lib/i18n.ts'
import { palette } from './palette-store.ts'
import classes from './BottomBar.module.css'
import { useNav } from './nav-context.ts'

const places = 3

/** The first places of the sidebar on phones, then search and more. */
export const BottomBar = ({ onMore }: { onMore: () => void }) => {
  const { sidebar } = useNav()
  return (
    <nav className={classes.bar} aria-label={t('Quick navigation')}>
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
