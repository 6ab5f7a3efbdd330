import type { RegisteredRouter } from '@tanstack/react-router'
import type { Icon } from '@tabler/icons-react'

type ById = RegisteredRouter['routesById']
type Routes = { [Id in keyof ById as Id extends `/shell${infer P extends `/${string}`}` ? P : never]: ById[Id] }
type Path = keyof Routes
type SearchOf<P extends Path> = Routes[P]['types']['fullSearchSchema']

/** A path without parameters. */
export type PlainPath = Exclude<Path, `${string}$${string}`>
/** A path with its parameters and optional URL parameters. */
export type Address =
  | { to: PlainPath; params?: undefined; search?: undefined }
  | { [P in Path]: { to: P; params: Routes[P]['types']['allParams']; search?: SearchOf<P> } }[Path]

/** An entry of the sidebar, the palette and recent apps. */
export type NavEntry = {
  /** The pathname, which is also the key of recent apps. */
  key: string
  address: Address
  title: string
  /** For the bottom bar of phones. */
  short: string
  icon: Icon
  /** A one-line description. */
  words?: string
  children: NavEntry[]
}

/** Groups and their children in one list. */
export const flat = (entries: readonly NavEntry[]): NavEntry[] =>
  entries.flatMap((entry) => [entry, ...flat(entry.children)])
