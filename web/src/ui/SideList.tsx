import { TextInput } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './SideList.module.css'

type Props = {
  title: string
  count: number
  /** To the right of the title. */
  action?: ReactNode
  /** Only the action is shown. */
  collapsed?: boolean
  search: { label: string; value: string; onChange: (text: string) => void }
  children: ReactNode
}

/** Longer lists have a search field. */
const searchedFrom = 8

/** A list that selects the content of the page. */
export const SideList = ({ title, count, action, collapsed = false, search, children }: Props) => (
  <nav className={classes.list} aria-label={title} data-collapsed={collapsed || undefined}>
    <header>
      {!collapsed && (
        <h2>
          {title} <span className="gm-num">{count}</span>
        </h2>
      )}
      {action}
    </header>
    {!collapsed && count >= searchedFrom && (
      <TextInput
        type="search"
        aria-label={search.label}
        placeholder={search.label}
        value={search.value}
        onChange={(event) => search.onChange(event.currentTarget.value)}
      />
    )}
    {!collapsed && children}
  </nav>
)
