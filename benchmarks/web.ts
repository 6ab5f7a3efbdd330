// The signed-in home in Chromium with a CPU slowdown of four: its largest paint, and the cost of the live charts per second. WEB_URL measures
// a running portal; otherwise a demo is started in a folder of its own.
import { type Browser, type CDPSession, type Page, chromium } from '@playwright/test'
import { minuteMs } from '@gridmast/contract/time.ts'
import { storageKeys } from '../contract/src/limits.ts'
import { chromiumFlags, findChromium } from '../tools/chromium.ts'
import { signIn, startDemo } from './demo.ts'

const slowdown = 4
const loads = 5
const settleMs = 8000
/** A new demo imports its history at first, which is not measured. */
const demoRestsAfterMs = minuteMs
const watchedMs = 30_000
const longMs = 100

type Watched = { tasks: number[]; paintMs: number }

const watch = () => {
  const seen: Watched = { tasks: [], paintMs: 0 }
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) seen.tasks.push(duration)
  }).observe({ type: 'longtask', buffered: true })
  new PerformanceObserver((list) => {
    for (const { startTime } of list.getEntries()) seen.paintMs = startTime
  }).observe({ type: 'largest-contentful-paint', buffered: true })
  Object.assign(window, { seen })
}
const seenOf = (page: Page) => page.evaluate(() => (window as unknown as { seen: Watched }).seen)

const openHome = async (browser: Browser, url: string, token: string) => {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
  await page.addInitScript(watch)
  await page.addInitScript(([key, value]) => localStorage.setItem(key, value), [storageKeys.token, token] as const)
  const cdp: CDPSession = await page.context().newCDPSession(page)
  await cdp.send('Emulation.setCPUThrottlingRate', { rate: slowdown })
  await cdp.send('Performance.enable')
  await page.goto(url)
  // The locator's text search runs in the page, 40 ms of it before the first paint, so it starts later.
  await page.waitForTimeout(settleMs)
  await page
    .getByText(/Last Reported: \d/)
    .first()
    .waitFor()
  return { page, cdp }
}

const busySeconds = async (cdp: CDPSession) =>
  (await cdp.send('Performance.getMetrics')).metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN

const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN

const measure = async (url: string) => {
  const token = await signIn(url)
  const browser = await chromium.launch({ executablePath: findChromium(), args: chromiumFlags })
  try {
    const paints: number[] = []
    for (let i = 1; i < loads; i++) {
      const { page } = await openHome(browser, url, token)
      paints.push((await seenOf(page)).paintMs)
      await page.close()
    }
    const { page, cdp } = await openHome(browser, url, token)
    const before = await seenOf(page)
    const busyBefore = await busySeconds(cdp)
    await page.waitForTimeout(watchedMs)
    const tasks = (await seenOf(page)).tasks.slice(before.tasks.length)
    const seconds = watchedMs / 1000
    return {
      paintMs: median([...paints, before.paintMs]),
      busyShare: ((await busySeconds(cdp)) - busyBefore) / seconds,
      tasksOver50: tasks.length,
      tasksOver100: tasks.filter((ms) => ms > longMs).length,
      longestTaskMs: Math.max(0, ...tasks),
      seconds,
    }
  } finally {
    await browser.close()
  }
}

const given = process.env['WEB_URL']
const demo = given ? null : await startDemo({ DEMO_HISTORY_DAYS: '1', DEMO_PRICE_DAYS: '3' })
if (demo) await new Promise((resolve) => setTimeout(resolve, demoRestsAfterMs))
try {
  console.log(JSON.stringify(await measure(given ?? demo?.url ?? '')))
} finally {
  await demo?.stop()
}
