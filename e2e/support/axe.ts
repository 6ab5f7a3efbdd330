import { AxeBuilder } from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'
import type { RunOptions } from 'axe-core'

/** Each screen is checked in both, which covers colours and widths. */
export const looks = [
  { colorScheme: 'light', width: 1440 },
  { colorScheme: 'dark', width: 390 },
] as const
export type Look = (typeof looks)[number]

export const useLook = async (page: Page, { colorScheme, width }: Look) => {
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
  await page.setViewportSize({ width, height: 900 })
}

/** A tooltip is at the end of the page, outside every landmark, as dialogs are. */
export const axeOptions: RunOptions & { checks: object } = {
  resultTypes: ['violations'],
  checks: {
    region: { options: { regionMatcher: 'dialog, [role=dialog], [role=alertdialog], [role=tooltip], svg' } },
  },
}

/** No violation of axe, and nothing wider than the window. */
export const expectClean = async (page: Page) => {
  // Legacy mode runs in the page itself: for frames of other origins, which no page has, axe would open a second page each time.
  const { violations } = await new AxeBuilder({ page }).options(axeOptions).setLegacyMode(true).analyze()
  expect(
    violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]),
    page.url(),
  ).toEqual([])
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
}
