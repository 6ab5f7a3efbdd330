import type { Sentence } from '#i18n/da.ts'
import type { User } from '@gridmast/contract/people/user.ts'
import type { Icon } from '@tabler/icons-react'
import type { ComponentType } from 'react'
import { z } from 'zod'
import type { NavEntry } from '#shell/entries.ts'
import type { Gate, Place } from '#shell/gate.ts'

/** Where a screen stands: in the sidebar, in the profile menu, or under the entry of that path. */
export type Home = 'sidebar' | 'profile' | '/insights' | '/cfm'

/** A page of the portal, as the router needs it. */
export type Page = {
  /** In the top bar, the window, the sidebar and the palette. */
  title: Sentence
  page: () => Promise<{ default: ComponentType }>
}

type Row = Page & {
  /** The title where it depends on what the address names. */
  titleOf?: (user: User, place: Place) => string | undefined
  short?: Sentence
  /** What it holds, in a sentence. */
  words?: Sentence
  icon?: Icon
  in?: Home
  gate?: Gate
  /** Places under it that come from the customer's record. */
  entries?: (user: User) => NavEntry[]
}

/** One screen of the portal inside the shell; `search` is what its address may hold beyond the path. */
export type Screen<S extends z.ZodObject = z.ZodObject> = Row & { search: S }

/** The address holds nothing but the path. A type without any key would let every key pass. */
export const noSearch = z.object({ none: z.undefined().optional() })

/** A row of the table. */
export function screen<S extends z.ZodObject>(row: Row & { search: S }): Screen<S>
export function screen(row: Row): Screen<typeof noSearch>
export function screen(row: Row & { search?: z.ZodObject }): Screen {
  return { search: noSearch, ...row }
}

export const places = () => import('#portal/places/Places.tsx')
