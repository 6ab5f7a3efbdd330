import { formatNumber, parseNumber } from '@gridmast/contract/numbers.ts'
import { TextInput, type TextInputProps } from '@mantine/core'
import { useState } from 'react'

/** A decimal number as it is typed: its exact text where it is one, else what was typed, so that the rule can say what it is not. */
const typedDecimal = (typed: string): string | undefined =>
  typed.trim() === '' ? undefined : (parseNumber(typed) ?? typed)

type Props = Omit<TextInputProps, 'value' | 'onChange'> & {
  /** What it begins with. */
  initial: string | number | null
  decimals: number
  unit: string
  onChange: (decimal: string | undefined) => void
}

/** A number as Danish readers write it; left, it is put the usual way. */
export const DecimalField = ({ initial, decimals, unit, onChange, ...input }: Props) => {
  const shown = (value: string | number) => formatNumber(value, { decimals, minDecimals: 0 })
  const [text, setText] = useState(initial === null ? '' : shown(initial))
  return (
    <TextInput
      inputMode="decimal"
      autoComplete="off"
      rightSection={<span className="gm-meta">{unit}</span>}
      rightSectionWidth={64}
      rightSectionProps={{ style: { justifyContent: 'flex-end', paddingRight: 12 } }}
      {...input}
      value={text}
      onChange={({ currentTarget }) => {
        setText(currentTarget.value)
        onChange(typedDecimal(currentTarget.value))
      }}
      onBlur={(event) => {
        const number = parseNumber(text)
        if (number !== null) setText(shown(number))
        input.onBlur?.(event)
      }}
    />
  )
}
