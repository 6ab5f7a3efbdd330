import { minuteMs } from '@gridmast/contract/time.ts'
import { useState } from 'react'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { show } from '#testing/render.tsx'
import { loadFields } from '#ui/late-field.tsx'

const fromMs = Date.parse('2026-11-19T09:00:00Z')
const day = { fromMs, toMs: fromMs + 60 * minuteMs }

/** Imported by each test, so that the first one sees its file arrive where no earlier test file loaded it. */
const picker = async (props: { mostDays?: number } = {}) => {
  const { RangePicker } = await import('./RangePicker.tsx')
  const Picker = () => {
    const [chosen, setChosen] = useState<string | undefined>('7d')
    return <RangePicker shown={{ span: day }} chosen={chosen} zoom={undefined} onChoose={setChosen} {...props} />
  }
  return <Picker />
}
const button = (name: string) => page.getByRole('button', { name })

test('the button that clears a range is the same before and after the file of its choices arrives', async () => {
  const { rerender } = await show(null)
  rerender(await picker())
  const clear = button('Clear time range').element()
  await loadFields()
  await userEvent.click(button('Time range: Last 7 days'))
  await expect.element(button('Last 24 hours')).toBeVisible()
  expect(clear.isConnected).toBe(true)
  await userEvent.click(clear)
  await expect.element(button('Clear time range')).not.toBeInTheDocument()
})

test('a range that is cleared by keyboard leaves the focus on the button of the ranges', async () => {
  await show(await picker())
  await userEvent.tab()
  await userEvent.tab()
  await expect.element(button('Clear time range')).toHaveFocus()
  await userEvent.keyboard('{Enter}')
  await expect.element(button('Time range')).toHaveFocus()
  await expect.element(button('Clear time range')).not.toBeInTheDocument()
})

test('a range is at most as long as its screen can show, with the hour that October adds', async () => {
  await show(await picker({ mostDays: 31 }))
  await userEvent.click(button('Time range: Last 7 days'))
  await userEvent.fill(page.getByRole('textbox', { name: 'From' }), '01.10.2026 00:00')
  const to = page.getByRole('textbox', { name: 'To' })
  await userEvent.fill(to, '01.11.2026 00:01')
  await expect.element(page.getByText('At most 31 days')).toBeVisible()
  await userEvent.fill(to, '01.11.2026 00:00')
  await expect.element(page.getByText('At most 31 days')).not.toBeInTheDocument()
  await userEvent.click(button('Apply'))
  await expect.element(button('Time range: 01.10.2026 00:00 – 31.10.2026 24:00')).toBeVisible()
})
