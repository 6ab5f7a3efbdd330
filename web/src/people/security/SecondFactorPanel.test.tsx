import type { User } from '@gridmast/contract/people/user.ts'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { answerCalls } from '#testing/answers.ts'
import { Verified, showAt } from '#testing/render.tsx'
import { someUser } from '#testing/user.ts'
import { toasts } from '#testing/toasts.ts'
import { SecondFactorPanel } from './Security.tsx'

const codes = ['AAAA-2222', 'BBBB-3333']

const open = async (user: User, removal: object = { message: 'Two-step sign-in is off' }) => {
  let stored = user
  const requests = answerCalls({
    'GET /user/verify': () => ({ data: { user: stored, due: null } }),
    'POST /user/second-factor/begin': () => ({ data: { secret: 'ABCDEFGH', uri: 'otpauth://totp/x?secret=ABCDEFGH' } }),
    'POST /user/second-factor/confirm': () => {
      stored = { ...user, secondFactor: true }
      return { data: { recoveryCodes: codes } }
    },
    'POST /user/second-factor/remove': () => {
      if (!('errors' in removal)) stored = { ...user, secondFactor: false }
      return removal
    },
  })
  await showAt(
    '/security',
    <Verified>
      <SecondFactorPanel />
    </Verified>,
  )
  return () => requests.filter(({ call }) => call.startsWith('POST')).map(({ call, body }) => [call.slice(25), body])
}
const password = async (typed: string) => {
  await expect.poll(() => document.querySelector('input[autocomplete="current-password"]')).not.toBeNull()
  document.querySelector<HTMLInputElement>('input[autocomplete="current-password"]')?.focus()
  await userEvent.keyboard(typed)
}
const button = (name: string) => page.getByRole('button', { name, exact: true })

test('set up: password, code, then the recovery codes once; Escape does not lose them, and then it is on', async () => {
  await open(someUser())
  await expect.element(page.getByText('Two-step sign-in is off')).toBeVisible()
  await userEvent.click(button('Set up'))
  await expect.poll(() => document.activeElement?.getAttribute('autocomplete')).toBe('current-password')
  await userEvent.keyboard('gridmast-demo{Enter}')
  await userEvent.fill(page.getByRole('textbox', { name: 'Code from the app' }), '123456')
  await userEvent.keyboard('{Enter}')
  await expect.element(page.getByText('AAAA-2222')).toBeVisible()
  await userEvent.keyboard('{Escape}')
  await expect.element(page.getByText('BBBB-3333')).toBeVisible()
  await userEvent.click(page.getByRole('checkbox', { name: 'I have saved the codes' }))
  await userEvent.click(button('Done'))
  await expect.poll(() => document.querySelector('[role=dialog]')).toBeNull()
  expect(document.documentElement.outerHTML).not.toContain('AAAA-2222')
  await expect.element(page.getByText('Two-step sign-in is on')).toBeVisible()
})

test('turning it off requires the password, and a wrong one is reported under the field', async () => {
  const refusal = { status: 400, message: 'x', errors: { currentPassword: 'The current password is not correct' } }
  const requests = await open(someUser({ secondFactor: true }), refusal)
  await userEvent.click(button('Turn off'))
  await userEvent.keyboard('{Enter}')
  await password('wrong{Enter}')
  await expect.element(page.getByText('The current password is not correct')).toBeVisible()
  expect(requests().at(-1)).toEqual(['remove', { currentPassword: 'wrong' }])
  await expect.element(page.getByText('Two-step sign-in is on')).toBeVisible()
})

test('with the right password it is off', async () => {
  await open(someUser({ secondFactor: true }))
  await userEvent.click(button('Turn off'))
  await password('gridmast-demo{Enter}')
  await expect.element(page.getByText('Two-step sign-in is off')).toBeVisible()
  expect(toasts).toEqual(['Two-step sign-in is off'])
})

test('where the company requires it, it cannot be turned off', async () => {
  await open(someUser({ secondFactor: true, customerId: { secondFactorRequired: true } }))
  await expect.element(page.getByText(/Your company requires two-step sign-in\./)).toBeVisible()
  expect(button('Turn off').elements()).toEqual([])
})
