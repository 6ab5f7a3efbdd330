import { z } from 'zod'
import { call, id } from '#call.ts'
import { requiredText } from '#fields.ts'
import { limits } from '#limits.ts'
import { m } from '#messages.ts'

export const wallCards = ['energy', 'frequency', 'reserve', 'alerts', 'price'] as const
export const wallSeconds = { min: 5, usual: 20, max: 3600 } as const

/** What a wall screen shows: cards in their order, and the seconds of each. */
export const wallShow = z.strictObject({
  cards: z
    .array(
      z.strictObject({
        card: z.enum(wallCards),
        frequencyId: id('frequency').optional(),
        priceSignalId: id('price-signal').optional(),
      }),
    )
    .min(1)
    .max(limits.wallCards),
  seconds: z.int().min(wallSeconds.min).max(wallSeconds.max),
})
export type WallShow = z.infer<typeof wallShow>

export const addWall = call({
  method: 'POST',
  path: '/user/wall',
  summary:
    'Create the link of a wall screen, whose session only reads the calls of its cards. The link works once, within 10 minutes',
  may: 'session.use',
  touches: [],
  body: z.strictObject({ name: requiredText(limits.wallNameMax), show: wallShow.optional() }),
  response: z.object({ id: z.string() }),
})

export const openWall = call({
  method: 'POST',
  path: '/user/wall-link',
  summary: 'Open the session of a wall screen with the id of its link',
  may: 'public',
  touches: [],
  body: z.strictObject({ id: requiredText(100) }),
  response: z.object({ token: z.string(), name: z.string() }),
})

export const changeWall = call({
  method: 'PATCH',
  path: '/user/wall/{sessionId}',
  summary: 'Change the cards of an own wall screen, which shows them at once',
  may: 'session.use',
  touches: ['sign-in'],
  params: z.object({ sessionId: id('session') }),
  body: z.strictObject({ show: wallShow }),
  ok: m.wallChanged,
})
