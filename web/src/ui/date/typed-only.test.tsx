import { expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { show } from '#testing/render.tsx'
import { DateField } from './DateField.tsx'
import { RangeField } from './RangeField.tsx'

// A factory that throws ends the whole run, so that the failure itself is replaced.
vi.mock('./use-calendars.ts', () => ({ useCalendars: () => ({ calendars: null, load: () => {}, early: {} }) }))

test('without the file of the calendars a date and a range can be typed', async () => {
  const [onDate, onRange] = [vi.fn<(date: string) => void>(), vi.fn<(range: object) => void>()]
  await show(
    <>
      <DateField label="Date" value="2026-11-20" onChange={onDate} />
      <RangeField label="Period" value={{ start: '2026-11-14', end: '2026-11-20' }} onChange={onRange} />
    </>,
  )
  await userEvent.click(page.getByRole('button', { name: 'Open calendar, Date' }))
  await expect.element(page.getByRole('button', { name: 'Today' })).toBeVisible()
  await userEvent.keyboard('{Escape}')
  await userEvent.fill(page.getByRole('textbox', { name: 'Date' }), '1.2.26')
  await userEvent.keyboard('{Enter}')
  expect(onDate).toHaveBeenCalledExactlyOnceWith('2026-02-01')
  await userEvent.click(page.getByRole('textbox', { name: 'Period' }))
  await userEvent.fill(page.getByRole('textbox', { name: 'From' }), '01.11.2026')
  await userEvent.click(page.getByRole('button', { name: 'Apply' }))
  expect(onRange).toHaveBeenCalledExactlyOnceWith({ start: '2026-11-01', end: '2026-11-20' })
})
