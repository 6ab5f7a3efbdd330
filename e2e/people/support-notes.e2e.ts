import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect } from '@playwright/test'
import PostalMime from 'postal-mime'
import { expectClean, looks, useLook } from '../support/axe.ts'
import { newestMail } from '../support/mail.ts'
import { people, signIn } from '../support/people.ts'
import { type Demo, test } from '../support/test.ts'

const sentMail = async ({ dataDir }: Demo, subject: string, title: string): Promise<string> => {
  for (;;) {
    const names = await readdir(join(dataDir, 'mail')).catch((): string[] => [])
    for (const name of names.toSorted().toReversed()) {
      const { subject: given, text, to } = await PostalMime.parse(await readFile(join(dataDir, 'mail', name)))
      if (given === subject && text?.includes(title)) return `${to?.[0]?.address ?? ''}\n${text ?? ''}`
    }
    await pause(250)
  }
}

const operator = 'operator@gridmast.example'

test('a note is written, mailed to the operator, edited and closed; an auditor reads it', async ({
  page,
  browser,
  demo,
}) => {
  await signIn(page, people.expert, '/insights/supportNotes')
  await page.getByRole('button', { name: 'Add note' }).click()
  const form = page.getByRole('dialog')
  await form.getByRole('button', { name: 'Create note' }).click()
  await expect(form.getByText('This field is required')).toHaveCount(2)
  await form.getByLabel('Title').fill('Meter gap at Køl 1')
  await form.getByLabel('Description').fill('No values since Friday.\n- meter 7\n- meter 8')
  await form.getByRole('button', { name: 'Create note' }).click()
  await expect(page.getByText('The team will reach out to you in 24 hours.')).toBeVisible()
  const card = page.getByRole('listitem').filter({ hasText: 'Meter gap at Køl 1' })
  await expect(card.getByText('Open', { exact: true })).toBeVisible()
  expect(await newestMail(page, operator)).toContain('New support note')
  const created = await sentMail(demo, 'New support note', 'Meter gap at Køl 1')
  for (const text of [operator, 'Nordhavn Frost A/S', people.expert, '- meter 8']) expect(created).toContain(text)

  await page.getByRole('button', { name: 'Edit Meter gap at Køl 1' }).click()
  await form.getByRole('switch', { name: /^Open/ }).click()
  await page.keyboard.press('Escape')
  await page
    .getByRole('dialog', { name: 'Leave without saving?' })
    .getByRole('button', { name: 'Keep editing' })
    .click()
  await form.getByRole('button', { name: 'Save changes' }).click()
  await expect(card.getByText('Closed')).toBeVisible()
  expect(await sentMail(demo, 'Support note changed', 'Meter gap at Køl 1')).toContain('the note is closed')

  const other = await (await browser.newContext()).newPage()
  await signIn(other, people.auditor, page.url())
  await other.getByRole('button', { name: 'Meter gap at Køl 1' }).click()
  await expect(other.getByRole('dialog').getByRole('listitem')).toHaveText(['meter 7', 'meter 8'])
  await expect(other.getByRole('button', { name: /^(Add|Edit)/ })).toHaveCount(0)
  await other.context().close()
})

test('version history: three lines on a card, the full text in a popup, with the running version', async ({ page }) => {
  await signIn(page, people.auditor, '/insights/versionhistory')
  const card = page.getByRole('listitem').filter({ hasText: /^Version 0\.1\.0/ })
  await expect(card.getByText(/^Gridmast · \d\d\.\d\d\.\d{4}$/)).toBeVisible()
  const cut = await card.locator('p').boundingBox()
  expect(cut?.height).toBe(60)
  await card.getByRole('button').click()
  await expect(page.getByRole('dialog').getByRole('listitem').first()).toHaveText(/^Home shows/)
  await page.keyboard.press('Escape')
  await expect(card.getByRole('button')).toBeFocused()
})

for (const look of looks)
  test(`axe finds nothing on notes and versions, ${look.colorScheme}, ${look.width} wide`, async ({ page }) => {
    await useLook(page, look)
    await signIn(page, people.expert, '/insights/supportNotes')
    await expect(page.getByRole('list', { name: 'Support Notes' })).toBeVisible()
    await expectClean(page)
    await page.getByRole('button', { name: 'Add note' }).click()
    await expect(page.getByRole('dialog')).toBeVisible()
    await expectClean(page)
    await page.goto('/insights/versionhistory')
    await page
      .getByRole('button', { name: /^Version/ })
      .first()
      .click()
    await expect(page.getByRole('dialog')).toBeVisible()
    await expectClean(page)
  })
