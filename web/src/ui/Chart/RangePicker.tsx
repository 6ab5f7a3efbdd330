import { type LocalDate, dayBounds, localDateOf, today } from '@gridmast/contract/time.ts'
import { useNow } from '#lib/clock.ts'
import { type Early, lateField } from '#ui/late-field.tsx'
import { Row } from '#ui/Layout.tsx'
import { ClearRange, RangeButton } from './RangeButton.tsx'
import { startAndEnd } from './range.ts'
import { rangeWords } from './range-words.ts'
import type { SharedRange } from './shared-range.ts'
import { useTimeRange } from './useTimeRange.ts'

export type RangePickerProps = {
  shown: Pick<SharedRange, 'span'>
  chosen: string | undefined
  zoom: string | undefined
  onChoose: (range: string | undefined) => void
  autoFocus?: boolean
  isOpened?: boolean
}

const Closed = ({ early, chosen, zoom, onChoose }: RangePickerProps & Early) => {
  const name = zoom ?? chosen
  return (
    <Row gap={4} align="end" nowrap data-wide={name}>
      <RangeButton {...early} name={name} opened={false} />
      {name && <ClearRange onClear={() => onChoose(undefined)} />}
    </Row>
  )
}

/** The range of all charts of a screen: relative, or from and to. */
export const RangePicker = lateField<RangePickerProps>(
  async () => (await import('./RangePopover.tsx')).default,
  Closed,
  {
    isOpened: true,
  },
)

/** The window of a screen by day: the day, or the range of the URL in its place. */
export const useDayOrRange = (date: LocalDate) => {
  const { shown, unzoomed, chosen, zoom, choose, sharedWith } = useTimeRange()
  const isToday = date === today(useNow(60_000))
  const day = dayBounds(date)
  const shared = sharedWith(day)
  const name = zoom ?? chosen
  return {
    /** Null while the day is shown. */
    range: shown,
    /** For the `SharedRangeContext` of its charts. */
    shared,
    /** For a query. */
    window: shown ? startAndEnd(shared.span) : { date },
    isRunning: shown ? shown.running !== null : isToday,
    words: name && rangeWords(name),
    /** For `keepWhile`: a zoom and a running range keep the last answer. */
    kept: chosen ?? date,
    /** First day of the window, which a zoom keeps. */
    first: localDateOf((unzoomed ?? day).fromMs),
    picker: <RangePicker shown={shared} chosen={chosen} zoom={zoom} onChoose={choose} />,
  }
}

/** Another day replaces the range. */
export const noRange = { range: undefined, zoom: undefined }
