import type { User } from '@gridmast/contract/people/user.ts'
import { flat, type NavEntry, type Nav } from '#shell/nav.ts'
import type { Home, Screen } from '#portal/screens/screen.ts'
import { screens, type ScreenPath } from '#portal/screens/table.ts'

const nowhere = { params: {}, search: {} }
type Plain = Exclude<ScreenPath, `${string}$${string}`>
const isPlain = (path: string): path is Plain => Object.hasOwn(screens, path) && !path.includes('$')
const paths = Object.keys(screens).filter(isPlain)

/** The entries of one place that this person may open, each with what stands under it. */
const entriesIn = (user: User, home: Home): NavEntry[] =>
  paths.flatMap((path) => {
    const screen: Screen = screens[path]
    const { title, short, icon, entries, words, gate } = screen
    if (screen.in !== home || !icon || (gate && gate(user, nowhere) !== 'open')) return []
    const children = path === '/insights' || path === '/cfm' ? entriesIn(user, path) : (entries?.(user) ?? [])
    // A group that holds nothing for this company leads nowhere.
    if (entries && children.length === 0) return []
    const address = { to: path }
    return [{ key: path, address, title, short: short ?? title, icon, children, ...(words ? { words } : {}) }]
  })

export const navOf = (user: User): Nav => {
  const sidebar = entriesIn(user, 'sidebar')
  const open = flat(sidebar)
  const home =
    open.find(({ address }) => address.to === '/') ??
    open.find(({ address }) => address.to === '/cfmdashboard') ??
    open[0]
  return { sidebar, profile: entriesIn(user, 'profile'), home: home?.address ?? null }
}
