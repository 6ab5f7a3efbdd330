import type { User } from '@gridmast/contract/people/user.ts'
import { describe, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { answerCalls } from '#testing/answers.ts'
import { Verified, showAt } from '#testing/render.tsx'
import { someUser } from '#testing/user.ts'
import { toasts } from '#testing/toasts.ts'
import { CompanyForm, SecondFactorPolicy } from './Company.tsx'

const address = {
  primaryContactName: 'Mads Sørensen',
  primaryContactEmail: 'mads@nordhavn.example',
  billingEmail: 'faktura@nordhavn.example',
  contact: '31234567',
  countryCode: '+45',
}
const mads = someUser({ customerId: { address } })

const open = async (user: User = mads) => {
  let stored = user
  const store = (part: Partial<User['customerId']>) => {
    stored = { ...stored, customerId: { ...stored.customerId, ...part } }
  }
  const requests = answerCalls({
    'GET /user/verify': () => ({ data: { user: stored, due: null } }),
    'PATCH /client/customer/update-details': ({ body }) => {
      store({ address: body as User['customerId']['address'] }) // what the form sends
      return { message: 'Company profile updated!', data: { address: body } }
    },
    'PATCH /client/customer/second-factor': ({ body }) => {
      store({ secondFactorRequired: (body as { required: boolean }).required }) // as above
      return { message: 'Saved' }
    },
  })
  await showAt(
    '/company',
    <Verified>
      <CompanyForm />
      <SecondFactorPolicy />
    </Verified>,
  )
  await expect.element(field('Billing email')).toBeVisible()
  return () => requests.filter(({ call }) => call.startsWith('PATCH')).map(({ body }) => body)
}
const field = (name: string) => page.getByRole('textbox', { name })
const save = () => userEvent.click(page.getByRole('button', { name: 'Save changes' }))

describe('each rule shows its message, at both of its ends', () => {
  test.each([
    ['Primary contact name', '', 'This field is required'],
    ['Primary contact name', 'Mo', 'Must be at least 3 characters'],
    ['Primary contact name', 'x'.repeat(33), 'Must be at most 32 characters'],
    ['Primary contact email', '', 'This field is required'],
    ['Primary contact email', 'mads@nordhavn', 'invalid email'],
    ['Billing email', '', 'This field is required'],
    ['Billing email', 'faktura', 'invalid email'],
    ['Contact', '', 'This field is required'],
    ['Contact', '123', 'invalid contact number'],
    ['Contact', '1'.repeat(18), 'invalid contact number'],
  ])('%s "%s"', async (name, value, message) => {
    const patches = await open()
    await userEvent.fill(field(name), value)
    await save()
    await expect.element(page.getByText(message)).toBeVisible()
    await expect.element(field(name)).toHaveFocus()
    expect(patches()).toEqual([])
  })

  test.each([
    ['Primary contact name', 'Kim', 'primaryContactName'],
    ['Primary contact name', 'x'.repeat(32), 'primaryContactName'],
    ['Primary contact email', 'm@n.dk', 'primaryContactEmail'],
    ['Billing email', 'f@n.dk', 'billingEmail'],
    ['Contact', '1234', 'contact'],
    ['Contact', '1'.repeat(17), 'contact'],
  ])('%s "%s" is valid', async (name, value, key) => {
    const patches = await open()
    await userEvent.fill(field(name), value)
    await save()
    await expect.poll(patches).toEqual([{ ...address, [key]: value }])
    expect(toasts).toEqual(['Company profile updated!'])
  })

  test('a country code is required', async () => {
    const patches = await open(someUser({ customerId: { address: { ...address, countryCode: '' } } }))
    await save()
    await expect.element(page.getByText('This field is required')).toBeVisible()
    await expect.element(page.getByRole('combobox', { name: 'Country code' })).toHaveFocus()
    expect(patches()).toEqual([])
  })
})

test.each(['auditor', 'custom'] as const)('T1 for the role %s the fields are disabled, and why', async (userRole) => {
  await open({ ...mads, userRole })
  for (const name of ['Primary contact name', 'Primary contact email', 'Billing email', 'Contact'])
    await expect.element(field(name)).toBeDisabled()
  await expect.element(page.getByRole('combobox', { name: 'Country code' })).toBeDisabled()
  await expect.element(page.getByText(/Only Sudoer and Expert users can edit the company profile/)).toBeVisible()
  expect(page.getByRole('button', { name: 'Save changes' }).elements()).toEqual([])
})

describe('two-step sign-in for all users', () => {
  const policy = () => page.getByRole('switch', { name: /^Require two-step sign-in for everyone/ })

  test('requires a confirmation, and is shown as required afterwards', async () => {
    const patches = await open()
    await expect.element(policy()).not.toBeChecked()
    await userEvent.click(policy())
    expect(patches()).toEqual([])
    await userEvent.click(page.getByRole('button', { name: 'Require', exact: true }))
    await expect.poll(patches).toEqual([{ required: true }])
    await expect.element(policy()).toBeChecked()
    await expect.poll(() => document.querySelector('[role=dialog]')).toBeNull()
  })

  test('is unchanged when the confirmation is cancelled', async () => {
    const patches = await open(someUser({ customerId: { address, secondFactorRequired: true } }))
    await expect.element(policy()).toBeChecked()
    await userEvent.click(policy())
    await expect.element(page.getByRole('dialog', { name: 'Make two-step sign-in optional?' })).toBeVisible()
    await userEvent.click(page.getByRole('button', { name: 'Cancel' }))
    await expect.element(policy()).toBeChecked()
    expect(patches()).toEqual([])
  })

  test('stays off when the server refuses, with its message', async () => {
    answerCalls({
      'GET /user/verify': () => ({ data: { user: mads, due: null } }),
      'PATCH /client/customer/second-factor': () => ({
        status: 409,
        message: 'Turn on two-step sign-in for yourself first',
      }),
    })
    await showAt(
      '/company',
      <Verified>
        <SecondFactorPolicy />
      </Verified>,
    )
    await userEvent.click(policy())
    await userEvent.click(page.getByRole('button', { name: 'Require', exact: true }))
    await expect.poll(() => toasts).toEqual(['Turn on two-step sign-in for yourself first'])
    await expect.element(policy()).not.toBeChecked()
  })
})
