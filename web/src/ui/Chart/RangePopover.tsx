import { Button, Popover, TextInput, UnstyledButton } from '@mantine/core'
import { limits } from '@gridmast/contract/limits.ts'
import { relativeRanges } from '@gridmast/contract/choices.ts'
import { minuteMs } from '@gridmast/contract/time.ts'
import { useState } from 'react'
import { currentMs } from '#lib/clock.ts'
import { t } from '#lib/i18n.ts'
import { popup, popupContent } from '#ui/date/popup.ts'
import { momentOf, parseMoment } from '#ui/date/typed-date.ts'
import { Stack } from '#ui/Layout.tsx'
import { intervalText, isRange } from './range.ts'
import { RangeButton } from './RangeButton.tsx'
import type { RangePickerProps } from './RangePicker.tsx'
import { relativeName } from './range-words.ts'
import classes from './RangePicker.module.css'

const RangePopover = (props: RangePickerProps) => {
  const { shown, chosen, zoom, onChoose, mostDays = limits.exportDays, autoFocus, isOpened = false } = props
  const [opened, setOpened] = useState(isOpened)
  const choose = (range: string | undefined) => {
    setOpened(false)
    onChoose(range)
  }
  return (
    <Popover {...popup} opened={opened} onChange={setOpened}>
      <Popover.Target>
        <RangeButton {...{ autoFocus }} name={zoom ?? chosen} opened={opened} onClick={() => setOpened(!opened)} />
      </Popover.Target>
      <Popover.Dropdown {...popupContent(t('Time range'))}>
        <div className={classes.choices}>
          <div className={classes.relative} role="group" aria-label={t('Until now')}>
            {relativeRanges.map((range) => (
              <UnstyledButton
                key={range}
                className={classes.choice ?? ''}
                aria-pressed={chosen === range && zoom === undefined}
                onClick={() => choose(range)}
              >
                {relativeName(range)}
              </UnstyledButton>
            ))}
          </div>
          <FromTo shown={shown} mostDays={mostDays} onChoose={choose} />
        </div>
      </Popover.Dropdown>
    </Popover>
  )
}

type FromToProps = { shown: RangePickerProps['shown']; mostDays: number; onChoose: (range: string) => void }

const FromTo = ({ shown: { span }, mostDays, onChoose }: FromToProps) => {
  const [typed, setTyped] = useState({
    from: momentOf(span.fromMs),
    to: momentOf(Math.min(span.toMs, Math.max(span.fromMs + minuteMs, currentMs()))),
  })
  const [fromMs, toMs] = [parseMoment(typed.from, 'start'), parseMoment(typed.to, 'end')]
  const chosen = fromMs === null || toMs === null ? null : { fromMs, toMs }
  const unreadable = t('Write a date and a time, 20.11.2026 10:00')
  const wrong = !chosen
    ? null
    : chosen.toMs <= chosen.fromMs
      ? t('Must be after the start')
      : !isRange(chosen, mostDays) && t('At most {{n}} days', { n: mostDays })
  const field = (name: 'from' | 'to', label: string, error: string | false | null) => (
    <TextInput
      label={label}
      w={220}
      placeholder={t('DD.MM.YYYY HH:mm')}
      value={typed[name]}
      error={error}
      onChange={({ currentTarget }) => setTyped({ ...typed, [name]: currentTarget.value })}
    />
  )
  return (
    <form
      aria-label={t('From and to')}
      onSubmit={(event) => {
        event.preventDefault()
        if (chosen && !wrong) onChoose(intervalText(chosen))
      }}
    >
      <Stack gap={8}>
        {field('from', t('From'), fromMs === null && unreadable)}
        {field('to', t('To'), toMs === null ? unreadable : wrong)}
        <Button type="submit">{t('Apply')}</Button>
      </Stack>
    </form>
  )
}

export default RangePopover
