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
  /** Days of the longest range that the screen can show; default: of a file. */
  mostDays?: number | undefined
  autoFocus?: boolean
  isOpened?: boolean
}

const RangeMenu = lateField<RangePickerProps>(
  async () => (await import('./RangePopover.tsx')).default,
  ({ early, chosen, zoom }: RangePickerProps & Early) => (
    <RangeButton {...early} name={zoom ?? chosen} opened={false} />
  ),
  { isOpened: true },
)

/** The range of all charts of a screen: relative, or from and to. */
export const RangePicker = (props: RangePickerProps) => {
  const name = props.zoom ?? props.chosen
  return (
    <Row gap={4} align="end" nowrap data-wide={name}>
      <RangeMenu {...props} />
      {name && <ClearRange onClear={() => props.onChoose(undefined)} />}
    </Row>
  )
}

/** The window of a screen by day: the day, or the range of the URL in its place. */
export const useDayOrRange = (date: LocalDate, mostDays?: number) => {
  const { shown, unzoomed, chosen, zoom, choose, sharedWith } = useTimeRange(mostDays)
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
    picker: <RangePicker shown={shared} chosen={chosen} zoom={zoom} onChoose={choose} mostDays={mostDays} />,
  }
}

/** Another day replaces the range. */
export const noRange = { range: undefined, zoom: undefined }
