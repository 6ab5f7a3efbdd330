import { createContext, use } from 'react'
import type { Address, NavEntry } from './entries.ts'

/** The places of one person. */
export type Nav = {
  sidebar: NavEntry[]
  profile: NavEntry[]
  /** Where Home leads; null when nothing is open to this person. */
  home: Address | null
}

const NavContext = createContext<Nav>({ sidebar: [], profile: [], home: null })
export const NavProvider = NavContext.Provider

export const useNav = (): Nav => use(NavContext)
