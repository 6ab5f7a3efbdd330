import { can } from '@gridmast/contract/roles.ts'
import type { User } from '@gridmast/contract/people/user.ts'
import { integer, oneOf, searchParams, text } from '#lib/search-params.ts'
import { subjectOf } from '#lib/user.tsx'

const wallCards = ['energy', 'frequency', 'reserve', 'alerts', 'price'] as const
export type WallCard = (typeof wallCards)[number]

export const defaultSeconds = 20

/** `cards`: names in their order, separated by commas. */
export const wallSearch = searchParams({ seconds: integer(5, 3600), cards: text(100), scheme: oneOf('light', 'dark') })

/** The chosen cards that the user may read; all of them when none is left. */
export const cardsFor = (user: User, chosen = ''): WallCard[] => {
  const subject = subjectOf(user)
  const { instances, frequency, powerCost } = user.customerId
  const isOpen: Record<WallCard, boolean> = {
    energy: can(subject, 'power.read') && instances.length > 0,
    frequency: can(subject, 'frequency.read') && frequency.length > 0,
    reserve: can(subject, 'bid-request.read') && can(subject, 'power.read') && instances.length > 0,
    alerts: can(subject, 'alert.read'),
    price: can(subject, 'prices.read') && powerCost.length > 0,
  }
  const open = wallCards.filter((name) => isOpen[name])
  const named = [...new Set(chosen.split(','))].flatMap((name) => open.find((card) => card === name) ?? [])
  return named.length > 0 ? named : open
}
