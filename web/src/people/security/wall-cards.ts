import type { wallCards, WallShow } from '@gridmast/contract/people/wall.ts'
import { can } from '@gridmast/contract/roles.ts'
import type { User } from '@gridmast/contract/people/user.ts'
import { t } from '#lib/i18n.ts'
import { subjectOf } from '#lib/user.tsx'

export type WallCard = (typeof wallCards)[number]
/** A card of a wall screen; `of`: the id of its signal. */
export type OpenCard = { key: string; card: WallCard; title: string; of?: string }

type ShownCard = WallShow['cards'][number]
const keyOf = ({ card, frequencyId, priceSignalId }: ShownCard) => `${card}${frequencyId ?? priceSignalId ?? ''}`

export const toShown = ({ card, of }: OpenCard): ShownCard => ({
  card,
  ...(card === 'frequency' && of ? { frequencyId: of } : {}),
  ...(card === 'price' && of ? { priceSignalId: of } : {}),
})

const withSignal = (card: WallCard, title: string, signals: readonly { _id: string; name: string }[]): OpenCard[] =>
  signals.map(({ _id, name }) => ({ key: `${card}${_id}`, card, title: `${title} · ${name}`, of: _id }))

/** All cards that the user may read: one for each frequency and each price signal of the company. */
export const openCards = (user: User): OpenCard[] => {
  const subject = subjectOf(user)
  const { instances, frequency, powerCost } = user.customerId
  const one = (card: WallCard, title: string, isOpen: boolean) => (isOpen ? [{ key: card, card, title }] : [])
  const hasPower = can(subject, 'power.read') && instances.length > 0
  return [
    ...one('energy', t('Energy now'), hasPower),
    ...(can(subject, 'frequency.read') ? withSignal('frequency', t('Frequency'), frequency) : []),
    ...one('reserve', t('Reserve now'), hasPower && can(subject, 'bid-request.read')),
    ...one('alerts', t('Faults and alerts'), can(subject, 'alert.read')),
    ...(can(subject, 'prices.read') ? withSignal('price', t('Power cost'), powerCost) : []),
  ]
}

/** One of each kind, of the first signal of the company. */
const standardOf = (open: readonly OpenCard[]) =>
  open.filter(({ card }, i) => open.findIndex((other) => other.card === card) === i)

/** The chosen cards that the user may read; the standard ones when none is left. */
export const cardsOf = (open: readonly OpenCard[], chosen: readonly ShownCard[] = []): OpenCard[] => {
  const standard = standardOf(open)
  const keys = new Set(chosen.map(keyOf))
  const found = [...keys].flatMap(
    (key) => open.find((one) => one.key === key) ?? standard.find(({ card }) => card === key) ?? [],
  )
  return found.length > 0 ? [...new Set(found)] : standard
}
