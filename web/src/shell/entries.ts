import type { User } from '@gridmast/contract/user.ts'
import type { Icon } from '@tabler/icons-react'

export type Gate = (user: User) => true | { redirect: string } | 'not authorized'

/** A place that the sidebar, the palette and recent apps know. */
export type NavEntry = { path: string; title: string; short: string; icon: Icon; gate: Gate }
