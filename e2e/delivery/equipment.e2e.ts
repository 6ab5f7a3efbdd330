import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { controlEquipment } from '@gridmast/contract/delivery/equipment.ts'
import { m } from '@gridmast/contract/messages.ts'
import { expect, type Locator, type Page } from '@playwright/test'
import { expectClean, looks, useLook } from '../support/axe.ts'
import { people, signIn } from '../support/people.ts'
import { type Demo, test } from '../support/test.ts'

// A market may use the equipment for some minutes before it can be tested: the largest disturbance of a simulated day lasts four.
const calledMs = 360_000
test.setTimeout(calledMs + 120_000)

const details = '/e3-App/FCR-D-INC?tab=details'
const dialogOf = (page: Page) => page.getByRole('dialog', { name: 'Equipment Testing' })
const answerOf = (dialog: Locator, setPoint: number) =>
  dialog.getByRole('status').filter({ hasText: `Set point ${setPoint} %` })

const faultsOf = ({ dataDir }: Demo) => join(dataDir, 'simulators/faults.json')
const misbehave = (demo: Demo, fault: unknown) => {
  mkdirSync(join(demo.dataDir, 'simulators'), { recursive: true })
  writeFileSync(faultsOf(demo), JSON.stringify({ 'edge-nord-01': fault }))
}

const open = async (page: Page) => {
  await signIn(page, people.sudoer, details)
  const row = page.getByRole('row', { name: /Nordhavn Køl 1/ })
  await expect(row.getByText('Reporting')).toBeVisible()
  await row.getByRole('button', { name: 'Equipment Testing' }).click()
  await expect(dialogOf(page).getByRole('region', { name: 'Power (kW)' })).toBeVisible()
  return dialogOf(page)
}
/** Retries while a market uses the equipment. */
const untilTaken = (page: Page, setPoint: number, give: () => Promise<void>) =>
  expect(async () => {
    // A set point that is refused is shown as sent for a moment.
    const answered = page.waitForResponse((one) => one.url().endsWith(controlEquipment.path))
    const [answer] = await Promise.all([answered, give()])
    expect(answer.ok()).toBe(true)
    await expect(dialogOf(page).getByText(new RegExp(`^Set point ${setPoint} %`))).toBeVisible({ timeout: 2000 })
    await expect(dialogOf(page).getByText('REJECTED: MARKET ACTIVE')).toHaveCount(0)
  }).toPass({ timeout: calledMs, intervals: [5000] })
const give = (page: Page, setPoint: number) => untilTaken(page, setPoint, () => giveOnce(page, setPoint))
const giveOnce = async (page: Page, setPoint: number) => {
  await dialogOf(page).getByRole('textbox', { name: /^Load/ }).fill(String(setPoint))
  await page.keyboard.press('Enter')
  if (setPoint === 0) return
  const question = page.getByRole('dialog', { name: `Send set point ${setPoint} %?` })
  await question.getByRole('button', { name: 'Send' }).click()
}
const isFocused = (one: Locator) => one.evaluate((element) => element === document.activeElement)
const tabTo = async (page: Page, target: Locator) => {
  for (let i = 0; i < 60 && !(await isFocused(target)); i++) await page.keyboard.press('Tab')
  await expect(target).toBeFocused()
}
/** A release is accepted while a market uses the equipment. */
const release = async (page: Page, demo: Demo) => {
  rmSync(faultsOf(demo), { force: true })
  await give(page, 0)
  await expect(answerOf(dialogOf(page), 0).getByText('APPLIED')).toBeVisible()
}

test(
  'by keyboard alone: a set point moves the equipment, the answer of the edge is shown, and the dialog closes after 0',
  { tag: '@product' },
  async ({ page }) => {
    await signIn(page, people.sudoer, details)
    const row = page.getByRole('row', { name: /Nordhavn Køl 1/ })
    const button = row.getByRole('button', { name: 'Equipment Testing' })
    await expect(button).toBeVisible()
    await tabTo(page, button)
    await page.keyboard.press('Enter')
    const dialog = dialogOf(page)
    const load = dialog.getByRole('textbox', { name: /^Load/ })
    await expect(load).toBeFocused()
    const sendTyped = async (setPoint: number) => {
      await tabTo(page, load)
      await page.keyboard.press('ControlOrMeta+A')
      await page.keyboard.type(String(setPoint))
      await page.keyboard.press('Enter')
    }
    await untilTaken(page, 40, async () => {
      await sendTyped(40)
      const question = page.getByRole('dialog', { name: 'Send set point 40 %?' })
      await expect(question).toBeVisible()
      await tabTo(page, question.getByRole('button', { name: 'Send' }))
      await page.keyboard.press('Enter')
    })
    const answer = answerOf(dialog, 40)
    await expect(answer.getByText('APPLIED')).toBeVisible()
    await expect(answer.getByText(/answered by the edge in \d+,\d\d s/)).toBeVisible()
    await expect(dialog.getByRole('switch', { name: /Auto refresh/ })).toBeChecked()

    await page.keyboard.press('Escape')
    await expect(page.getByRole('alert').getByText(m.closeNeedsZero)).toBeVisible()
    await expect(dialog).toBeVisible()
    await sendTyped(0)
    await expect(answerOf(dialog, 0).getByText('APPLIED')).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(dialog).toHaveCount(0)
    await expect(button).toBeFocused()
  },
)

test('C1 an edge that waits, refuses or does not answer has its own message, and the dialog still requires a 0', async ({
  page,
  demo,
}) => {
  const dialog = await open(page)
  misbehave(demo, { delayS: 6 })
  const waiting = dialog.getByText('Set point 30 % sent. Waiting for the edge, 10 s at most.').waitFor()
  await Promise.all([waiting, give(page, 30)])
  await expect(answerOf(dialog, 30).getByText(/APPLIED/)).toBeVisible()

  misbehave(demo, { refuse: 'REJECTED: LOCAL MODE' })
  await give(page, 40)
  await expect(answerOf(dialog, 40).getByText('REJECTED: LOCAL MODE')).toBeVisible()

  misbehave(demo, 'silent')
  await give(page, 50)
  await expect(answerOf(dialog, 50).getByText(m.noResponseFromEdge)).toBeVisible()
  await expect(dialog.getByText(m.closeNeedsZero)).toBeVisible()
  await release(page, demo)
  await dialog.getByRole('button', { name: 'Close' }).last().click()
  await expect(dialog).toHaveCount(0)
  await page.goto('/audit?action=equipment&show=all')
  await expect(page.getByText('REJECTED: LOCAL MODE').first()).toBeVisible()
  await expect(page.getByText(m.noResponseFromEdge).first()).toBeVisible()
})

for (const look of looks)
  test(`axe finds nothing on equipment testing before and after an answer, and Close is visible, ${look.colorScheme}, ${look.width} wide`, async ({
    page,
    demo,
  }) => {
    await useLook(page, look)
    await signIn(page, people.sudoer, details)
    await page.getByRole('button', { name: 'Equipment Testing' }).first().click()
    const dialog = dialogOf(page)
    await expect(dialog.getByRole('region', { name: 'Power (kW)' })).toBeVisible()
    await expectClean(page)
    await give(page, 20)
    await expect(answerOf(dialog, 20).getByText('APPLIED')).toBeVisible()
    await expect(dialog.getByRole('button', { name: 'Close' }).last()).toBeInViewport({ ratio: 1 })
    await expectClean(page)
    await release(page, demo)
  })
