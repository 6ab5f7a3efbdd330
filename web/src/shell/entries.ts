import type { RegisteredRouter } from '@tanstack/react-router'
import type { Icon } from '@tabler/icons-react'

type ById = RegisteredRouter['routesById']
/** The routes inside the shell, by their paths. */
type Routes = { [Id in keyof ById as Id extends `/shell${infer P extends `/${string}`}` ? P : never]: ById[Id] }
type Path = keyof Routes
type SearchOf<P extends Path> = Routes[P]['types']['fullSearchSchema']

/** A path that names nothing but itself. */
export type PlainPath = Exclude<Path, `${string}$${string}`>
/** An address of the portal: a path with what it names, and what may stand behind it. */
export type Address =
  | { to: PlainPath; params?: undefined; search?: undefined }
  | { [P in Path]: { to: P; params: Routes[P]['types']['allParams']; search?: SearchOf<P> } }[Path]

/** A place that the sidebar, the palette and recent apps know, for one person. */
export type NavEntry = {
  /** The pathname it leads to; recent apps are kept by it. */
  key: string
  address: Address
  title: string
  /** On the bar of phones, where the title is too long. */
  short: string
  icon: Icon
  /** What is found there, in a line of a list. */
  words?: string
  children: NavEntry[]
}

/** Groups and what stands in them, in one list. */
export const flat = (entries: readonly NavEntry[]): NavEntry[] =>
  entries.flatMap((entry) => [entry, ...flat(entry.children)])
