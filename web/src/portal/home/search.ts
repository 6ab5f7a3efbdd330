import { eventTypes } from '@gridmast/contract/markets.ts'
import { z } from 'zod'
import { param } from '#lib/url-state.ts'

/** Defaults are omitted, and invalid values are dropped. */
export const homeSearch = z.object({
  day: param(z.enum(['tomorrow'])),
  resolution: param(z.enum(['quarter'])),
  view: param(z.enum(['consumption'])),
  events: param(z.enum(eventTypes)),
  capacity: param(z.union([z.literal('all'), z.uuid()])),
  edit: param(z.boolean()),
  instance: param(z.uuid()),
})
export type HomeSearch = z.output<typeof homeSearch>
