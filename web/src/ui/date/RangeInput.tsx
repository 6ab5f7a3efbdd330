import { Button, Group, Popover, TextInput } from '@mantine/core'
import { formatDate } from '@gridmast/contract/time.ts'
import { IconCalendar } from '@tabler/icons-react'
import { type KeyboardEvent, useEffect, useEffectEvent, useState } from 'react'
import { t } from '#lib/i18n.ts'
import { usePhone } from '#lib/phone.ts'
import { ownEscape, popup, popupContent } from './popup.ts'
import type { RangeFieldProps } from './RangeField.tsx'
import { parseDate } from './typed-date.ts'
import { useCalendars } from './use-calendars.ts'

/** Two days, picked, typed or from a preset; closes once the start is not after the end. */
const RangeInput = ({ label, value, onChange, max, autoFocus, isOpened = false }: RangeFieldProps) => {
  const phone = usePhone()
  const [opened, setOpened] = useState(isOpened)
  const { calendars, load, early } = useCalendars()
  const [typed, setTyped] = useState({ start: formatDate(value.start), end: formatDate(value.end) })
  const [start, end] = [parseDate(typed.start), parseDate(typed.end)]

  const write = (from: string | null, to: string | null) =>
    setTyped({ start: from ? formatDate(from) : '', end: to ? formatDate(to) : '' })
  const open = () => {
    load()
    write(value.start, value.end)
    setOpened(true)
  }
  const loadOpened = useEffectEvent(() => {
    if (isOpened) load()
  })
  useEffect(() => loadOpened(), [])
  const isValid = (from: string | null, to: string | null) =>
    from !== null && to !== null && from <= to && (max === undefined || to <= max)
  const apply = (from: string | null, to: string | null) => {
    if (from === null || to === null || !isValid(from, to)) return
    onChange({ start: from, end: to })
    setOpened(false)
  }
  const field = (name: 'start' | 'end', words: string, isWrong: boolean) => (
    <TextInput
      aria-label={words}
      w={106}
      inputMode="numeric"
      value={typed[name]}
      error={typed[name] !== '' && isWrong}
      onChange={({ currentTarget }) => setTyped({ ...typed, [name]: currentTarget.value })}
      onKeyDown={(event: KeyboardEvent) => event.key === 'Enter' && apply(start, end)}
    />
  )
  return (
    <Popover {...popup} opened={opened && calendars !== undefined} onChange={setOpened}>
      <Popover.Target>
        <TextInput
          label={label}
          w={phone ? '100%' : 228}
          wrapperProps={early}
          {...{ autoFocus }}
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
      <Popover.Dropdown {...popupContent(label)}>
        {calendars && (
          <calendars.RangeCalendar
            from={start}
            to={end}
            shown={value}
            max={max}
            onChoose={(from, to) => {
              write(from, to)
              apply(from, to)
            }}
          />
        )}
        <Group gap={8} mt={12} wrap="nowrap">
          {field('start', t('From'), start === null)}
          <span>–</span>
          {field('end', t('To'), end === null || (start !== null && end < start))}
          <Button ml="auto" disabled={!isValid(start, end)} onClick={() => apply(start, end)}>
            {t('Apply')}
          </Button>
        </Group>
      </Popover.Dropdown>
    </Popover>
  )
}

export default RangeInput
