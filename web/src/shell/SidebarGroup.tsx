import { IconChevronRight } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useId, useState } from 'react'
import { t, translateText } from '#lib/i18n.ts'
import { type NavEntry } from './entries.ts'
import { useCurrentScreen } from './current-screen.ts'
import classes from './Sidebar.module.css'

type Props = { entry: NavEntry; onChoose: () => void }

export const SidebarLink = ({ entry, onChoose, here }: Props & { here?: boolean }) => (
  <Link
    {...entry.address}
    className={classes.link}
    data-here={here || undefined}
    activeOptions={{ exact: true, includeSearch: false }}
    onClick={(event) => (event.stopPropagation(), onChoose())}
  >
    <entry.icon size={19} stroke={1.6} aria-hidden />
    <span className={classes.name}>{translateText(entry.title)}</span>
  </Link>
)

/** A collapsible group, initially open when it contains the current screen. */
export const SidebarGroup = ({ entry, wide, onChoose }: Props & { wide: boolean }) => {
  const id = useId()
  const { path } = useCurrentScreen()
  const holdsPath = entry.children.some(({ key }) => key === path)
  const [chosen, setChosen] = useState<boolean | null>(null)
  const open = wide && (chosen ?? holdsPath)
  return (
    <li>
      <div className={classes.group}>
        <SidebarLink entry={entry} onChoose={onChoose} here={holdsPath && !open} />
        {wide && (
          <button
            type="button"
            className={classes.fold}
            aria-expanded={open}
            aria-controls={id}
            aria-label={t('Under {{title}}', { title: translateText(entry.title) })}
            onClick={(event) => (event.stopPropagation(), setChosen(!open))}
          >
            <IconChevronRight size={16} stroke={1.8} aria-hidden />
          </button>
        )}
      </div>
      <ul id={id} className={classes.under} hidden={!open}>
        {entry.children.map((child) => (
          <li key={child.key}>
            <Link
              {...child.address}
              className={classes.link}
              activeOptions={{ exact: true, includeSearch: false }}
              onClick={(event) => (event.stopPropagation(), onChoose())}
            >
              <span className={classes.name}>{translateText(child.title)}</span>
            </Link>
          </li>
        ))}
      </ul>
    </li>
  )
}
