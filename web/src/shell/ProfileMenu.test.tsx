import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { chooseLanguage } from '#lib/i18n.ts'
import { UserProvider } from '#lib/user.tsx'
import { answerCalls } from '#testing/answers.ts'
import { showAt } from '#testing/render.tsx'
import { someUser } from '#testing/user.ts'
import { ProfileMenu } from './ProfileMenu.tsx'

test('the menu keeps the height of theme and language while they load', async () => {
  await showAt(
    '/',
    <UserProvider value={someUser()}>
      <ProfileMenu />
    </UserProvider>,
  )
  await userEvent.click(page.getByRole('button', { name: /Profile menu$/ }))
  const language = page.getByRole('radiogroup', { name: 'Language' })
  await expect.element(language).toBeVisible()
  const kept = language.element().closest('hr + div')
  if (!(kept instanceof HTMLElement)) throw new Error('theme and language stand in no box of their own')
  expect(`${kept.offsetHeight}px`).toBe(getComputedStyle(kept).minHeight)
})

test('the menu stays open in the language that is selected in it', async () => {
  answerCalls({ 'PUT /user/language': () => ({}) })
  await showAt(
    '/',
    <UserProvider value={someUser()}>
      <ProfileMenu />
    </UserProvider>,
  )
  await userEvent.click(page.getByRole('button', { name: /Profile menu$/ }))
  await userEvent.click(page.getByText('Dansk'))
  await expect.element(page.getByRole('dialog', { name: /Profilmenu$/ })).toBeVisible()
  await expect.element(page.getByRole('radio', { name: 'Dansk' })).toBeChecked()
  await expect.poll(() => document.activeElement?.closest('[role=dialog]')).not.toBeNull()
  await chooseLanguage('en')
})
