import type { Icon } from '@tabler/icons-react'

/** A place that the sidebar, the palette and recent apps know, for one person. */
export type NavEntry = {
  /** The pathname it leads to; recent apps are kept by it. */
  key: string
  /** The route, with its parameters apart. */
  to: string
  params?: Record<string, string>
  search?: Record<string, string>
  title: string
  /** On the bar of phones, where the title is too long. */
  short: string
  icon: Icon
  /** What is found there, in a line of a list. */
  words?: string
  children: NavEntry[]
}

export const linkTo = ({ to, params, search }: NavEntry) => ({ to, params: params ?? {}, search: search ?? {} })

/** Groups and what stands in them, in one list. */
export const flat = (entries: readonly NavEntry[]): NavEntry[] =>
  entries.flatMap((entry) => [entry, ...flat(entry.children)])
