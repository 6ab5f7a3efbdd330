import { formatNumber, isDecimal, normalDecimal, parseNumber } from '@gridmast/contract/numbers.ts'
import { TextInput, type TextInputProps } from '@mantine/core'
import { type Ref, useState } from 'react'
import { flushSync } from 'react-dom'

type Props = Omit<TextInputProps, 'value' | 'onChange'> & {
  ref?: Ref<HTMLInputElement>
  /** Shown until another number is typed; external changes are formatted too. */
  initial: string | number | null | undefined
  decimals: number
  unit?: string
  /** Exact decimal text; invalid input is passed unchanged. */
  onChange: (decimal: string | undefined) => void
}

const toDecimal = (value: Props['initial']): string | undefined =>
  value === null || value === undefined || value === '' ? undefined : String(value)

/**
 * A number in Danish format. During editing it has no thousands separators, and blur shows the typed number: the formatted text is never
 * parsed again.
 */
export const DecimalField = ({ initial, decimals, unit, onChange, ...input }: Props) => {
  const [previousInitial, setPreviousInitial] = useState(toDecimal(initial))
  const [decimal, setDecimal] = useState(previousInitial)
  const [typed, setTyped] = useState<string>()
  const [edited, setEdited] = useState<string | null>(null)
  const nextInitial = toDecimal(initial)
  if (nextInitial !== previousInitial) {
    setPreviousInitial(nextInitial)
    if (edited === null && nextInitial !== decimal) setDecimal(nextInitial)
  }
  const isNumber = decimal !== undefined && isDecimal(decimal)
  // Typed decimals stay visible, also when they are too many.
  const typedDecimals = decimal === typed ? (decimal?.split('.')[1]?.length ?? 0) : 0
  const formatted = isNumber
    ? formatNumber(decimal, { decimals: Math.max(decimals, typedDecimals), minDecimals: 0 })
    : (decimal ?? '')
  return (
    <TextInput
      inputMode="decimal"
      autoComplete="off"
      {...(unit
        ? {
            rightSection: <span className="gm-meta">{unit}</span>,
            rightSectionWidth: 64,
            rightSectionProps: { style: { justifyContent: 'flex-end', paddingRight: 12 } },
          }
        : {})}
      {...input}
      value={edited ?? formatted}
      onFocus={(event) => {
        const { currentTarget } = event
        const plain = isNumber ? normalDecimal(decimal).replace('.', ',') : formatted
        flushSync(() => setEdited(plain))
        if (plain !== formatted) currentTarget.select()
        input.onFocus?.(event)
      }}
      onChange={({ currentTarget: { value } }) => {
        const next = value.trim() === '' ? undefined : (parseNumber(value, { decimals }) ?? value)
        setEdited(value)
        setDecimal(next)
        setTyped(next)
        onChange(next)
      }}
      onBlur={(event) => {
        setEdited(null)
        input.onBlur?.(event)
      }}
    />
  )
}
