import { Select, TextInput } from '@mantine/core'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { show } from '#testing/render.tsx'
import { type Early, lateField } from './late-field.tsx'

type Props = { label: string; autoFocus?: boolean; defaultDropdownOpened?: boolean }

const Closed = ({ label, early }: Props & Early) => <TextInput {...early} label={label} readOnly value="DK1" />

test('a field that was clicked before its file arrived has the focus and is open when it arrives; a click repeats a failed request', async () => {
  const { rerender } = await show(null)
  let requests = 0
  let arrive = () => {}
  const arrived = new Promise<void>((resolve) => (arrive = resolve))
  const Field = lateField<Props>(
    async () => {
      requests += 1
      if (requests === 1) throw new TypeError('Failed to fetch dynamically imported module')
      await arrived
      return (props) => <Select data={['DK1', 'DK2']} defaultValue="DK1" {...props} />
    },
    Closed,
    { defaultDropdownOpened: true },
  )
  rerender(<Field label="Area" />)
  const closed = page.getByRole('textbox', { name: 'Area' })
  await expect.element(closed).toHaveValue('DK1')
  await expect.poll(() => requests).toBe(1)
  await userEvent.click(closed)
  await expect.poll(() => requests).toBe(2)
  arrive()
  await expect.element(page.getByRole('option', { name: 'DK2' })).toBeVisible()
  const field = page.getByRole('combobox', { name: 'Area' })
  await expect.element(field).toHaveFocus()
  await expect.element(field).toHaveValue('DK1')
})

/** A field whose file arrives by `arrive`. */
const openLate = async () => {
  const { rerender } = await show(null)
  let arrive = () => {}
  const arrived = new Promise<void>((resolve) => (arrive = resolve))
  const Field = lateField<Props>(
    async () => {
      await arrived
      return (props) => <Select data={['DK1', 'DK2']} defaultValue="DK1" {...props} />
    },
    Closed,
    { defaultDropdownOpened: true },
  )
  rerender(<Field label="Area" />)
  const closed = page.getByRole('textbox', { name: 'Area' })
  await expect.element(closed).toHaveValue('DK1')
  return { Field, arrive, rerender, closed: closed.element() as HTMLElement } // an input
}

test('a file that arrives between the press of a button and its release does not lose the click', async () => {
  const { Field, arrive, rerender, closed } = await openLate()
  const Other = lateField<Props>(async () => (props) => <Select {...props} data={['DK1']} />, Closed)
  closed.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true }))
  closed.focus()
  arrive()
  // Loaded and drawn after the file of the pressed one.
  rerender(
    <>
      <Field label="Area" />
      <Other label="Other" />
    </>,
  )
  await expect.element(page.getByRole('combobox', { name: 'Other' })).toBeVisible()
  expect(closed.isConnected).toBe(true)
  closed.dispatchEvent(new PointerEvent('pointerup', { bubbles: true }))
  closed.dispatchEvent(new MouseEvent('click', { bubbles: true }))
  await expect.element(page.getByRole('option', { name: 'DK2' })).toBeVisible()
})

test('a second press keeps the field although the first one has ended', async () => {
  const { arrive, closed } = await openLate()
  const send = (type: string) => closed.dispatchEvent(new PointerEvent(type, { bubbles: true }))
  for (const type of ['pointerdown', 'pointerup', 'pointerdown']) send(type)
  arrive()
  await new Promise((resolve) => setTimeout(resolve, 301)) // after the timer of the first press
  expect(closed.isConnected).toBe(true)
  send('pointerup')
  closed.dispatchEvent(new MouseEvent('click', { bubbles: true }))
  await expect.element(page.getByRole('option', { name: 'DK2' })).toBeVisible()
})

test('a press that ends elsewhere does not hold the field back', async () => {
  const { arrive, closed } = await openLate()
  closed.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true }))
  arrive()
  window.dispatchEvent(new PointerEvent('pointercancel'))
  await expect.element(page.getByRole('combobox', { name: 'Area' })).toBeVisible()
  await expect.element(page.getByRole('option', { name: 'DK2' })).not.toBeInTheDocument()
})

test.each(['{Enter}', ' ', '{ArrowDown}'])('a field whose file failed is opened by keyboard: "%s"', async (key) => {
  const { rerender } = await show(null)
  let requests = 0
  const Field = lateField<Props>(
    async () => {
      requests += 1
      if (requests < 3) throw new TypeError('Failed to fetch dynamically imported module')
      return (props) => <Select data={['DK1', 'DK2']} defaultValue="DK1" {...props} />
    },
    Closed,
    { defaultDropdownOpened: true },
  )
  rerender(<Field label="Area" />)
  await expect.poll(() => requests).toBe(1)
  await userEvent.tab()
  await expect.element(page.getByRole('textbox', { name: 'Area' })).toHaveFocus()
  await expect.poll(() => requests).toBe(2)
  await userEvent.keyboard(key)
  await expect.element(page.getByRole('option', { name: 'DK2' })).toBeVisible()
  await expect.element(page.getByRole('combobox', { name: 'Area' })).toHaveFocus()
})

test('a field whose file has come is shown at once', async () => {
  const { rerender, container } = await show(null)
  const Field = lateField<Props>(async () => (props) => <TextInput {...props} />, Closed)
  rerender(<Field label="First" />)
  await expect.element(page.getByRole('textbox', { name: 'First' })).toHaveValue('')
  rerender(<Field key="second" label="Second" />)
  expect(container.querySelector('input')?.value).toBe('')
})
