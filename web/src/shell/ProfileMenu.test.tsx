import { expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { UserProvider } from '#lib/user.tsx'
import { showAt } from '#testing/render.tsx'
import { someUser } from '#testing/user.ts'
import { ProfileMenu } from './ProfileMenu.tsx'

const loading = vi.hoisted(() => Promise.withResolvers<void>())
vi.mock('./Preferences.tsx', async (original) => {
  await loading.promise
  return original()
})

test('the menu is as high before its theme and language are loaded as with them', async () => {
  await showAt(
    '/',
    <UserProvider value={someUser()}>
      <ProfileMenu />
    </UserProvider>,
  )
  await userEvent.click(page.getByRole('button', { name: /Profile menu$/ }))
  const menu = page.getByRole('dialog')
  await expect.element(menu.getByText('Switch User')).toBeVisible()
  const height = menu.element().clientHeight
  await expect.element(page.getByRole('radiogroup', { name: 'Language' })).not.toBeInTheDocument()
  loading.resolve()
  await expect.element(page.getByRole('radiogroup', { name: 'Language' })).toBeVisible()
  expect(menu.element().clientHeight).toBe(height)
})
