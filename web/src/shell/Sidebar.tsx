import { ActionIcon, Drawer, Tooltip } from '@mantine/core'
import { limits } from '@gridmast/contract/limits.ts'
import { IconLogout, IconPin, IconPinFilled } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { t } from '#lib/i18n.ts'
import { useUser } from '#lib/user.tsx'
import { usePhone } from '#lib/phone.ts'
import { initialsOf } from '#lib/initials.ts'
import { useNav } from './nav-context.ts'
import classes from './Sidebar.module.css'
import { SidebarGroup, SidebarLink } from './SidebarGroup.tsx'
import { useLogout } from './useLogout.ts'

type Props = {
  pinned: boolean
  onPin: (pinned: boolean) => void
  drawer: boolean
  onDrawer: (open: boolean) => void
}

/** Icons that expand to names after 500 ms of hover, on click, or on focus; a drawer on phones. */
export const Sidebar = ({ pinned, onPin, drawer, onDrawer }: Props) => {
  const phone = usePhone()
  const [opened, setOpened] = useState(false)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const wide = pinned || opened

  const close = () => {
    clearTimeout(timer.current)
    setOpened(false)
  }

  if (phone)
    return (
      <Drawer
        opened={drawer}
        onClose={() => onDrawer(false)}
        size={280}
        padding={12}
        title="Gridmast"
        closeButtonProps={{ 'aria-label': t('Close') }}
      >
        <nav className={classes.inDrawer} aria-label={t('Main navigation')}>
          <Links wide onChoose={() => onDrawer(false)} />
        </nav>
      </Drawer>
    )

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
        <Tooltip label={pinned ? t('Unpin the sidebar') : t('Pin the sidebar')}>
          <ActionIcon
            className={classes.pin ?? ''}
            aria-label={pinned ? t('Unpin the sidebar') : t('Pin the sidebar')}
            aria-pressed={pinned}
            onClick={(event) => (event.stopPropagation(), onPin(!pinned), setOpened(false))}
          >
            {pinned ? <IconPinFilled size={16} /> : <IconPin size={16} stroke={1.8} />}
          </ActionIcon>
        </Tooltip>
      )}
      <Links wide={wide} onChoose={close} />
    </nav>
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
