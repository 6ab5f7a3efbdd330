import { m } from '@gridmast/contract/messages.ts'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { answerCalls } from '#testing/answers.ts'
import { showAt } from '#testing/render.tsx'
import RequestAccount from './RequestAccount.tsx'

const form = { name: 'Lone Krogh', company: 'Vestkyst Logistik ApS', email: 'lone@vestkyst.example', message: 'Hej' }
const labels = { name: 'Name', company: 'Company', email: 'Email', message: 'Message' } as const
const fill = async (values: Partial<typeof form>) => {
  for (const [key, text] of Object.entries(values))
    await userEvent.fill(page.getByLabelText(new RegExp(`^${labels[key as keyof typeof labels]}`)), text) // a key of the form
}
const send = () => userEvent.click(page.getByRole('button', { name: 'Send request' }))

test('every field is required, the email must be one, and the first wrong field gets the focus', async () => {
  const requests = answerCalls({})
  await showAt('/auth/request-account', <RequestAccount />)
  await send()
  expect(page.getByText('This field is required').elements()).toHaveLength(4)
  await expect.element(page.getByLabelText(/^Name/)).toHaveFocus()
  await fill({ ...form, email: 'lone' })
  await send()
  await expect.element(page.getByText('Value must be a valid email')).toBeVisible()
  await expect.element(page.getByLabelText(/^Email/)).toHaveFocus()
  expect(requests).toEqual([])
})

test('name and message have their longest length', async () => {
  const requests = answerCalls({ 'POST /user/request-account': () => ({ message: m.accountRequested }) })
  await showAt('/auth/request-account', <RequestAccount />)
  await fill({ ...form, name: 'x'.repeat(101), message: 'x'.repeat(2001) })
  await send()
  await expect.element(page.getByText('Must be at most 100 characters')).toBeVisible()
  await expect.element(page.getByText('Must be at most 2000 characters')).toBeVisible()
  await fill({ name: 'x'.repeat(100), message: 'x'.repeat(2000) })
  await send()
  await expect.element(page.getByRole('heading', { name: 'Your request is sent' })).toBeVisible()
  expect(requests).toHaveLength(1)
})

test('the typed values are sent, and the page says thank you', async () => {
  const requests = answerCalls({ 'POST /user/request-account': () => ({ message: m.accountRequested }) })
  await showAt('/auth/request-account', <RequestAccount />)
  await fill(form)
  await send()
  await expect.element(page.getByText(/^Thank you\./)).toBeVisible()
  expect(requests).toEqual([{ call: 'POST /user/request-account', body: form, token: null }])
})
