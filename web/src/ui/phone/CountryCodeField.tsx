import { Select, type SelectProps } from '@mantine/core'
import { useMemo, useState } from 'react'
import { currentLanguage, t } from '#lib/i18n.ts'
import { countries } from './dial-codes.ts'

/** Customers are Danish, their back offices often Indian. */
const first = ['DK', 'IN']

const optionsIn = (language: string) => {
  const names = new Intl.DisplayNames([language], { type: 'region' })
  const options = countries.map(({ iso, dialCode }) => ({ value: iso, label: `${names.of(iso)} ${dialCode}` }))
  const rank = ({ value }: { value: string }) => (first.includes(value) ? first.indexOf(value) : first.length)
  return options.toSorted((a, b) => rank(a) - rank(b) || a.label.localeCompare(b.label, language))
}

const dialCodeOf = (iso: string | null) => countries.find((country) => country.iso === iso)?.dialCode ?? ''
const isoOf = (dialCode: string) => countries.find((country) => country.dialCode === dialCode)?.iso ?? null

type Props = Omit<SelectProps, 'value' | 'defaultValue' | 'onChange' | 'data'> & {
  value?: string
  onChange?: (dialCode: string) => void
}

/** A dial code such as +45, searchable by country, code or country letters. */
export const CountryCodeField = ({ value = '', onChange, ...props }: Props) => {
  const language = currentLanguage()
  const options = useMemo(() => optionsIn(language), [language])
  // Several countries share a code, so the chosen one is kept.
  const [chosen, setChosen] = useState<string | null>(null)
  const shown = dialCodeOf(chosen) === value ? chosen : isoOf(value)
  return (
    <Select
      label={t('Country code')}
      autoComplete="off"
      searchable
      nothingFoundMessage={t('No such country')}
      maxDropdownHeight={264}
      {...props}
      data={options}
      value={shown}
      filter={({ options: all, search }) => {
        const wanted = search.trim().toLowerCase()
        return all.filter(
          (option) =>
            'value' in option && (option.label.toLowerCase().includes(wanted) || option.value.toLowerCase() === wanted),
        )
      }}
      onChange={(iso) => {
        setChosen(iso)
        onChange?.(dialCodeOf(iso))
      }}
    />
  )
}
