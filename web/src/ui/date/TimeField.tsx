import { TextInput } from '@mantine/core'
import { clockTimePattern } from '@gridmast/contract/time.ts'
import { useState } from 'react'
import { t } from '#lib/i18n.ts'
import { parseTime } from './typed-date.ts'

type Props = {
  label: string
  value: string
  onChange: (time: string) => void
  error?: string | null
  'data-path'?: string
}

/** HH:mm; 24:00 is the end of the day. */
export const TimeField = ({ label, value, onChange, error, 'data-path': path }: Props) => {
  const [typed, setTyped] = useState<string | null>(null)
  const parsed = typed === null ? value : parseTime(typed)
  const type = (text: string) => {
    setTyped(text)
    // Reported at once, so that Enter submits the shown value.
    if (clockTimePattern.test(text)) onChange(text)
  }
  const commit = () => {
    if (parsed === null) return
    setTyped(null)
    if (parsed !== value) onChange(parsed)
  }
  return (
    <TextInput
      label={label}
      w={96}
      inputMode="numeric"
      placeholder={t('HH:mm')}
      data-path={path}
      value={typed ?? value}
      error={parsed === null ? t('Write a time as HH:mm') : (error ?? null)}
      onChange={(event) => type(event.currentTarget.value)}
      onBlur={commit}
      onKeyDown={(event) => {
        if (event.key === 'Enter') commit()
        if (event.key === 'Escape') setTyped(null)
      }}
    />
  )
}
