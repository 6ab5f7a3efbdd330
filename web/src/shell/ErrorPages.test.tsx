import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { UserProvider } from '#lib/user.tsx'
import { showAt } from '#testing/render.tsx'
import { someUser } from '#testing/user.ts'
import { RefusedPage } from './ErrorPages.tsx'
import { NavProvider } from './nav.ts'

const address = {
  primaryContactName: 'Mads Sørensen',
  primaryContactEmail: 'mads@nordhavn.example',
  billingEmail: '',
  contact: '',
  countryCode: '',
}

test.for([
  ['not authorized', 'Oops! You are not authorized to access this!'],
  ['not enabled', 'This feature is not enabled for your company'],
  ['license not active', 'Oops! License is not active'],
  ['license not found', 'Oops! License Not Found'],
] as const)('R1 %s: the sentence, a Home button and the administrator contact', async ([reason, sentence]) => {
  await showAt(
    '/x',
    <UserProvider value={someUser({ userRole: 'auditor', email: 'kim@nordhavn.example', customerId: { address } })}>
      <NavProvider value={{ sidebar: [], profile: [], home: { to: '/cfmdashboard' } }}>
        <RefusedPage reason={reason} />
      </NavProvider>
    </UserProvider>,
  )
  await expect.element(page.getByRole('heading', { level: 1, name: sentence, exact: true })).toBeVisible()
  await expect.element(page.getByRole('link', { name: 'Home' })).toHaveAttribute('href', '/cfmdashboard')
  await expect
    .element(page.getByRole('link', { name: 'mads@nordhavn.example' }))
    .toHaveAttribute('href', 'mailto:mads@nordhavn.example')
})

test('an administrator is referred to the operator', async () => {
  await showAt(
    '/x',
    <UserProvider value={someUser({ userRole: 'sudoer', email: 'mads@nordhavn.example', customerId: { address } })}>
      <NavProvider value={{ sidebar: [], profile: [], home: { to: '/cfmdashboard' } }}>
        <RefusedPage reason="not enabled" />
      </NavProvider>
    </UserProvider>,
  )
  await expect
    .element(page.getByText('Your operator enables features for your company. Ask your operator.'))
    .toBeVisible()
  expect(page.getByRole('link', { name: 'mads@nordhavn.example' }).elements()).toEqual([])
})
