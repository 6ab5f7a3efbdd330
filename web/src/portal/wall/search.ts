import { wallSeconds } from '@gridmast/contract/people/wall.ts'
import { integer, oneOf, searchParams, text } from '#lib/search-params.ts'

/** `cards`: kinds of cards in their order, separated by commas; `stopped`: key of the card that stays. */
export const wallSearch = searchParams({
  seconds: integer(wallSeconds.min, wallSeconds.max),
  cards: text(100),
  scheme: oneOf('light', 'dark'),
  stopped: text(60),
})
