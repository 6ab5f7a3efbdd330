import { eventTypes } from '@gridmast/contract/markets.ts'
import { z } from 'zod'
import { param } from '#lib/url-state.ts'

/** What the home dashboard keeps in the address; defaults are left out, and what is not understood is dropped. */
export const homeSearch = z.object({
  day: param(z.enum(['tomorrow'])),
  resolution: param(z.enum(['quarter'])),
  view: param(z.enum(['consumption'])),
  events: param(z.enum(eventTypes)),
  capacity: param(z.union([z.literal('all'), z.uuid()])),
  /** The dashboard is being arranged. */
  edit: param(z.boolean()),
  instance: param(z.uuid()),
})
export type HomeSearch = z.output<typeof homeSearch>
