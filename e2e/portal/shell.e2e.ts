import { expect } from '@playwright/test'
import { people, signIn, signInByForm } from '../support/people.ts'
import { test } from '../support/test.ts'

test('the sidebar opens after a hover of half a second, not at once, and stays when pinned', async ({ page }) => {
  await signIn(page, people.sudoer)
  const sidebar = page.getByRole('navigation', { name: 'Main' })
  const width = async () => (await sidebar.boundingBox())?.width ?? 0
  expect(await width()).toBeLessThan(80)
  const openedAfterMs = sidebar.evaluate(
    (element) =>
      new Promise<number>((resolve) => {
        const measure = () => {
          const movedAt = performance.now()
          const look = () =>
            element.getBoundingClientRect().width > 200
              ? resolve(performance.now() - movedAt)
              : requestAnimationFrame(look)
          look()
        }
        element.addEventListener('mousemove', measure, { once: true })
      }),
  )
  await sidebar.hover()
  expect(await openedAfterMs).toBeGreaterThanOrEqual(500)
  await page.getByRole('button', { name: /pin/i }).click()
  await page.mouse.move(900, 500)
  await page.waitForTimeout(700)
  expect(await width()).toBeGreaterThan(200)
})

test('toasts close by themselves', async ({ page }) => {
  await signInByForm(page, people.sudoer)
  await expect(page.getByText('Login Success')).toBeHidden({ timeout: 5000 })
})

test('the profile menu shows the role, switches to Danish and to dark, and both survive a reload', async ({ page }) => {
  await signIn(page, people.auditor)
  const menu = page.getByRole('button', { name: /profile menu|profilmenu/i })
  await menu.click()
  await expect(page.getByText('Auditor', { exact: true })).toBeVisible()
  await page.getByText('Dansk').click()
  await expect(page.getByRole('region', { name: 'Frekvens (Hz)' })).toBeVisible()
  await page.reload()
  await expect(page.getByRole('region', { name: 'Frekvens (Hz)' })).toBeVisible()
  await expect(page.locator('html')).toHaveAttribute('lang', 'da')
})

test('the command palette opens with Ctrl+K and finds a page by keyboard', async ({ page }) => {
  await signIn(page, people.sudoer)
  await page.keyboard.press('Control+k')
  await expect(page.getByRole('combobox', { name: 'Search or jump to' })).toBeFocused()
  await page.keyboard.type('Køl 1')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('region', { name: /^Nordhavn Køl 1/ })).toBeVisible()
})

test('an unknown address has its own page, and the privacy policy needs no session', async ({ page }) => {
  await page.goto('/privacyPolicy')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await signIn(page, people.sudoer, '/no/such/page')
  await expect(page.getByRole('link', { name: /home/i })).toBeVisible()
})

test('on a phone the navigation is a bar at the bottom and a drawer', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await signIn(page, people.sudoer)
  await page.getByRole('button', { name: 'Open menu' }).click()
  await expect(page.getByRole('dialog').getByText('Logout')).toBeVisible()
})
