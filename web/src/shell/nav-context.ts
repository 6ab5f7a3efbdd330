import { createContext, use } from 'react'
import type { Address, NavEntry } from './entries.ts'

/** The entries of one user. */
export type Nav = {
  sidebar: NavEntry[]
  profile: NavEntry[]
  /** Null when the user may open nothing. */
  home: Address | null
}

const NavContext = createContext<Nav>({ sidebar: [], profile: [], home: null })
export const NavProvider = NavContext.Provider

export const useNav = (): Nav => use(NavContext)
