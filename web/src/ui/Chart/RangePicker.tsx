import { type LocalDate, dayBounds, localDateOf, today } from '@gridmast/contract/time.ts'
import { ActionIcon, Button, Popover } from '@mantine/core'
import { IconCalendar, IconX } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import { useNow } from '#lib/clock.ts'
import { t } from '#lib/i18n.ts'
import { popup, popupContent } from '#ui/date/PickerField.tsx'
import { Row } from '#ui/Layout.tsx'
import { rangeWords } from './range-words.ts'
import type { SharedRange } from './shared-range.ts'
import { useTimeRange } from './useTimeRange.ts'
import classes from './RangePicker.module.css'

const loadChoices = () => import('./RangeChoices.tsx')
const RangeChoices = lazy(loadChoices)

type Props = {
  shown: SharedRange
  chosen: string | undefined
  zoom: string | undefined
  onChoose: (range: string | undefined) => void
}

/** The range of all charts of a screen: relative, or from and to. */
export const RangePicker = ({ shown, chosen, zoom, onChoose }: Props) => {
  const [opened, setOpened] = useState(false)
  const choose = (range: string | undefined) => {
    setOpened(false)
    onChoose(range)
  }
  const name = zoom ?? chosen
  return (
    <Row gap={4} align="end" nowrap>
      <Popover {...popup} opened={opened} onChange={setOpened}>
        <Popover.Target>
          <Button
            variant="default"
            leftSection={<IconCalendar size={16} stroke={1.8} aria-hidden />}
            aria-haspopup="dialog"
            aria-expanded={opened}
            aria-label={name ? `${t('Time range')}: ${rangeWords(name)}` : t('Time range')}
            onPointerEnter={() => void loadChoices()}
            onFocus={() => void loadChoices()}
            onClick={() => setOpened(!opened)}
          >
            {name ? rangeWords(name) : t('Time range')}
          </Button>
        </Popover.Target>
        <Popover.Dropdown {...popupContent(t('Time range'))}>
          <Suspense fallback={<div className={classes.choices} tabIndex={-1} />}>
            <RangeChoices shown={shown} chosen={zoom === undefined ? chosen : undefined} onChoose={choose} />
          </Suspense>
        </Popover.Dropdown>
      </Popover>
      {name && (
        <ActionIcon
          size={32}
          data-tip={t('Clear time range')}
          aria-label={t('Clear time range')}
          onClick={() => onChoose(undefined)}
        >
          <IconX size={16} stroke={1.8} />
        </ActionIcon>
      )}
    </Row>
  )
}

/** The window of a screen by day: the day, or the range of the URL in its place. */
export const useDayOrRange = (date: LocalDate) => {
  const { shown, unzoomed, chosen, zoom, choose, sharedWith } = useTimeRange()
  const isToday = date === today(useNow(60_000))
  const day = dayBounds(date)
  const shared = sharedWith(day)
  const { fromMs, toMs } = shared.span
  const name = zoom ?? chosen
  return {
    /** Null while the day is shown. */
    range: shown,
    /** For the `SharedRangeContext` of its charts. */
    shared,
    /** For a query. */
    window: shown ? { start: new Date(fromMs).toISOString(), end: new Date(toMs).toISOString() } : { date },
    isRunning: shown ? shown.running !== null : isToday,
    words: name && rangeWords(name),
    /** First day of the window, which a zoom keeps. */
    first: localDateOf((unzoomed ?? day).fromMs),
    picker: <RangePicker shown={shared} chosen={chosen} zoom={zoom} onChoose={choose} />,
  }
}

/** Another day replaces the range. */
export const noRange = { range: undefined, zoom: undefined }
