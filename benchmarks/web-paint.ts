// Screens of the built portal in Chromium with a CPU slowdown of four, in English and Danish, nothing cached: largest paint, tasks over 100 ms
// while the screen is live, and the longest of real interactions, from the input to the next paint. Peer in the same run: a page of one
// paragraph and one button that loads a script of as many bytes. WEB_URL measures a running portal; otherwise a demo is started.
import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { type Browser, type Page, chromium } from '@playwright/test'
import { minuteMs } from '@gridmast/contract/time.ts'
import { storageKeys } from '../contract/src/limits.ts'
import { chromiumFlags, findChromium } from '../tools/chromium.ts'
import { signIn, startDemo } from './demo.ts'

const slowdown = 4
const loads = 3
const settleMs = 5000
const liveMs = 20_000
const longMs = 100
const demoRestsAfterMs = minuteMs
/** Signed-in home on the wire, without its styles. */
const peerBytes = 200_000

const screens = {
  home: '/',
  events: '/demandResponse/FCR-D-INC',
  market: '/demandResponse/FCR-D-INC?tab=market',
  'EV charging': '/e3-App/evCharging',
  economics: '/eConomics',
  'overview of an instance': '/e3-App/FCR-D-DEC',
  'form of a bid request': '/demandResponse/FCR-D-INC?tab=requestBid&request=new',
}

type Seen = { paintMs: number; tasks: number[]; interactions: [id: number, ms: number][] }

const watch = () => {
  const seen: Seen = { paintMs: 0, tasks: [], interactions: [] }
  const follow = (type: string, note: (entry: PerformanceEntry) => void, more: object = {}) =>
    new PerformanceObserver((list) => list.getEntries().forEach(note)).observe({ type, buffered: true, ...more })
  follow('largest-contentful-paint', ({ startTime }) => (seen.paintMs = startTime))
  follow('longtask', ({ duration }) => seen.tasks.push(duration))
  follow(
    'event',
    (entry) => {
      const { interactionId, duration } = entry as PerformanceEventTiming
      if (interactionId > 0) seen.interactions.push([interactionId, duration])
    },
    { durationThreshold: 16 },
  )
  Object.assign(window, { seen })
}
const seenOf = (page: Page) => page.evaluate(() => (window as unknown as { seen: Seen }).seen)
const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN

const open = async (browser: Browser, url: string, stored: Record<string, string>) => {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  const page = await context.newPage()
  await page.addInitScript(watch)
  await page.addInitScript((values) => {
    for (const [key, value] of Object.entries(values)) localStorage.setItem(key, value)
  }, stored)
  const cdp = await context.newCDPSession(page)
  await cdp.send('Emulation.setCPUThrottlingRate', { rate: slowdown })
  await page.goto(url)
  do await page.waitForTimeout(settleMs)
  while ((await seenOf(page)).paintMs === 0)
  return page
}

/** What a user does on any screen, where it has the part: menu, palette, a word in it, another tab, a sorted column, a list of choices, a date. */
const acts: Record<string, (page: Page) => Promise<void>> = {
  'profile menu': (page) => page.getByRole('banner').getByRole('button').last().click({ timeout: 2000 }),
  'menu closed': (page) => page.keyboard.press('Escape'),
  palette: (page) => page.keyboard.press('Control+k'),
  'typed word': (page) => page.keyboard.type('cha', { delay: 150 }),
  'palette closed': (page) => page.keyboard.press('Escape'),
  'sorted column': (page) => page.locator('main th button').first().click({ timeout: 1000 }),
  choices: (page) => page.locator('main input[role="combobox"]').first().click({ timeout: 1000 }),
  'choices closed': (page) => page.keyboard.press('Escape'),
  calendar: (page) => page.locator('main button:has(.tabler-icon-calendar)').first().click({ timeout: 1000 }),
  'calendar closed': (page) => page.keyboard.press('Escape'),
  'other tab': (page) => page.locator('main [role="tab"][aria-selected="false"]').first().click({ timeout: 1000 }),
}
const actMs = 700

const interact = async (page: Page) => {
  const slow: Record<string, number> = {}
  for (const [name, act] of Object.entries(acts)) {
    const before = (await seenOf(page)).interactions.length
    if (
      !(await act(page).then(
        () => true,
        () => false,
      ))
    )
      continue // the screen has no such part
    await page.waitForTimeout(actMs)
    slow[name] = Math.max(0, ...(await seenOf(page)).interactions.slice(before).map(([, ms]) => ms))
  }
  return slow
}

