import { expect } from '@playwright/test'
import { looks, useLook } from '../support/axe.ts'
import { findOpened } from '../support/openers.ts'
import { people, signIn } from '../support/people.ts'
import { screens } from '../support/screens.ts'
import { test } from '../support/test.ts'

for (const look of looks)
  test(`axe finds nothing on what each screen opens, ${look.colorScheme}, ${look.width} wide`, async ({ page }) => {
    test.setTimeout(900_000)
    await useLook(page, look)
    await signIn(page, people.sudoer)
    // Nothing is sent, created or deleted.
    await page.route('**/api/**', (route) => (route.request().method() === 'GET' ? route.continue() : route.abort()))
    const done = new Set<string>()
    const found = []
    let count = 0
    for (const [screen, path] of Object.entries(screens)) {
      const { findings, opened } = await findOpened(page, screen, path, done)
      found.push(...findings)
      count += opened
    }
    expect(found).toEqual([])
    expect(count).toBeGreaterThan(100)
  })
