import { ActionIcon } from '@mantine/core'
import { limits } from '@gridmast/contract/limits.ts'
import { IconLogout, IconPin, IconPinFilled, IconChevronRight, IconDots, IconSearch, IconX } from '@tabler/icons-react'
import { useEffect, useRef, useState, useId } from 'react'
import { Link } from '@tanstack/react-router'
import { t, translateText } from '#lib/i18n.ts'
import { usePhone } from '#lib/phone.ts'
import { deviceStorage } from '#lib/store.ts'
import { useUser } from '#lib/user.tsx'
import { initialsOf } from '#ui/Avatar.tsx'
import { useCurrentScreen } from './current-screen.ts'
import { useNav, type NavEntry, palette } from './nav.ts'
import classes from './Sidebar.module.css'
import { useLogout } from './useLogout.ts'

const quickLinks = 3

export const BottomBar = ({ onMore }: { onMore: () => void }) => {
  const { sidebar } = useNav()
  return (
    <nav className={classes.bottomBar} aria-label={t('Quick navigation')}>
      {sidebar.slice(0, quickLinks).map((entry) => (
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

type LinkProps = { entry: NavEntry; onChoose: () => void }

const SidebarLink = ({
  entry,
  onChoose,
  isCurrent,
  isChild,
}: LinkProps & { isCurrent?: boolean; isChild?: boolean }) => (
  <Link
    {...entry.address}
    className={classes.link}
    data-current={isCurrent || undefined}
    activeOptions={{ exact: true, includeSearch: false }}
    onClick={(event) => (event.stopPropagation(), onChoose())}
  >
    {!isChild && <entry.icon size={19} stroke={1.6} aria-hidden />}
    <span className={classes.name}>{translateText(entry.title)}</span>
  </Link>
)

const SidebarGroup = ({ entry, wide, onChoose }: LinkProps & { wide: boolean }) => {
  const id = useId()
  const { path } = useCurrentScreen()
  const isParent = entry.children.some(({ key }) => key === path)
  const [chosen, setChosen] = useState<boolean | null>(null)
  const open = wide && (chosen ?? isParent)
  return (
    <li>
      <div className={classes.group}>
        <SidebarLink entry={entry} onChoose={onChoose} isCurrent={isParent && !open} />
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
            <SidebarLink entry={child} onChoose={onChoose} isChild />
          </li>
        ))}
      </ul>
    </li>
  )
}

const pinnedKey = 'GM_SIDEBAR'

export const usePinned = (): [boolean, (pinned: boolean) => void] => {
  const [pinned, setPinned] = useState(() => deviceStorage.read(pinnedKey) === 'pinned')
  const choose = (next: boolean) => {
    deviceStorage.write(pinnedKey, next ? 'pinned' : null)
    setPinned(next)
  }
  return [pinned, choose]
}

type Props = {
  pinned: boolean
  onPin: (pinned: boolean) => void
  drawer: boolean
  onDrawer: (open: boolean) => void
}

export const Sidebar = ({ pinned, onPin, drawer, onDrawer }: Props) => {
  const phone = usePhone()
  const [opened, setOpened] = useState(false)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const wide = pinned || opened

  const close = () => {
    clearTimeout(timer.current)
    setOpened(false)
  }

  if (phone) return drawer && <Drawer onClose={() => onDrawer(false)} />

  return (
    // Hover and click only widen the bar; everything in it works without them.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions
    <nav
      className={classes.sidebar}
      aria-label={t('Main navigation')}
      data-open={wide || undefined}
      data-over={(opened && !pinned) || undefined}
      // A page that appears under a resting pointer fires mouseenter, but not mousemove.
      onMouseMove={() => {
        timer.current ??= setTimeout(() => setOpened(true), limits.sidebarHoverMs)
      }}
      onMouseLeave={() => {
        close()
        timer.current = undefined
      }}
      onClick={() => setOpened(true)}
      onFocus={(event) => event.target.matches(':focus-visible') && setOpened(true)}
      onBlur={(event) => !event.currentTarget.contains(event.relatedTarget) && close()}
      onKeyDown={(event) => event.key === 'Escape' && close()}
    >
      <Head />
      {wide && (
        <ActionIcon
          data-tip={pinned ? t('Unpin the sidebar') : t('Pin the sidebar')}
          className={classes.pin ?? ''}
          aria-label={pinned ? t('Unpin the sidebar') : t('Pin the sidebar')}
          aria-pressed={pinned}
          onClick={(event) => (event.stopPropagation(), onPin(!pinned), setOpened(false))}
        >
          {pinned ? <IconPinFilled size={16} /> : <IconPin size={16} stroke={1.8} />}
        </ActionIcon>
      )}
      <Links wide={wide} onChoose={close} />
    </nav>
  )
}

const Drawer = ({ onClose }: { onClose: () => void }) => {
  const drawer = useRef<HTMLDialogElement>(null)
  useEffect(() => drawer.current?.showModal(), [])
  return (
    <dialog ref={drawer} className={classes.drawer} aria-label="Gridmast" onClose={onClose} {...{ closedby: 'any' }}>
      <div className={classes.drawerHead}>
        <b>Gridmast</b>
        <ActionIcon aria-label={t('Close')} onClick={onClose}>
          <IconX size={18} stroke={1.8} />
        </ActionIcon>
      </div>
      <nav className={classes.inDrawer} aria-label={t('Main navigation')}>
        <Links wide onChoose={onClose} />
      </nav>
    </dialog>
  )
}

const Head = () => {
  const { customerId } = useUser()
  return (
    <div className={classes.head}>
      <span className={classes.logo} aria-hidden>
        {customerId.logo ? <img src={customerId.logo} alt="" /> : initialsOf(customerId.name)}
      </span>
      <span className={classes.name}>{customerId.name}</span>
    </div>
  )
}

const Links = ({ wide, onChoose }: { wide: boolean; onChoose: () => void }) => {
  const { sidebar } = useNav()
  const logout = useLogout()
  return (
    <>
      <ul className={classes.links}>
        {sidebar.map((entry) =>
          entry.children.length > 0 ? (
            <SidebarGroup key={entry.key} entry={entry} wide={wide} onChoose={onChoose} />
          ) : (
            <li key={entry.key}>
              <SidebarLink entry={entry} onChoose={onChoose} />
            </li>
          ),
        )}
      </ul>
      <button type="button" className={classes.link} onClick={(event) => (event.stopPropagation(), logout())}>
        <IconLogout size={19} stroke={1.6} aria-hidden />
        <span className={classes.name}>{t('Logout')}</span>
      </button>
    </>
  )
}
