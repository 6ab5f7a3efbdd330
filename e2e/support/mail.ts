import type { Page } from '@playwright/test'

/** Waits for the newest mail of the demo to this address. */
export const newestMail = async (page: Page, to: string): Promise<string> => {
  for (;;) {
    const body = await (await page.request.get('/dev/mail')).text()
    const found = body.split('<details>').find((mail) => mail.includes(to))
    if (found) return found
    await page.waitForTimeout(250)
  }
}
