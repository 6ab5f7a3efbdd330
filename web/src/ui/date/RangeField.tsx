import { Button, Popover, TextInput, UnstyledButton } from '@mantine/core'
import { formatDate, today } from '@gridmast/contract/time.ts'
import { IconCalendar } from '@tabler/icons-react'
import { Suspense, lazy, useState } from 'react'
import { useTranslation } from '#lib/i18n.ts'
import { useNow } from '#lib/clock.ts'
import { keepEscape, ownEscape } from './CalendarDropdown.tsx'
import classes from './RangeField.module.css'
import { type DateRange, parseDate, presets } from './typed-date.ts'

const Calendar = lazy(() => import('./Calendar.tsx').then((file) => ({ default: file.RangeCalendar })))

type Props = { label: string; value: DateRange; onChange: (range: DateRange) => void; max?: string }

/** Two days, picked, typed, or taken from a preset; closes when the start is not after the end. */
export const RangeField = ({ label, value, onChange, max }: Props) => {
  const { t } = useTranslation()
  const now = useNow(60_000)
  const [opened, setOpened] = useState(false)
  const [start, setStart] = useState(formatDate(value.start))
  const [end, setEnd] = useState(formatDate(value.end))
  const [from, to] = [parseDate(start), parseDate(end)]
  const valid = from !== null && to !== null && from <= to && (max === undefined || to <= max)

  const show = (range: DateRange) => {
    setStart(formatDate(range.start))
    setEnd(formatDate(range.end))
  }
  const open = () => {
    show(value)
    setOpened(true)
  }
  const apply = () => {
    if (!valid) return
    onChange({ start: from, end: to })
    setOpened(false)
  }
  const onEnter = (event: React.KeyboardEvent) => event.key === 'Enter' && apply()
  return (
    <Popover opened={opened} onChange={setOpened} position="bottom-start" trapFocus returnFocus withRoles={false}>
      <Popover.Target>
        <TextInput
          label={label}
          w={228}
          readOnly
          pointer
          aria-haspopup="dialog"
          {...(opened ? ownEscape : {})}
          value={`${formatDate(value.start)} – ${formatDate(value.end)}`}
          leftSection={<IconCalendar size={16} stroke={1.8} />}
          onClick={open}
          onKeyDown={(event) => ['Enter', ' ', 'ArrowDown'].includes(event.key) && (event.preventDefault(), open())}
        />
      </Popover.Target>
      <Popover.Dropdown p={0} role="dialog" aria-label={label} onFocusCapture={keepEscape}>
        <div className={classes.choice}>
          <div className={classes.presets}>
            {presets(today(now)).map(({ name, range }) => (
              <UnstyledButton
                key={name}
                data-active={(range.start === from && range.end === to) || undefined}
                onClick={() => show(range)}
              >
                {t(name)}
              </UnstyledButton>
            ))}
          </div>
          <Suspense fallback={<div style={{ width: 252, height: 250 }} />}>
            <Calendar
              value={[from, to]}
              min={undefined}
              max={max}
              onChange={([first, last]) => {
                setStart(first ? formatDate(first) : '')
                setEnd(last ? formatDate(last) : '')
              }}
            />
          </Suspense>
        </div>
        <div className={classes.foot}>
          <TextInput
            aria-label={t('From')}
            w={106}
            inputMode="numeric"
            value={start}
            error={start !== '' && from === null}
            onChange={(event) => setStart(event.currentTarget.value)}
            onKeyDown={onEnter}
          />
          <span>–</span>
          <TextInput
            aria-label={t('To')}
            w={106}
            inputMode="numeric"
            value={end}
            error={end !== '' && (to === null || (from !== null && to < from))}
            onChange={(event) => setEnd(event.currentTarget.value)}
            onKeyDown={onEnter}
          />
          <Button ml="auto" disabled={!valid} onClick={apply}>
            {t('Apply')}
          </Button>
        </div>
      </Popover.Dropdown>
    </Popover>
  )
}
