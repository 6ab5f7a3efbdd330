import { ActionIcon, Popover, TextInput } from '@mantine/core'
import { IconCalendarMonth } from '@tabler/icons-react'
import { lazy, useState } from 'react'
import { useTranslation } from '#lib/i18n.ts'
import { CalendarDropdown, ownEscape } from './CalendarDropdown.tsx'
import { formatMonth, parseMonth } from './typed-date.ts'

const Calendar = lazy(() => import('./Calendar.tsx').then((file) => ({ default: file.MonthCalendar })))

type Props = { label: string; value: string; onChange: (month: string) => void; max?: string; error?: string | null }

/** A month, typed as MM.YYYY or picked. */
export const MonthField = ({ label, value, onChange, max, error }: Props) => {
  const { t } = useTranslation()
  const [opened, setOpened] = useState(false)
  const [typed, setTyped] = useState<string | null>(null)
  const parsed = typed === null ? value : parseMonth(typed)
  const outside = parsed !== null && max !== undefined && parsed > max
  const choose = (month: string) => {
    setTyped(null)
    setOpened(false)
    if (month !== value) onChange(month)
  }
  const commit = () => parsed !== null && !outside && choose(parsed)
  return (
    <Popover opened={opened} onChange={setOpened} position="bottom-start" returnFocus withRoles={false}>
      <Popover.Target>
        <TextInput
          label={label}
          w={148}
          inputMode="numeric"
          {...(opened ? ownEscape : {})}
          placeholder="MM.YYYY"
          value={typed ?? formatMonth(value)}
          error={
            typed === null
              ? (error ?? null)
              : parsed === null
                ? t('Write a month as MM.YYYY')
                : outside && t('This month cannot be chosen')
          }
          onChange={(event) => setTyped(event.currentTarget.value)}
          onBlur={commit}
          onKeyDown={(event) => {
            if (event.key === 'Enter') commit()
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
              <IconCalendarMonth size={16} stroke={1.8} />
            </ActionIcon>
          }
        />
      </Popover.Target>
      <CalendarDropdown label={label} height={200}>
        <Calendar value={value} min={undefined} max={max ? `${max}-28` : undefined} onChange={choose} />
      </CalendarDropdown>
    </Popover>
  )
}
