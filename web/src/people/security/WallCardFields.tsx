import type { WallShow } from '@gridmast/contract/people/wall.ts'
import { wallSeconds } from '@gridmast/contract/people/wall.ts'
import type { User } from '@gridmast/contract/people/user.ts'
import { t } from '#lib/i18n.ts'
import { useUser } from '#lib/user.tsx'
import { Stack, Text } from '#ui/Layout.tsx'
import { OrderedChoice } from '#ui/OrderedChoice.tsx'
import { Select } from '#ui/Select.tsx'
import { cardsOf, openCards, toShown } from './wall-cards.ts'

/** `cards`: keys of the chosen cards in their order. */
export type CardValues = { cards: readonly string[]; seconds: string }

export const toCardValues = (user: User, show: WallShow | null): CardValues => ({
  cards: cardsOf(openCards(user), show?.cards).map(({ key }) => key),
  seconds: String(show?.seconds ?? wallSeconds.usual),
})

/** Undefined for a user who may read none of the cards. */
export const toWallShow = (user: User, { cards, seconds }: CardValues): WallShow | undefined => {
  const open = openCards(user)
  const chosen = cards.flatMap((key) => open.find((one) => one.key === key) ?? [])
  return chosen.length > 0 ? { cards: chosen.map(toShown), seconds: Number(seconds) } : undefined
}

const times = ['10', '20', '30', '60', '120', '300']
const timeText = (seconds: string) => (Number(seconds) < 60 ? `${seconds} s` : `${Number(seconds) / 60} min`)

type Props = { value: CardValues; onChange: (value: CardValues) => void }

export const WallCardFields = ({ value, onChange }: Props) => {
  const open = openCards(useUser())
  const { cards, seconds } = value
  const chosen = cards.flatMap((key) => open.find((one) => one.key === key) ?? [])
  const choices = [...chosen, ...open.filter(({ key }) => !cards.includes(key))]
  const allTimes = times.includes(seconds) ? times : [seconds, ...times]
  return (
    <>
      <Stack as="fieldset" gap={4} style={{ border: 0, margin: 0, padding: 0 }}>
        <Text as="legend" below={4} size="label" weight="medium">
          {t('Cards in their order')}
        </Text>
        <OrderedChoice
          choices={choices}
          chosen={chosen.map(({ key }) => key)}
          onChange={(keys) => onChange({ ...value, cards: keys })}
        />
      </Stack>
      <Select
        label={t('Time of each card')}
        allowDeselect={false}
        data={allTimes.map((one) => ({ value: one, label: timeText(one) }))}
        value={seconds}
        onChange={(next) => next !== null && onChange({ ...value, seconds: next })}
      />
    </>
  )
}
