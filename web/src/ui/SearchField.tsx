import { TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { useState } from 'react'

const typingMs = 300

type Props = { label: string; placeholder: string; value: string; onChange: (text: string) => void }

/** Searches after a pause in typing. */
export const SearchField = ({ label, placeholder, value, onChange }: Props) => {
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
