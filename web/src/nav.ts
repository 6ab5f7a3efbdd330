import type { User } from '@gridmast/contract/user.ts'
import { flat, type NavEntry } from '#shell/entries.ts'
import type { Nav } from '#shell/nav-context.ts'
import { screenTable, type Screen } from './screen-table.ts'

const nowhere = { params: {}, search: {} }
const isOpen = (user: User, { gate }: Screen) => gate === undefined || gate(user, nowhere) === 'open'

/** The entries of one place that this person may open, each with what stands under it. */
const entriesIn = (user: User, home: Screen['in']): NavEntry[] =>
  screenTable.flatMap((screen) => {
    const { path, title, short, icon, entries } = screen
    if (screen.in !== home || !icon || !isOpen(user, screen)) return []
    const { words } = screen
    const children = path === '/insights' || path === '/cfm' ? entriesIn(user, path) : (entries?.(user) ?? [])
    // A group that holds nothing for this company leads nowhere.
    if (entries && children.length === 0) return []
    return [{ key: path, to: path, title, short: short ?? title, icon, children, ...(words ? { words } : {}) }]
  })

export const navOf = (user: User): Nav => {
  const sidebar = entriesIn(user, 'sidebar')
  const open = flat(sidebar).map(({ key }) => key)
  const home = ['/', '/cfmdashboard'].find((key) => open.includes(key)) ?? open[0] ?? null
  return { sidebar, profile: entriesIn(user, 'profile'), home }
}
