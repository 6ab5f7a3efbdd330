import { Button, TextInput, UnstyledButton } from '@mantine/core'
import { limits } from '@gridmast/contract/limits.ts'
import { minuteMs } from '@gridmast/contract/time.ts'
import { useEffect, useRef, useState } from 'react'
import { currentMs } from '#lib/clock.ts'
import { t } from '#lib/i18n.ts'
import { momentOf, parseMoment } from '#ui/date/typed-date.ts'
import { Stack } from '#ui/Layout.tsx'
import { intervalText, isRange } from './range.ts'
import { relativeRanges } from './range-search.ts'
import { relativeName } from './range-words.ts'
import type { SharedRange } from './shared-range.ts'
import classes from './RangePicker.module.css'

type Props = { shown: SharedRange; chosen: string | undefined; onChoose: (range: string) => void }

const RangeChoices = ({ shown, chosen, onChoose }: Props) => {
  const first = useRef<HTMLButtonElement>(null)
  // Loaded after the popup has opened, which then has nothing to focus.
  useEffect(() => first.current?.focus(), [])
  return (
    <div className={classes.choices}>
      <div className={classes.relative} role="group" aria-label={t('Until now')}>
        {relativeRanges.map((range, i) => (
          <UnstyledButton
            key={range}
            ref={i === 0 ? first : undefined}
            className={classes.choice ?? ''}
            aria-pressed={chosen === range}
            onClick={() => onChoose(range)}
          >
            {relativeName(range)}
          </UnstyledButton>
        ))}
      </div>
      <FromTo shown={shown} onChoose={onChoose} />
    </div>
  )
}

export default RangeChoices

const FromTo = ({ shown: { span }, onChoose }: { shown: SharedRange; onChoose: (range: string) => void }) => {
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
      : !isRange(chosen) && t('At most {{n}} days', { n: limits.exportDays })
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
