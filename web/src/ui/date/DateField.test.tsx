import { today } from '@gridmast/contract/time.ts'
import { Modal, Select } from '@mantine/core'
import { useState } from 'react'
import { expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { expectClean } from '#testing/axe.ts'
import { show } from '#testing/render.tsx'
import { DateField } from './DateField.tsx'
import { MonthField } from './MonthField.tsx'
import { RangeField } from './RangeField.tsx'
import type { DateRange } from './typed-date.ts'

const Day = ({ onChange }: { onChange: (date: string) => void }) => {
  const [value, setValue] = useState('2026-11-20')
  return <DateField label="Date" value={value} max="2026-11-30" onChange={(date) => (setValue(date), onChange(date))} />
}
const field = () => page.getByRole('textbox', { name: 'Date' })

test('a typed day is taken on Enter and written out', async () => {
  const onChange = vi.fn<(date: string) => void>()
  await show(<Day onChange={onChange} />)
  await expect.element(field()).toHaveValue('20.11.2026')
  await userEvent.fill(field(), '1.2.26')
  await userEvent.keyboard('{Enter}')
  expect(onChange).toHaveBeenCalledExactlyOnceWith('2026-02-01')
  await expect.element(field()).toHaveValue('01.02.2026')
})

test('a user of the keyboard types another day over the current one', async () => {
  const onChange = vi.fn<(date: string) => void>()
  await show(<Day onChange={onChange} />)
  ;(page.getByRole('button', { name: 'Open calendar, Date' }).element() as HTMLElement).focus() // a button is an HTML element
  await userEvent.keyboard('{Tab}01.11.2026{Enter}')
  expect(onChange).toHaveBeenCalledExactlyOnceWith('2026-11-01')
})

test('a day that does not exist is refused and kept in the field', async () => {
  const onChange = vi.fn<(date: string) => void>()
  await show(<Day onChange={onChange} />)
  await userEvent.fill(field(), '31.02.2026')
  await userEvent.keyboard('{Enter}')
  await expect.element(page.getByText('Write a date as DD.MM.YYYY')).toBeVisible()
  await expect.element(field()).toHaveValue('31.02.2026')
  await userEvent.fill(field(), '01.12.2026')
  await expect.element(page.getByText('This date cannot be chosen')).toBeVisible()
  expect(onChange).not.toHaveBeenCalled()
  await userEvent.keyboard('{Escape}')
  await expect.element(field()).toHaveValue('20.11.2026')
})

test('the calendar opens by keyboard and gives the day that was picked', async () => {
  const onChange = vi.fn<(date: string) => void>()
  await show(<Day onChange={onChange} />)
  await userEvent.click(page.getByRole('button', { name: 'Open calendar, Date' }))
  await userEvent.click(page.getByRole('button', { name: /^12 November 2026/i }))
  expect(onChange).toHaveBeenCalledExactlyOnceWith('2026-11-12')
})

test('the calendar selects today with one click, where it is allowed', async () => {
  const onChange = vi.fn<(date: string) => void>()
  const now = today(Date.now())
  const { rerender } = await show(<DateField label="Date" value="2026-01-05" onChange={onChange} />)
  const open = () => userEvent.click(page.getByRole('button', { name: 'Open calendar, Date' }))
  await open()
  await userEvent.click(page.getByRole('button', { name: 'Today', exact: true }))
  expect(onChange).toHaveBeenCalledExactlyOnceWith(now)
  rerender(<DateField label="Date" value="2026-01-05" max="2026-01-05" onChange={onChange} />)
  await open()
  await expect.element(page.getByRole('dialog', { name: 'Date' })).toBeVisible()
  await expect.element(page.getByRole('button', { name: 'Today', exact: true })).not.toBeInTheDocument()
})

test('the calendar takes the focus, Escape closes it and gives the focus back', async () => {
  await show(<Day onChange={() => {}} />)
  const opener = page.getByRole('button', { name: 'Open calendar, Date' })
  ;(opener.element() as HTMLElement).focus() // a button is an HTML element
  await userEvent.keyboard('{Enter}')
  await expect.element(page.getByRole('button', { name: /^20 November 2026/i })).toHaveFocus()
  await userEvent.keyboard('{Escape}')
  await expect.poll(() => page.getByRole('dialog').elements().length).toBe(0)
  await expect.element(opener).toHaveFocus()
})

const Range = ({ onChange }: { onChange: (range: DateRange) => void }) => {
  const [value, setValue] = useState({ start: '2026-11-14', end: '2026-11-20' })
  return <RangeField label="Period" value={value} onChange={(range) => (setValue(range), onChange(range))} />
}

test('a range is typed, and applied only when its start is not after its end', async () => {
  const onChange = vi.fn<(range: DateRange) => void>()
  await show(<Range onChange={onChange} />)
  await userEvent.click(page.getByRole('textbox', { name: 'Period' }))
  const apply = page.getByRole('button', { name: 'Apply' })
  await userEvent.fill(page.getByRole('textbox', { name: 'From' }), '21.11.2026')
  await expect.element(apply).toBeDisabled()
  await userEvent.fill(page.getByRole('textbox', { name: 'From' }), '01.11.2026')
  await userEvent.click(apply)
  expect(onChange).toHaveBeenCalledExactlyOnceWith({ start: '2026-11-01', end: '2026-11-20' })
  await expect.element(page.getByRole('textbox', { name: 'Period' })).toHaveValue('01.11.2026 – 20.11.2026')
})

test('a picked range is applied with its second day, and closes; so is a shortcut', async () => {
  const onChange = vi.fn<(range: DateRange) => void>()
  await show(<Range onChange={onChange} />)
  const field = page.getByRole('textbox', { name: 'Period' })
  await userEvent.click(field)
  await userEvent.click(page.getByRole('button', { name: /^19 November 2026/i }))
  expect(onChange).not.toHaveBeenCalled()
  await userEvent.click(page.getByRole('button', { name: /^12 November 2026/i }))
  await expect.poll(() => page.getByRole('dialog').elements().length).toBe(0)
  expect(onChange).toHaveBeenCalledExactlyOnceWith({ start: '2026-11-12', end: '2026-11-19' })
  await userEvent.click(field)
  await userEvent.click(page.getByRole('button', { name: 'Today' }))
  await expect.poll(() => page.getByRole('dialog').elements().length).toBe(0)
  expect(onChange.mock.lastCall?.[0].start).toBe(onChange.mock.lastCall?.[0].end)
})

test('a month is chosen by one button when it is this one, unless it is out of bounds', async () => {
  const onChange = vi.fn<(month: string) => void>()
  await show(
    <>
      <MonthField label="Month" value="2026-01" onChange={onChange} />
      <MonthField label="Past" value="2026-01" max="2026-02" onChange={onChange} />
    </>,
  )
  await userEvent.click(page.getByRole('button', { name: 'Open calendar, Past' }))
  await expect.element(page.getByRole('dialog', { name: 'Past' })).toBeVisible()
  expect(page.getByRole('button', { name: 'This month' }).elements()).toEqual([])
  await userEvent.keyboard('{Escape}')
  await userEvent.click(page.getByRole('button', { name: 'Open calendar, Month' }))
  await userEvent.click(page.getByRole('button', { name: 'This month' }))
  expect(onChange).toHaveBeenCalledExactlyOnceWith(today(Date.now()).slice(0, 7))
})

test('in Danish the week begins on Monday and months have Danish names', async () => {
  const onChange = vi.fn<(month: string) => void>()
  await show(
    <>
      <Day onChange={() => {}} />
      <MonthField label="Måned" value="2026-11" max="2026-11" onChange={onChange} />
    </>,
    'da',
  )
  await userEvent.click(page.getByRole('button', { name: 'Åbn kalender, Date' }))
  const calendar = page.getByRole('dialog', { name: 'Date' })
  await expect.element(calendar.getByText('november 2026')).toBeVisible()
  expect(calendar.element().querySelector('thead')?.textContent).toMatch(/^ma/i)
  await userEvent.keyboard('{Escape}')
  await userEvent.click(page.getByRole('button', { name: 'Åbn kalender, Måned' }))
  await expect.element(page.getByRole('button', { name: /^dec/i })).toBeDisabled()
  await userEvent.click(page.getByRole('button', { name: /^okt/i }))
  expect(onChange).toHaveBeenCalledExactlyOnceWith('2026-10')
})

test('Escape closes the popup of a field, not the dialog that holds the field', async () => {
  const onClose = vi.fn<() => void>()
  await show(
    <Modal opened onClose={onClose} title="Files">
      <Range onChange={() => {}} />
    </Modal>,
  )
  const dialogs = () => page.getByRole('dialog').elements().length
  await userEvent.click(page.getByRole('textbox', { name: 'Period' }))
  await expect.element(page.getByRole('button', { name: 'Apply' })).toBeVisible()
  await expect.poll(() => document.activeElement?.closest('[role=dialog]')?.getAttribute('aria-label')).toBe('Period')
  await userEvent.keyboard('{Escape}')
  await expect.poll(dialogs).toBe(1)
  expect(onClose).not.toHaveBeenCalled()
})

test('axe finds nothing in a calendar, a period or a list open in a dialog', async () => {
  await show(
    <Modal opened onClose={() => {}} title="Files" closeButtonProps={{ 'aria-label': 'Close' }}>
      <Day onChange={() => {}} />
      <Range onChange={() => {}} />
      <Select label="Area" data={['DK1', 'DK2']} />
    </Modal>,
  )
  await userEvent.click(page.getByRole('button', { name: 'Open calendar, Date' }))
  await expect.element(page.getByRole('dialog', { name: 'Date' })).toBeVisible()
  await expectClean()
  await userEvent.keyboard('{Escape}')
  await userEvent.click(page.getByRole('textbox', { name: 'Period' }))
  await expect.element(page.getByRole('button', { name: 'Apply' })).toBeVisible()
  await expectClean()
  await userEvent.keyboard('{Escape}')
  await userEvent.click(page.getByRole('combobox', { name: 'Area' }))
  await expect.element(page.getByRole('option', { name: 'DK2' })).toBeVisible()
  await expectClean()
})
