import { Button } from '@mantine/core'
import {
  deltaLoadSteps,
  directions,
  type DurationClass,
  durationClasses,
  minDeltaLoadPercent,
} from '@gridmast/contract/delivery/events.ts'
import type { LocalDate } from '@gridmast/contract/time.ts'
import type { ReactNode } from 'react'
import type { Sentence } from '#i18n/da.ts'
import { t } from '#lib/i18n.ts'
import { RangeField } from '#ui/date/RangeField.tsx'
import { FilterRow } from '#ui/FilterRow.tsx'
import { Select } from '#ui/Select.tsx'
import { directionWords } from './cells.tsx'
import { type Days, type EventSearch, dateRangeOf, daysOf } from './filter.ts'
import { useDraft } from '#lib/url-state.ts'

const deltaLoadWords: Record<(typeof deltaLoadSteps)[number], Sentence> = {
  0: 'From 0 %',
  20: 'From 20 %',
  40: 'From 40 %',
  60: 'From 60 %',
  80: 'From 80 %',
  100: '100 %',
}

const durationWords: Record<DurationClass, Sentence> = {
  'under-1': 'Under 1 min',
  '1-5': '1–5 min',
  '5-15': '5–15 min',
  'over-15': 'Over 15 min',
}

type Choice = Pick<EventSearch, 'direction' | 'deltaLoad' | 'smaller' | 'duration'> & { days: Days }
type Props = {
  search: EventSearch
  today: LocalDate
  onSubmit: (search: Partial<EventSearch>) => void
  actions: ReactNode
  chosen: number
}

const allOf = 'all'
const defaultOf = 'default'

/** Direction, delta load, duration and days of the events, submitted together; its key is the current filter. */
export const EventFilters = ({ search, today, onSubmit, actions, chosen }: Props) => {
  const { direction, deltaLoad, smaller, duration } = search
  const { draft, change } = useDraft<Choice>({
    direction,
    deltaLoad,
    smaller,
    duration,
    days: daysOf(search.dateRange, today),
  })
  const one = <V extends string | number>(
    label: Sentence,
    w: number,
    values: readonly V[],
    words: Record<V, Sentence>,
    value: V | undefined,
    toChange: (value: V | undefined) => Partial<Choice>,
  ) => (
    <Select
      label={t(label)}
      w={w}
      allowDeselect={false}
      data={[
        { value: allOf, label: t('All') },
        ...values.map((each) => ({ value: String(each), label: t(words[each]) })),
      ]}
      value={String(value ?? allOf)}
      onChange={(next) => change(toChange(values.find((each) => String(each) === next)))}
    />
  )
  return (
    <FilterRow
      label={t('Filter of the events')}
      actions={actions}
      chosen={chosen}
      onSubmit={() => {
        const { days, ...rest } = draft
        onSubmit({ ...rest, dateRange: dateRangeOf(days, today), page: undefined })
      }}
    >
      {one('Direction', 128, directions, directionWords, draft.direction, (next) => ({ direction: next }))}
      <Select
        label={t('Percentage')}
        w={128}
        allowDeselect={false}
        data={[
          { value: defaultOf, label: t('From {{n}} %', { n: minDeltaLoadPercent }) },
          { value: allOf, label: t('All') },
          ...deltaLoadSteps.map((each) => ({ value: String(each), label: t(deltaLoadWords[each]) })),
        ]}
        value={draft.deltaLoad === undefined ? (draft.smaller ? allOf : defaultOf) : String(draft.deltaLoad)}
        onChange={(next) =>
          change({
            deltaLoad: deltaLoadSteps.find((each) => String(each) === next),
            smaller: next === allOf ? 'shown' : undefined,
          })
        }
      />
      {one('Duration', 128, durationClasses, durationWords, draft.duration, (next) => ({ duration: next }))}
      <div data-day>
        <RangeField
          label={t('Start and end date')}
          value={draft.days}
          max={today}
          onChange={(days) => change({ days })}
        />
      </div>
      <Button type="submit">{t('Submit')}</Button>
    </FilterRow>
  )
}
