import { withWords } from '#lib/i18n.ts'
import type { User } from '@gridmast/contract/people/user.ts'
import type { Icon } from '@tabler/icons-react'
import type { ComponentType } from 'react'
import type { Sentence } from '#i18n/da.ts'
import { type SearchParams, searchParams } from '#lib/search-params.ts'
import type { Gate, Place } from '#shell/gate.ts'
import type { NavEntry } from '#shell/nav.ts'

export type Home = 'sidebar' | 'profile' | '/insights' | '/cfm'

export type Page = {
  title: Sentence
  page: () => Promise<{ default: ComponentType }>
}

type ScreenFields = Page & {
  titleOf?: (user: User, place: Place) => string | undefined
  short?: Sentence
  words?: Sentence
  icon?: Icon
  in?: Home
  gate?: Gate
  entries?: (user: User) => NavEntry[]
  /** Parts that are requested with the page, by the `tab` of the address. */
  tabs?: Record<string, { preload: () => Promise<unknown> }>
}

/** One screen inside of the shell; `search` are its URL parameters. */
export type Screen<S extends SearchParams = SearchParams> = ScreenFields & { search: S }

/** No URL parameters; a type without any key would accept every key. */
export const noSearch = searchParams({ none: (): undefined => undefined })

export function screen<S extends SearchParams>(row: ScreenFields & { search: S }): Screen<S>
export function screen(row: ScreenFields): Screen<typeof noSearch>
export function screen(row: ScreenFields & { search?: SearchParams }): Screen {
  return { search: noSearch, ...row }
}

export const sectionIndex = () => withWords(import('#portal/section-index/SectionIndex.tsx'), 'screens')
