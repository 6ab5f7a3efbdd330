import type { Download, Page } from '@playwright/test'

/** The file downloaded by an act; without one, the error lists the calls sent and answered meanwhile. */
export const downloadBy = async (page: Page, act: () => Promise<unknown>): Promise<Download> => {
  const calls: string[] = []
  page.on('request', (request) => calls.push(`${request.method()} ${request.url()}`))
  page.on('response', (response) => calls.push(`${response.status()} ${response.url()}`))
  page.on('requestfailed', (request) => calls.push(`${request.failure()?.errorText} ${request.url()}`))
  const file = page.waitForEvent('download', { timeout: 60_000 })
  const [download] = await Promise.all([
    file.catch((error: unknown) => {
      throw new Error(`Nothing was downloaded. Since the act:\n${calls.join('\n')}`, { cause: error })
    }),
    act(),
  ])
  return download
}