const peer = async () => {
  const text = Array.from({ length: peerBytes / 8 }, () => Math.random().toString(36).slice(2, 10).padEnd(8, '0')).join(
    '',
  )
  const server = createServer((request, answer) => {
    const isScript = request.url === '/peer.js'
    answer.setHeader('content-type', isScript ? 'text/javascript' : 'text/html')
    answer.end(
      isScript
        ? `/*${text}*/document.body.innerHTML = '<p>Ready</p><button>Count</button>'\ndocument.querySelector('button').onclick = ({ target }) => (target.textContent += '.')`
        : '<!doctype html><body><script src="/peer.js" defer></script>',
    )
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => server.close() } // a TCP server has a port
}

const measurePeer = async (browser: Browser) => {
  const { url, close } = await peer()
  const paints: number[] = []
  const clicks: number[] = []
  for (let i = 0; i < loads; i++) {
    const page = await open(browser, url, {})
    for (let click = 0; click < 3; click++) {
      await page.getByRole('button').click()
      await page.waitForTimeout(actMs)
    }
    const seen = await seenOf(page)
    paints.push(seen.paintMs)
    clicks.push(Math.max(16, ...seen.interactions.map(([, ms]) => ms))) // shorter ones are not reported
    await page.context().close()
  }
  close()
  return { paintMs: median(paints), interactionMs: median(clicks) }
}

const measureScreen = async (browser: Browser, address: string, stored: Record<string, string>, watchedMs: number) => {
  const paints: number[] = []
  for (let i = 1; i < loads; i++) {
    const page = await open(browser, address, stored)
    paints.push((await seenOf(page)).paintMs)
    await page.context().close()
  }
  const page = await open(browser, address, stored)
  const { paintMs, tasks } = await seenOf(page)
  paints.push(paintMs)
  await page.waitForTimeout(watchedMs)
  const live = (await seenOf(page)).tasks.slice(tasks.length)
  const acted = await interact(page)
  await page.context().close()
  const [slowest, interactionMs] = Object.entries(acted).toSorted(([, a], [, b]) => b - a)[0] ?? ['', Number.NaN]
  return {
    paintMs: median(paints),
    longestMs: Math.max(0, ...live),
    over: live.filter((ms) => ms > longMs).length,
    interactionMs,
    slowest,
    acted,
  }
}

const measure = async (url: string, named: string[]) => {
  const token = await signIn(url)
  const browser = await chromium.launch({ executablePath: findChromium(), args: chromiumFlags })
  try {
    const bare = await measurePeer(browser)
    const rows = []
    for (const [name, path] of Object.entries(screens).filter(([name]) => named.length === 0 || named.includes(name)))
      for (const language of ['en', 'da']) {
        const stored = { [storageKeys.token]: token, GM_LANGUAGE: language }
        const watchedMs = language === 'en' ? liveMs : 0 // the tasks are the same in both
        const row = { screen: name, language, ...(await measureScreen(browser, `${url}${path}`, stored, watchedMs)) }
        console.error(JSON.stringify(row))
        rows.push(row)
      }
    const slowestPaint = rows.toSorted((a, b) => b.paintMs - a.paintMs)[0]
    const slowestAct = rows.toSorted((a, b) => b.interactionMs - a.interactionMs)[0]
    return {
      screens: rows.length,
      peerPaintMs: bare.paintMs,
      peerInteractionMs: bare.interactionMs,
      homePaintMs: Math.max(...rows.filter(({ screen }) => screen === 'home').map(({ paintMs }) => paintMs)),
      paintMs: slowestPaint?.paintMs ?? Number.NaN,
      paintOf: `${slowestPaint?.screen} (${slowestPaint?.language})`,
      paintOver: rows.filter(({ paintMs }) => paintMs > 1500).length,
      interactionMs: slowestAct?.interactionMs ?? Number.NaN,
      interactionOf: `${slowestAct?.slowest} on ${slowestAct?.screen} (${slowestAct?.language})`,
      interactionOver: rows.flatMap(({ acted }) => Object.values(acted)).filter((ms) => ms > longMs).length,
      interactions: rows.flatMap(({ acted }) => Object.values(acted)).length,
      liveOver: rows.reduce((sum, { over }) => sum + over, 0),
      liveLongestMs: Math.max(...rows.map(({ longestMs }) => longestMs)),
      liveS: (liveMs / 1000) * (rows.length / 2),
    }
  } finally {
    await browser.close()
  }
}

const given = process.env['WEB_URL']
const demo = given ? null : await startDemo({ DEMO_HISTORY_DAYS: '1', DEMO_PRICE_DAYS: '3' })
if (demo) await new Promise((resolve) => setTimeout(resolve, demoRestsAfterMs))
try {
  console.log(JSON.stringify(await measure(given ?? demo?.url ?? '', process.argv.slice(2))))
} finally {
  await demo?.stop()
}
