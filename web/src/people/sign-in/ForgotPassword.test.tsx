import { m } from '@gridmast/contract/messages.ts'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { emailHint, endAllSessions } from '#lib/session.ts'
import { answerCalls } from '#testing/answers.ts'
import { showAt } from '#testing/render.tsx'
import ForgotPassword from './ForgotPassword.tsx'
import { toasts } from '#testing/toasts.ts'

afterEach(() => {
  vi.useRealTimers()
  endAllSessions()
})

const sent = { message: m.otpSent, data: { resendInS: 120 } }
const start = async (answers: Parameters<typeof answerCalls>[0] = {}) => {
  const requests = answerCalls({ 'POST /user/reset-password': () => sent, ...answers })
  await showAt('/auth/forgot-password', <ForgotPassword />)
  return requests
}
const fill = (name: string, text: string) => userEvent.fill(page.getByLabelText(new RegExp(`^${name}`)), text)
const press = (name: string) => userEvent.click(page.getByRole('button', { name, exact: true }))
const toStepTwo = async () => {
  await fill('Email', 'mads@nordhavn.example')
  await press('Send code')
  await expect.element(page.getByRole('heading', { name: 'Choose a new password' })).toBeVisible()
}
const startStepTwo = async (answers: Parameters<typeof answerCalls>[0] = {}) => {
  const requests = await start(answers)
  await toStepTwo()
  return requests
}
const fillStepTwo = async (confirmation = 'long-enough-1') => {
  await fill('One-time code', '12345678')
  await fill('New password', 'long-enough-1')
  await fill('Confirm new password', confirmation)
  await press('Reset password')
}
const showsText = (text: string) => expect.element(page.getByText(text, { exact: true }).first()).toBeVisible()
const hidesText = (text: string) => expect.element(page.getByText(text, { exact: true })).not.toBeInTheDocument()
const timer = () => page.getByRole('timer')
const timerShows = (figure: RegExp) => expect.poll(() => timer().element().textContent).toMatch(figure)

describe('step 1', () => {
  test('the email is required and must be one', async () => {
    const requests = await start()
    await press('Send code')
    await showsText('This field is required')
    await fill('Email', 'mads@')
    await press('Send code')
    await showsText('Value must be a valid email')
    expect(requests).toEqual([])
  })

  test('S4 the email is sent, the toast confirms it, and the page is the same for any email', async () => {
    const requests = await start()
    await toStepTwo()
    expect(requests).toMatchObject([{ call: 'POST /user/reset-password', body: { email: 'mads@nordhavn.example' } }])
    expect(toasts).toEqual(['OTP sent on your email!'])
    await showsText('If mads@nordhavn.example has an account, we have sent a code.')
  })
})

test('a user with a code continues, and can have it sent again at once', async () => {
  const requests = await start()
  await press('I already have a code')
  await showsText('This field is required')
  await fill('Email', 'mads@nordhavn.example')
  await press('I already have a code')
  await showsText('Choose a new password')
  await expect.element(page.getByRole('button', { name: 'Resend code' })).toBeEnabled()
  expect(requests).toEqual([])
})

describe('step 2', () => {
  test('each field is required, and the first gets the focus', async () => {
    await startStepTwo()
    await press('Reset password')
    expect(page.getByText('This field is required').elements()).toHaveLength(3)
    await expect.element(page.getByLabelText(/^One-time code/)).toHaveFocus()
  })

  test('the code is a number', async () => {
    await startStepTwo()
    await fill('One-time code', '12a4')
    await press('Reset password')
    await showsText('Must be a number')
    await fill('One-time code', '1234')
    await press('Reset password')
    await hidesText('Must be a number')
  })

  test.for([
    [7, 'Must be at least 8 characters'],
    [8, null],
    [40, null],
    [41, 'Must be at most 40 characters'],
  ] as const)('S2 a new password of %i characters: %s', async ([length, message]) => {
    await startStepTwo()
    await fill('New password', 'x'.repeat(length))
    await press('Reset password')
    await showsText('This field is required')
    for (const text of ['Must be at least 8 characters', 'Must be at most 40 characters'])
      await (text === message ? showsText(text) : hidesText(text))
  })

  test('the confirmation must match', async () => {
    await startStepTwo()
    await fillStepTwo('long-enough-2')
    await showsText("Passwords don't match")
  })

  test('email, code and both passwords are sent; then sign-in, with the email filled', async () => {
    const requests = await startStepTwo({ 'POST /user/reset-with-otp': () => ({ message: m.passwordReset }) })
    await fillStepTwo()
    await showsText('at /auth/login')
    expect(requests[1]?.body).toEqual({
      email: 'mads@nordhavn.example',
      otp: '12345678',
      newPassword: 'long-enough-1',
      confirmNewPassword: 'long-enough-1',
    })
    expect(toasts.at(-1)).toBe('Password reset successfully!')
    expect(emailHint.get()).toBe('mads@nordhavn.example')
  })

  test('S4 an expired code is reported, and the typed text is kept', async () => {
    await startStepTwo({ 'POST /user/reset-with-otp': () => ({ status: 409, message: m.codeExpired }) })
    await fillStepTwo()
    await expect.poll(() => toasts.at(-1)).toBe('The code has expired. Request a new one.')
    await expect.element(page.getByLabelText(/^New password/)).toHaveValue('long-enough-1')
  })
})

describe('S4 the countdown', () => {
  /** The clock on the wall, which a test may move; timers go on as they are. */
  const wallClock = () => {
    let aheadMs = 0
    const real = Date.now.bind(Date)
    vi.spyOn(Date, 'now').mockImplementation(() => real() + aheadMs)
    return (ms: number) => {
      aheadMs += ms
    }
  }

  test('starts at 2:00 from the answer of the server, and nothing can be sent again before 0:00', async () => {
    await startStepTwo()
    await timerShows(/^(2:00|1:5\d)$/)
    await expect.element(page.getByRole('button', { name: 'Resend code' })).toBeDisabled()
  })

  test('follows the wall clock: a tab that slept shows the remaining time, and typing does not restart it', async () => {
    const ahead = wallClock()
    await startStepTwo()
    ahead(60_000)
    await timerShows(/^(1:00|0:5\d)$/)
    await fill('One-time code', '1')
    await timerShows(/^(1:00|0:5\d)$/)
  })

  test('at 0 the code can be sent again, which is confirmed and restarts the countdown', async () => {
    const ahead = wallClock()
    const requests = await startStepTwo({
      'POST /user/resend-otp': () => ({ message: m.otpResent, data: { resendInS: 120 } }),
    })
    ahead(121_000)
    await expect.element(timer()).not.toBeInTheDocument()
    await press('Resend code')
    await timerShows(/^(2:00|1:5\d)$/)
    expect(requests.at(-1)).toMatchObject({ call: 'POST /user/resend-otp', body: { email: 'mads@nordhavn.example' } })
    expect(toasts.at(-1)).toBe('OTP re-sent on your email!')
    await expect.element(page.getByRole('button', { name: 'Resend code' })).toBeDisabled()
  })
})
