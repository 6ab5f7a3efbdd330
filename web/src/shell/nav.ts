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

const longestTyped = 100
let early: { text: string; ended: AbortController } | null = null

/** Ends the wait for the field of the palette, and returns what was typed meanwhile. */
const takeTyped = (): string => {
  const { text = '', ended } = early ?? {}
  ended?.abort()
  early = null
  return text
}

const keepTyped = () => {
  const typed = { text: '', ended: new AbortController() }
  early = typed
  const keep = (event: KeyboardEvent) => {
    const { key, ctrlKey, metaKey, altKey, isComposing } = event
    if (ctrlKey || metaKey || altKey || isComposing) return
    if (key === 'Escape') palette.close()
    else if (key === 'Backspace') typed.text = typed.text.slice(0, -1)
    else if (key.length === 1) typed.text = (typed.text + key).slice(0, longestTyped)
    else if (key !== 'Enter') return // Enter is for the palette and must not press what has the focus
    event.preventDefault()
    event.stopPropagation()
  }
  addEventListener('keydown', keep, { capture: true, signal: typed.ended.signal })
}

export const palette = {
  open: () => {
    if (!paletteStore.get()) keepTyped()
    paletteStore.set(true)
  },
  close: () => {
    takeTyped()
    paletteStore.set(false)
  },
  takeTyped,
}
