import type { RegisteredRouter } from '@tanstack/react-router'
import type { Icon } from '@tabler/icons-react'
import { createContext, use } from 'react'
import { createStore } from '#lib/store.ts'

type ById = RegisteredRouter['routesById']
type Routes = { [Id in keyof ById as Id extends `/shell${infer P extends `/${string}`}` ? P : never]: ById[Id] }
type Path = keyof Routes
type SearchOf<P extends Path> = Routes[P]['types']['fullSearchSchema']

/** A path without parameters. */
export type PlainPath = Exclude<Path, `${string}$${string}`>
export type Address =
  | { to: PlainPath; params?: undefined; search?: undefined }
  | { [P in PlainPath]: { to: P; params?: undefined; search: SearchOf<P> } }[PlainPath]
  | { [P in Path]: { to: P; params: Routes[P]['types']['allParams']; search?: SearchOf<P> } }[Path]

export type NavEntry = {
  /** The pathname, which is also the key of recent apps. */
  key: string
  address: Address
  title: string
  short: string
  icon: Icon
  words?: string
  children: NavEntry[]
}

export const flat = (entries: readonly NavEntry[]): NavEntry[] =>
  entries.flatMap((entry) => [entry, ...flat(entry.children)])

export type Nav = { sidebar: NavEntry[]; profile: NavEntry[]; home: Address | null }

const NavContext = createContext<Nav>({ sidebar: [], profile: [], home: null })
export const NavProvider = NavContext.Provider

export const useNav = (): Nav => use(NavContext)

export const paletteStore = createStore(false)
export const palette = { open: () => paletteStore.set(true), close: () => paletteStore.set(false) }
