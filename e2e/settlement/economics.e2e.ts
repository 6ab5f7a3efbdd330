import { readFile, writeFile } from 'node:fs/promises'
import { expect, type Page } from '@playwright/test'
import { compareChains, verifyRecord } from '../../server/src/delivery/flight-record/verify.ts'
import { downloadBy } from '../support/downloads.ts'
import { expectClean, looks, useLook } from '../support/axe.ts'
import { people, signIn } from '../support/people.ts'
import { daysAgo, settledMs } from '../support/settled.ts'
import { test } from '../support/test.ts'

const path = `/eConomics?startDate=${daysAgo(20)}&endDate=${daysAgo(2)}`

const settlements = (page: Page) => page.getByRole('table', { name: 'Settlements' })
const openSettled = async (page: Page) => {
  await expect(async () => {
    await page.reload()
    const closed = settlements(page).getByRole('row').filter({ hasText: 'Won' }).filter({ hasNotText: 'Day not over' })
    await closed.first().getByRole('button').last().click({ timeout: 3000 })
  }).toPass({ timeout: settledMs, intervals: [5000] })
  return page.getByRole('dialog')
}

test(
  'a settled day opens its formula; its flight record is verified without the server, and a changed price is detected',
  { tag: '@product' },
  async ({ page }, info) => {
    test.setTimeout(settledMs + 120_000)
    await signIn(page, people.auditor, path)
    const dialog = await openSettled(page)
    await expect(dialog.getByRole('table', { name: 'How the settlement is calculated' })).toBeVisible()
    await expect(dialog.getByRole('region', { name: 'Energy' })).toBeVisible()
    await expect(dialog.getByText(/^Price: /).first()).toBeVisible()
    const files: string[] = []
    for (const name of ['first.jsonl', 'second.jsonl']) {
      const download = await downloadBy(page, () => dialog.getByRole('button', { name: 'Flight record' }).click())
      await download.saveAs(info.outputPath(name))
      files.push(await readFile(info.outputPath(name), 'utf8'))
    }
    const [first = '', second = ''] = files
    expect(verifyRecord(first)).toMatchObject({ wrong: [] })
    expect(compareChains([verifyRecord(first), verifyRecord(second)])).toEqual([])
    await writeFile(info.outputPath('changed.jsonl'), first.replace(/"marginalEur":"[^"]*"/, '"marginalEur":"999"'))
    expect(verifyRecord(await readFile(info.outputPath('changed.jsonl'), 'utf8')).wrong.join()).toContain(
      "Part 'bids' was changed",
    )
  },
)

test('the causes of a higher or lower month: the parts, in words and as bars, in each look', async ({ page }) => {
  test.setTimeout(settledMs + 120_000)
  await signIn(page, people.auditor, path)
  await openSettled(page)
  await page.keyboard.press('Escape')
  const month = daysAgo(10).slice(0, 7)
  for (const look of looks) {
    await useLook(page, look)
    await page.goto(`/eConomics?tab=comparison&month=${month}`)
    const bars = page.getByRole('table', { name: /^(From one month to the other|Fra den ene måned til den anden)$/ })
    await expect(bars).toBeVisible()
    await expect(bars.getByRole('row')).not.toHaveCount(1)
    await expectClean(page)
  }
})
