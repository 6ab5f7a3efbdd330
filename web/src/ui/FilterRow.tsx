import { type ReactNode, useState } from 'react'
import { Button, TextInput } from '@mantine/core'
import { IconFilter, IconSearch } from '@tabler/icons-react'
import { useDebouncedCallback } from '@mantine/hooks'
import { t } from '#lib/i18n.ts'
import { usePhone } from '#lib/phone.ts'
import { Stack } from './Layout.tsx'
import classes from './ListPanel.module.css'

type FilterFoldProps = {
  chosen: number
  actions?: ReactNode
  children: ReactNode
}

/** Filters with actions at the end; on a phone behind a button with the number of active ones. */
export const FilterFold = ({ chosen, actions, children }: FilterFoldProps) => {
  const phone = usePhone()
  const [isOpen, setOpen] = useState(false)
  if (!phone)
    return (
      <>
        {children}
        {actions && <div data-end>{actions}</div>}
      </>
    )
  return (
    <Stack gap={12}>
      <div className={classes.bar}>
        <Button
          variant="default"
          leftSection={<IconFilter stroke={1.8} aria-hidden />}
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          {t('Filters')}
          {chosen > 0 && <span className={classes.chosen}>{chosen}</span>}
        </Button>
        {actions}
      </div>
      {isOpen && children}
    </Stack>
  )
}

const typingMs = 300

type SearchFieldProps = { label: string; placeholder: string; value: string; onChange: (text: string) => void }

export const SearchField = ({ label, placeholder, value, onChange }: SearchFieldProps) => {
  const [typed, setTyped] = useState(value)
  const [applied, setApplied] = useState(value)
  const apply = useDebouncedCallback(onChange, typingMs)
  // The URL changed: back, or another link to this page.
  if (applied !== value) {
    setApplied(value)
    if (value !== typed.trim()) setTyped(value)
  }
  return (
    <TextInput
      label={label}
      w={220}
      placeholder={placeholder}
      maxLength={100}
      leftSection={<IconSearch size={16} stroke={1.8} aria-hidden />}
      value={typed}
      onChange={(event) => {
        setTyped(event.currentTarget.value)
        apply(event.currentTarget.value.trim())
      }}
    />
  )
}

type Props = {
  label: string
  onSubmit: () => void
  children: ReactNode
  actions?: ReactNode
  /** Number of active filters; with it the fields are behind a button on a phone. */
  chosen?: number
}

export const FilterRow = ({ label, onSubmit, children, actions, chosen }: Props) => {
  const phone = usePhone()
  const row = (end: ReactNode) => (
    <form
      className={classes.row}
      aria-label={label}
      onSubmit={(event) => {
        event.preventDefault()
        onSubmit()
      }}
    >
      {children}
      {end && <div className={classes.actions}>{end}</div>}
    </form>
  )
  return phone && chosen !== undefined ? (
    <FilterFold chosen={chosen} actions={actions}>
      {row(null)}
    </FilterFold>
  ) : (
    row(actions)
  )
}
