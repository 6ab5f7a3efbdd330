import { ActionIcon, Button, Popover, TextInput } from '@mantine/core'
import { IconCalendar } from '@tabler/icons-react'
import { useState } from 'react'
import { t } from '#lib/i18n.ts'
import type { PickerFieldProps } from './PickerField.tsx'
import { ownEscape, popup, popupContent } from './popup.ts'
import { useCalendars } from './use-calendars.ts'

/**
 * A typed or picked value. Mantine's own `DateInput` reports every keystroke (`20.11.20` on the way to `20.11.2026` would be requested), no
 * invalid input, and keeps the focus out of its calendar.
 */
const PickerInput = (props: PickerFieldProps) => {
  const { label, value, onChange, min, max, required, error, autoFocus, 'data-path': path, ...kind } = props
  const [opened, setOpened] = useState(false)
  const { calendars, load, early } = useCalendars()
  const Calendar = calendars?.[kind.calendar]
  const [typed, setTyped] = useState<string | null>(null)
  const parsed = typed === null ? value : kind.parse(typed)
  const isOutside = parsed !== null && ((min !== undefined && parsed < min) || (max !== undefined && parsed > max))
  const wrong = parsed === null ? kind.unreadable : isOutside ? kind.outside : null

  const choose = (next: string) => {
    setTyped(null)
    setOpened(false)
    if (next !== value) onChange(next)
  }
  const open = () => {
    load()
    setOpened(true)
  }
  const commit = () => {
    if (parsed !== null && !isOutside) choose(parsed)
    else if (required && value !== '') onChange('')
  }
  const escape = opened ? ownEscape : {}
  const isNowAllowed = (min === undefined || kind.now.value >= min) && (max === undefined || kind.now.value <= max)
  return (
    <Popover {...popup} opened={opened && calendars !== undefined} onChange={setOpened}>
      <Popover.Target>
        <TextInput
          label={label}
          w={kind.width}
          {...{ autoFocus }}
          wrapperProps={early}
          withAsterisk={required ?? false}
          inputMode="numeric"
          {...escape}
          placeholder={kind.placeholder}
          value={typed ?? (value && kind.format(value))}
          error={typed ? wrong : (error ?? (typed === null ? null : wrong))}
          data-path={path}
          onChange={(event) => setTyped(event.currentTarget.value)}
          // On keyboard focus, typing replaces the date.
          onFocus={(event) => event.currentTarget.select()}
          onBlur={commit}
          onKeyDown={(event) => {
            if (event.key === 'Enter') commit()
            if (event.key === 'ArrowDown' && event.altKey) open()
            if (event.key !== 'Escape') return
            setTyped(null)
            setOpened(false)
          }}
          leftSection={
            <ActionIcon
              size={24}
              aria-label={t('Open calendar, {{label}}', { label })}
              onClick={() => (opened ? setOpened(false) : open())}
              onKeyDown={(event) => event.key === 'Escape' && setOpened(false)}
              {...escape}
            >
              <IconCalendar size={16} stroke={1.8} />
            </ActionIcon>
          }
        />
      </Popover.Target>
      <Popover.Dropdown {...popupContent(label)}>
        {Calendar && <Calendar value={value} min={min} max={max} onChoose={choose} />}
        {isNowAllowed && (
          <Button variant="subtle" size="xs" fullWidth onClick={() => choose(kind.now.value)}>
            {kind.now.label}
          </Button>
        )}
      </Popover.Dropdown>
    </Popover>
  )
}

export default PickerInput
