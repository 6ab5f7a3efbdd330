import { ActionIcon, Popover, TextInput } from '@mantine/core'
import { formatDate, today } from '@gridmast/contract/time.ts'
import { IconCalendar } from '@tabler/icons-react'
import { lazy, useState } from 'react'
import { useTranslation } from '#lib/i18n.ts'
import { useNow } from '#lib/clock.ts'
import { CalendarDropdown, ownEscape } from './CalendarDropdown.tsx'
import { parseDate } from './typed-date.ts'

const Calendar = lazy(() => import('./Calendar.tsx').then((file) => ({ default: file.DayCalendar })))

type Props = {
  label: string
  /** A local day, `2026-11-20`. */
  value: string
  onChange: (date: string) => void
  min?: string
  max?: string
  required?: boolean
}

/** A day, typed as DD.MM.YYYY or picked; arrow up and down step by a day. */
export const DateField = ({ label, value, onChange, min, max, required }: Props) => {
  const { t } = useTranslation()
  const now = useNow(60_000)
  const [opened, setOpened] = useState(false)
  const [typed, setTyped] = useState<string | null>(null)
  const parsed = typed === null ? value : parseDate(typed)
  const outside = parsed !== null && ((min !== undefined && parsed < min) || (max !== undefined && parsed > max))
  const error =
    typed === null
      ? null
      : parsed === null
        ? t('Write a date as DD.MM.YYYY')
        : outside
          ? t('This date cannot be chosen')
          : null

  const choose = (date: string) => {
    setTyped(null)
    setOpened(false)
    if (date !== value) onChange(date)
  }
  const commit = () => {
    if (parsed !== null && !outside) choose(parsed)
  }
  return (
    <Popover opened={opened} onChange={setOpened} position="bottom-start" returnFocus withRoles={false}>
      <Popover.Target>
        <TextInput
          label={label}
          w={172}
          withAsterisk={required ?? false}
          inputMode="numeric"
          {...(opened ? ownEscape : {})}
          placeholder="DD.MM.YYYY"
          value={typed ?? formatDate(value)}
          error={error}
          onChange={(event) => setTyped(event.currentTarget.value)}
          onBlur={commit}
          onKeyDown={(event) => {
            if (event.key === 'Enter') commit()
            if (event.key === 'ArrowDown' && event.altKey) setOpened(true)
            if (event.key !== 'Escape') return
            setTyped(null)
            setOpened(false)
          }}
          leftSection={
            <ActionIcon
              size={24}
              aria-label={t('Open calendar, {{label}}', { label })}
              onClick={() => setOpened(!opened)}
              onKeyDown={(event) => event.key === 'Escape' && setOpened(false)}
              {...(opened ? ownEscape : {})}
            >
              <IconCalendar size={16} stroke={1.8} />
            </ActionIcon>
          }
        />
      </Popover.Target>
      <CalendarDropdown label={label} height={250}>
        <Calendar value={value} min={min} max={max} today={today(now)} onChange={choose} />
      </CalendarDropdown>
    </Popover>
  )
}
