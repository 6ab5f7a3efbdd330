import { resendOtp } from '@gridmast/contract/people/auth.ts'
import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { answerCalls } from '#testing/answers.ts'
import { show } from '#testing/render.tsx'
import { toasts } from '#testing/toasts.ts'
import { FormActions } from '#ui/FormParts.tsx'
import { formChecks, useCallForm } from './call-form.ts'

afterEach(() => vi.restoreAllMocks())

const Form = ({ onCancel }: { onCancel: () => void }) => {
  const { field, formProps, sending, waitS } = useCallForm(resendOtp, { initial: { email: '' }, onDone: () => {} })
  return (
    <form {...formProps}>
      <TextInput label="Email" {...field('email')} />
      <FormActions onCancel={onCancel} sending={sending} waitS={waitS}>
        Send
      </FormActions>
    </form>
  )
}
const Opened = () => {
  const [opened, setOpened] = useState(true)
  return opened && <Form onCancel={() => setOpened(false)} />
}

/** A form that is submitted before its checks have arrived. */
const submitEarly = async () => {
  const requests = answerCalls({ 'POST /user/resend-otp': () => ({ data: { resendInS: 120 } }) })
  await show(<Opened />)
  const file = await formChecks.load()
  const get = vi.spyOn(formChecks, 'get').mockReturnValue(undefined)
  const { promise, resolve, reject } = Promise.withResolvers<typeof file>()
  vi.spyOn(formChecks, 'load').mockReturnValue(promise)
  await userEvent.fill(page.getByRole('textbox', { name: 'Email' }), 'mads@nordhavn.example')
  await userEvent.click(page.getByRole('button', { name: 'Send' }))
  await expect.element(page.getByRole('button', { name: 'Send' })).toHaveAttribute('data-loading', 'true')
  expect(requests).toEqual([])
  const arrive = () => {
    get.mockRestore()
    resolve(file)
  }
  return { requests, arrive, reject }
}

test('a form that is submitted before its checks have arrived is busy until then, and is then sent', async () => {
  const { requests, arrive } = await submitEarly()
  arrive()
  await expect.poll(() => requests.length).toBe(1)
  await expect.element(page.getByRole('button', { name: 'Send' })).not.toHaveAttribute('data-loading')
})

test('a form that is cancelled before its checks have arrived is not sent', async () => {
  const { requests, arrive } = await submitEarly()
  await userEvent.click(page.getByRole('button', { name: 'Cancel' }))
  arrive()
  await new Promise((resolve) => setTimeout(resolve, 100))
  expect(requests).toEqual([])
})

test('a form whose checks cannot be loaded reports it and can be submitted again', async () => {
  const { requests, reject } = await submitEarly()
  reject(new TypeError('Failed to fetch dynamically imported module'))
  await expect.poll(() => toasts).toEqual(['The form could not be loaded. Try again, or reload the page.'])
  await expect.element(page.getByRole('button', { name: 'Send' })).toBeEnabled()
  expect(requests).toEqual([])
})
