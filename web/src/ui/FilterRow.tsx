import { type ReactNode, useState } from 'react'
import { usePhone } from '#lib/phone.ts'
import classes from './ListPanel.module.css'
import { Button, TextInput } from '@mantine/core'
import { IconFilter, IconSearch } from '@tabler/icons-react'
import { t } from '#lib/i18n.ts'
import { useDebouncedCallback } from '@mantine/hooks'

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
    <div className={classes.fold}>
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
    </div>
  )
}

const typingMs = 300

type SearchFieldProps = { label: string; placeholder: string; value: string; onChange: (text: string) => void }

export const SearchField = ({ label, placeholder, value, onChange }: SearchFieldProps) => {
  const [typed, setTyped] = useState(value)
  const [known, setKnown] = useState(value)
  const tell = useDebouncedCallback(onChange, typingMs)
  // The URL changed: back, or another link to this page.
  if (known !== value) {
    setKnown(value)
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
        tell(event.currentTarget.value.trim())
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
