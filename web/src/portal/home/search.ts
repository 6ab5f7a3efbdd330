import { eventTypes } from '@gridmast/contract/markets.ts'
import { z } from 'zod'

/** What the home dashboard keeps in the address; defaults are left out, and what is not understood is dropped. */
export const homeSearch = z.object({
  day: z.enum(['tomorrow']).optional().catch(undefined),
  resolution: z.enum(['quarter']).optional().catch(undefined),
  view: z.enum(['consumption']).optional().catch(undefined),
  events: z.enum(eventTypes).optional().catch(undefined),
  capacity: z
    .union([z.literal('all'), z.uuid()])
    .optional()
    .catch(undefined),
  /** The dashboard is being arranged. */
  edit: z.boolean().optional().catch(undefined),
  instance: z.uuid().optional().catch(undefined),
})
export type HomeSearch = z.output<typeof homeSearch>
