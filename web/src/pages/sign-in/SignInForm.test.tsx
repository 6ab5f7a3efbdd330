import { expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { type SavedAccount, accountsStore } from '#lib/session.ts'
import { show } from '#testing/render.tsx'
import { SignInForm } from './SignInForm.tsx'

type Submit = Parameters<typeof SignInForm>[0]['onSubmit']
const form = (props: { onSubmit?: Submit; onResume?: (account: SavedAccount) => void; sending?: boolean }) => (
  <SignInForm
    sending={props.sending ?? false}
    onSubmit={props.onSubmit ?? (() => {})}
    onResume={props.onResume ?? (() => {})}
  />
)
const email = () => page.getByRole('textbox', { name: 'Email' })
const passwordField = () => document.querySelector<HTMLInputElement>('input[autocomplete="current-password"]')
const submit = () => page.getByRole('button', { name: 'Sign in' })

test('both fields are required, and the first wrong one gets the focus', async () => {
  const onSubmit = vi.fn<Submit>()
  await show(form({ onSubmit }))
  await userEvent.click(submit())
  expect(page.getByText('This field is required').elements()).toHaveLength(2)
  await expect.element(email()).toHaveFocus()
  expect(onSubmit).not.toHaveBeenCalled()
})

test('the email must be one', async () => {
  await show(form({}))
  await userEvent.fill(email(), 'mads@nordhavn')
  await userEvent.click(submit())
  await expect.element(page.getByText('Value must be a valid email')).toBeVisible()
})

test('valid credentials are sent as they were typed, with remember on', async () => {
  const onSubmit = vi.fn<Submit>()
  await show(form({ onSubmit }))
  await userEvent.fill(email(), 'sudoer@nordhavn.example')
  passwordField()?.focus()
  await userEvent.keyboard('gridmast-demo{Enter}')
  expect(onSubmit.mock.calls[0]?.[0]).toEqual({
    user: { email: 'sudoer@nordhavn.example', password: 'gridmast-demo' },
    remember: true,
  })
})

test('a refusal of the server stands under its field, which gets the focus', async () => {
  await show(form({ onSubmit: (_, refuse) => refuse({ 'user.password': 'Too long' }) }))
  await userEvent.fill(email(), 'sudoer@nordhavn.example')
  passwordField()?.focus()
  await userEvent.keyboard('gridmast-demo')
  await userEvent.click(submit())
  await expect.element(page.getByText('Too long')).toBeVisible()
  await expect.poll(() => document.activeElement).toBe(passwordField())
})

test('the eye shows the password', async () => {
  await show(form({}))
  expect(passwordField()?.type).toBe('password')
  await userEvent.click(page.getByRole('button', { name: 'Show password' }))
  expect(passwordField()?.type).toBe('text')
})

const account: SavedAccount = {
  id: '1',
  email: 'jens@vestkyst.example',
  name: 'Jens Holm',
  customerId: '2',
  customerName: 'Vestkyst Logistik ApS',
  profileImage: null,
  token: 'gmp_x',
  recentApps: [],
}

test('a saved account with a live session is resumed; one without fills the email', async () => {
  const onResume = vi.fn<(account: SavedAccount) => void>()
  accountsStore.set([account, { ...account, id: '3', name: 'Lene Riis', email: 'lene@nordhavn.example', token: null }])
  await show(form({ onResume }))
  await userEvent.click(page.getByRole('button', { name: /Jens Holm, Vestkyst Logistik ApS, jens@vestkyst.example/ }))
  expect(onResume).toHaveBeenCalledExactlyOnceWith(account)
  await userEvent.click(page.getByRole('button', { name: /Lene Riis/ }))
  await expect.element(email()).toHaveValue('lene@nordhavn.example')
  accountsStore.set([])
})
