import { countryCode } from '@gridmast/contract/fields.ts'
import { useState } from 'react'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { show } from '#testing/render.tsx'
import { CountryCodeField, countries } from './CountryCodeField.tsx'

const Held = ({ start = '' }: { start?: string }) => {
  const [value, setValue] = useState(start)
  return (
    <>
      <CountryCodeField value={value} onChange={setValue} />
      <output>{value}</output>
    </>
  )
}
const field = () => page.getByRole('combobox', { name: 'Country code' })

test('about 240 countries, each once, each with a code that the server accepts', () => {
  expect(countries.length).toBeGreaterThan(235)
  expect(new Set(countries.map(({ iso }) => iso)).size).toBe(countries.length)
  expect(countries.filter(({ dialCode }) => !countryCode.safeParse(dialCode).success)).toEqual([])
})

test('Denmark and India are first, then the alphabet', async () => {
  await show(<Held />)
  await userEvent.click(field())
  const names = page
    .getByRole('option')
    .elements()
    .map(({ textContent }) => textContent)
  expect(names.slice(0, 3)).toEqual(['Denmark +45', 'India +91', 'Afghanistan +93'])
})

test.each([
  ['swed', 'Sweden +46', '+46'],
  ['+358', 'Finland +358', '+358'],
  ['gb', 'United Kingdom +44', '+44'],
])('typing %s finds %s', async (typed, option, dialCode) => {
  await show(<Held />)
  await userEvent.click(field())
  await userEvent.fill(field(), typed)
  await userEvent.click(page.getByRole('option', { name: option }))
  await expect.element(page.getByRole('status')).toHaveTextContent(dialCode)
  await expect.element(field()).toHaveValue(option)
})

test('of countries that share a code the selected one stays; a stored code shows the main one', async () => {
  await show(<Held start="+47" />)
  await expect.element(field()).toHaveValue('Norway +47')
  await userEvent.click(field())
  await userEvent.fill(field(), 'Svalbard')
  await userEvent.click(page.getByRole('option').first())
  await expect.element(field()).toHaveValue('Svalbard & Jan Mayen +47')
})

test('the names follow the language', async () => {
  await show(<CountryCodeField value="+49" />, 'da')
  await expect.element(page.getByRole('combobox', { name: 'Landekode' })).toHaveValue('Tyskland +49')
})
