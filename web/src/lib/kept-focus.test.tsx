import { useEffect, useState } from 'react'
import { afterEach, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { show } from '#testing/render.tsx'
import { keepFocus } from './kept-focus.ts'

const answers = new EventTarget()
const answer = () => answers.dispatchEvent(new Event('answer'))
const Form = () => {
  const [sending, setSending] = useState(false)
  useEffect(() => {
    const end = () => setSending(false)
    answers.addEventListener('answer', end)
    return () => answers.removeEventListener('answer', end)
  }, [])
  return (
    <>
      <input aria-label="Name" />
      <button type="button" disabled={sending} onClick={() => setSending(true)}>
        Send
      </button>
    </>
  )
}

let stop = () => {}
afterEach(() => stop())

const sendByKeyboard = async () => {
  stop = keepFocus()
  await show(<Form />)
  const send = page.getByRole('button', { name: 'Send' })
  send.element().focus()
  await userEvent.keyboard('{Enter}')
  await expect.element(send).toBeDisabled()
  await expect.poll(() => document.activeElement).toBe(document.body)
  return send
}

test('a button that was disabled while it sent has the focus again after the answer', async () => {
  const send = await sendByKeyboard()
  answer()
  await expect.element(send).toHaveFocus()
})

test('a focus that has moved on in the meantime is not taken back', async () => {
  const send = await sendByKeyboard()
  const name = page.getByLabelText('Name')
  await name.click()
  answer()
  await expect.element(send).toBeEnabled()
  await expect.element(name).toHaveFocus()
})

test('a focus that has moved on and was given up is not taken later', async () => {
  const send = await sendByKeyboard()
  const name = page.getByLabelText('Name')
  await name.click()
  name.element().blur()
  answer()
  await expect.element(send).toBeEnabled()
  expect(document.activeElement).toBe(document.body)
})
