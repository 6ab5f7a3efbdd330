import { type ComponentProps, type KeyboardEvent, type ReactNode, useRef } from 'react'
import { Popover } from './Popover.tsx'
import classes from './Popover.module.css'

type Props = Pick<ComponentProps<typeof Popover>, 'target' | 'align' | 'className' | 'onChange' | 'children'> & {
  /** Stays open after a choice. */
  stays?: boolean
}

const items = '[role^=menuitem]:not(:disabled)'

/** Up, Down, Home and End move, the first letter of an item finds it, Tab closes. */
const move = (event: KeyboardEvent<HTMLElement>) => {
  const list = [...event.currentTarget.querySelectorAll<HTMLElement>(items)]
  const at = list.findIndex((item) => item === document.activeElement)
  const startsWith = (item: HTMLElement) => item.textContent.trim().toLowerCase().startsWith(event.key.toLowerCase())
  const next: Record<string, HTMLElement | undefined> = {
    ArrowDown: list[at + 1] ?? list[0],
    ArrowUp: list[at - 1] ?? list.at(-1),
    Home: list[0],
    End: list.at(-1),
  }
  if (event.key === 'Tab') event.currentTarget.hidePopover()
  const isLetter = event.key.length === 1 && event.key !== ' ' && !event.ctrlKey && !event.metaKey
  const found = isLetter ? [...list.slice(at + 1), ...list].find(startsWith) : next[event.key]
  if (!found) return
  event.preventDefault()
  found.focus()
}

export const Menu = ({ stays = false, ...props }: Props) => {
  const menu = useRef<HTMLDivElement>(null)
  const label = (props.target.props as { 'aria-label'?: string })['aria-label']
  return (
    <Popover
      {...props}
      ref={menu}
      role="menu"
      label={label}
      onKeyDown={move}
      onClick={() => !stays && menu.current?.hidePopover()}
    />
  )
}

type ItemProps = Omit<ComponentProps<'button'>, 'children'> & {
  icon?: ReactNode
  end?: ReactNode
  children?: ReactNode
}

export const MenuItem = ({ icon, end, children, ...props }: ItemProps) => (
  <button {...props} type="button" role="menuitem" tabIndex={-1} className={classes.item}>
    {icon}
    <span>{children}</span>
    {end}
  </button>
)

export const MenuDivider = () => <hr className={classes.divider} />

export const MenuLabel = ({ children }: { children: ReactNode }) => (
  <div className={classes.label} role="presentation">
    {children}
  </div>
)
