import { useState } from 'react'
import { expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { show } from '#testing/render.tsx'
import { DecimalField } from './DecimalField.tsx'

const onChange = vi.fn<(decimal: string | undefined) => void>()
const Form = ({ initial, decimals }: { initial: string | null; decimals: number }) => {
  const [value, setValue] = useState<string | null | undefined>(initial)
  return (
    <>
      <DecimalField
        label="Amount"
        decimals={decimals}
        initial={value}
        onChange={(next) => {
          onChange(next)
          setValue(next)
        }}
      />
      <button type="button" onClick={() => setValue('2500')}>
        Set
      </button>
    </>
  )
}
const fieldOf = async (initial: string | null = null, decimals = 2) => {
  onChange.mockClear()
  await show(<Form initial={initial} decimals={decimals} />)
  return page.getByLabelText('Amount')
}

test.each([
  ['5.000', '5000', '5.000'],
  ['5,000', '5,000', '5,000'],
  ['5000', '5000', '5.000'],
  ['1.250,5', '1250.5', '1.250,5'],
  ['0,5', '0.5', '0,5'],
  ['-1', '-1', '−1'],
  [' 7 ', '7', '7'],
  ['01', '1', '1'],
  ['1e3', '1e3', '1e3'],
  ['５', '５', '５'],
])('typed %j is %j, and after leaving the field reads %j', async (typed, decimal, shown) => {
  const field = await fieldOf()
  await field.fill(typed)
  expect(onChange).toHaveBeenLastCalledWith(decimal)
  for (const _ of [1, 2]) {
    await userEvent.tab()
    await expect.element(field).toHaveValue(shown)
    await field.click()
  }
  expect(onChange).toHaveBeenCalledOnce()
})

test('a field of whole numbers shows the fraction of its value', async () => {
  const field = await fieldOf(null, 0)
  await field.fill('1.250,5')
  await userEvent.tab()
  expect(onChange).toHaveBeenLastCalledWith('1250.5')
  await expect.element(field).toHaveValue('1.250,5')
})

test('focus and blur change nothing, and a field that is edited has no thousands separators', async () => {
  const field = await fieldOf('1500.12345', 3)
  await expect.element(field).toHaveValue('1.500,123')
  await field.click()
  await expect.element(field).toHaveValue('1500,12345')
  await userEvent.tab()
  await expect.element(field).toHaveValue('1.500,123')
  expect(onChange).not.toHaveBeenCalled()
})

test('a number that is set from outside is shown', async () => {
  const field = await fieldOf('1')
  await page.getByRole('button', { name: 'Set' }).click()
  await expect.element(field).toHaveValue('2.500')
})
