import { expect, type Locator, type Page } from '@playwright/test'
import { storageKeys } from '@gridmast/contract/limits.ts'
import { today } from '@gridmast/contract/time.ts'
import { people, signIn } from '../support/people.ts'
import { test } from '../support/test.ts'

/** Decimal numbers, which only an answer can contain. 0,0 is excluded: any instance may have sold nothing. */
const figuresOf = async (part: Locator): Promise<string[]> =>
  ((await part.innerText()).match(/[−\d][\d.]*,\d+/g) ?? []).filter((figure) => !/^0,0+$/.test(figure))

const holdCalls = async (page: Page) => {
  let held = 0
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  await page.route(/\/api\/client\/(?!live)/, async (route) => {
    held++
    await released
    await route.continue()
  })
  return { count: () => held, release }
}

/** After a choice and before its answer, no earlier figure is shown under it. */
const nothingOldUnder = async (page: Page, part: Locator, choose: () => Promise<void>, read = figuresOf) => {
  // A new demo still sends its history.
  await expect.poll(() => read(part), { timeout: 90_000 }).not.toEqual([])
  await expect(part.getByRole('status', { name: 'Loading' })).toHaveCount(0)
  const before = new Set(await read(part))
  const calls = await holdCalls(page)
  await choose()
  await expect.poll(calls.count).toBeGreaterThan(0)
  await expect.poll(async () => (await read(part)).filter((figure) => before.has(figure))).toEqual([])
  calls.release()
  await expect(part.getByRole('status', { name: 'Loading' })).toHaveCount(0)
}

const cellsOf = (part: Locator) => part.getByRole('cell').allInnerTexts()
const entriesOf = async (part: Locator) => (await part.innerText()).match(/\d\d:\d\d:\d\d/g) ?? []
const main = (page: Page) => page.getByRole('main')
const card = (page: Page, name: RegExp) => page.getByRole('region', { name })
const asTable = (part: Locator) => part.getByRole('button', { name: 'Show as table' }).click()
const option = async (page: Page, box: string, name: string) => {
  await page.getByRole('combobox', { name: box, exact: true }).first().click()
  await page.getByRole('option', { name, exact: true }).click()
}
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()

const choose = async (page: Page, part: Locator, name: string) => {
  await part.getByRole('button', { name: /Choose an instance$/ }).click()
  await page.getByRole('menuitem', { name, exact: true }).click()
}

test('home: another day, instance or capacity shows no old data', async ({ page }) => {
  await signIn(page, people.sudoer)
  const cost = card(page, /Power cost/)
  await asTable(cost)
  await nothingOldUnder(page, cost, () => cost.getByText('15 min').click())
  await nothingOldUnder(page, cost, () => cost.getByText('Tomorrow').click())
  const instance = page.locator('section', {
    has: page.getByRole('button', { name: 'Choose an instance', exact: true }),
  })
  await nothingOldUnder(page, instance, () => choose(page, instance, 'Esbjerg Fryselager'))
  const capacity = card(page, /Power capacity$/)
  for (const name of ['Nordhavn Batteri', 'Nordhavn Ladepark'])
    await nothingOldUnder(page, capacity, () => choose(page, capacity, name))
  // The card of sold capacity has requested the total already.
  const before = new Set(await figuresOf(capacity))
  await choose(page, capacity, 'All 4 instances')
  await expect.poll(async () => (await figuresOf(capacity)).filter((figure) => before.has(figure))).toEqual([])
})

test('day ahead: another day, more days or another area shows no old data', async ({ page }) => {
  await signIn(page, people.sudoer, '/insights/dayahead')
  await asTable(card(page, /^Nordpool/))
  await nothingOldUnder(page, main(page), () => press(page, 'Previous day'))
  await nothingOldUnder(page, main(page), async () => {
    await page.getByRole('form', { name: 'Day ahead' }).getByText('3', { exact: true }).click()
    await press(page, 'Submit')
  })
  await nothingOldUnder(page, main(page), async () => {
    await option(page, 'Price area', 'DK1')
    await press(page, 'Submit')
  })
})

test('carbon: another area, day, instance or the prognosis shows no old data', async ({ page }) => {
  await signIn(page, people.sudoer, '/insights/carbonemission')
  await asTable(card(page, /^Emission/))
  const own = card(page, /^Own emission \(kg/)
  await nothingOldUnder(page, main(page), () => option(page, 'Area', 'DK1'))
  await nothingOldUnder(page, own, () => option(page, 'Instance', 'Esbjerg Varmepumpe'))
  await nothingOldUnder(page, own, () => press(page, 'Previous day'))
  await nothingOldUnder(page, card(page, /^Emission/), () => press(page, 'Previous day'), cellsOf)
  await nothingOldUnder(page, main(page), () => page.getByRole('tab', { name: 'Emission Prognosis' }).click(), cellsOf)
})

test('market: another type, day or instance shows no old data', async ({ page }) => {
  await signIn(page, people.sudoer, '/demandResponse/FCR-D-INC?tab=market')
  const prices = card(page, /Pricing/)
  await asTable(prices)
  await nothingOldUnder(page, prices, () => option(page, 'Type', 'D-1'))
  await nothingOldUnder(page, prices, () => press(page, 'Previous day'))
  const capacity = card(page, /Power capacity$/)
  await nothingOldUnder(page, capacity, () => choose(page, capacity, 'Nordhavn Batteri'))
})

test('signal: another day, time or grid shows no old data', async ({ page }) => {
  await signIn(page, people.sudoer, '/demandResponse/aFRR?tab=signal')
  await asTable(card(page, /^Frequency/))
  await asTable(card(page, /^Set Point/))
  await nothingOldUnder(page, page.getByRole('tabpanel'), async () => {
    await page.getByRole('textbox', { name: 'Start time' }).fill('00:00')
    await page.getByRole('textbox', { name: 'End time' }).fill('00:10')
    await press(page, 'Submit')
  })
  await nothingOldUnder(page, card(page, /^Frequency/), async () => {
    await option(page, 'Signal', 'DK2 · Norden')
    await press(page, 'Submit')
  })
  await nothingOldUnder(page, page.getByRole('tabpanel'), () => press(page, 'Previous day'))
})

test('calculator: another area, capacity or month shows no old data', async ({ page }) => {
  await signIn(page, people.sudoer, '/insights/revenuePotentialCalculator')
  await asTable(card(page, /^Revenue by month/))
  await nothingOldUnder(page, main(page), async () => {
    await page.getByRole('textbox', { name: /Capacity \(MW\)/ }).fill('2')
    await press(page, 'Submit')
  })
  await nothingOldUnder(page, main(page), async () => {
    await option(page, 'Select Area', 'DK1')
    await press(page, 'Submit')
  })
})

test('audit trail: another filter or page shows no old data', async ({ page }) => {
  await signIn(page, people.sudoer, '/audit?show=all')
  const list = card(page, /^Audit trail$/)
  // More than one page of entries: each file is one.
  await page.evaluate(
    async ([key, path]) => {
      const headers = { authorization: `Bearer ${localStorage.getItem(key)}` }
      for (let i = 0; i < 31; i++) await fetch(path, { headers })
    },
    [
      storageKeys.token,
      `/api/client/audit?startDate=${today(Date.now())}&endDate=${today(Date.now())}&format=csv`,
    ] as const,
  )
  await page.reload()
  await nothingOldUnder(page, list, () => press(page, 'Page 2'), entriesOf)
  await nothingOldUnder(page, list, () => page.getByRole('textbox', { name: 'Who' }).fill('sudoer'), entriesOf)
})
