// node tools/newcomer.ts [--minutes 10] [--pictures folder] [--report file]: starts a fresh demo, repeatedly opens every screen and tab of
// both companies after 'ready', and reports when each was complete and what it lacked before.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { chromium, type Page } from '@playwright/test'
import { storageKeys } from '@gridmast/contract/limits.ts'
import { chromiumFlags, findChromium } from './chromium.ts'
import { freePort, root } from './run.ts'
import { password, people } from '../e2e/support/people.ts'
import { signedInPaths } from '../e2e/support/screens.ts'

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    pictures: { type: 'string' },
    report: { type: 'string' },
    /** A running demo instead of a fresh one. */
    url: { type: 'string' },
    only: { type: 'string' },
  },
})

const companies = { nordhavn: people.sudoer, vestkyst: people.vestkyst }
const paths = [
  ...signedInPaths.filter((path) => !/^\/(e3|e3-Legacy|dashboard|nowhere|\$)|FCR-D-INC$/.test(path)),
  ...['FCR-D-INC', 'FCR-D-DEC', 'FCR', 'FFR', 'aFRR'].map((market) => `/demandResponse/${market}`),
  '/e3-App',
  ...['FCR-D-INC', 'FCR-D-DEC', 'FCR', 'FFR', 'aFRR', 'evCharging', 'dataHub'].map((name) => `/e3-App/${name}`),
].filter((path) => !values.only || new RegExp(values.only).test(path))

type Visit = { company: string; screen: string; atS: number; lacks: string[] }
const visits: Visit[] = []

/** Texts that state missing data. */
const lacksOf = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const main = document.querySelector('main')
    if (!main) return ['no main']
    const found: string[] = []
    const isVisible = (element: Element) => element.checkVisibility()
    for (const element of main.querySelectorAll('*')) {
      const own = [...element.childNodes]
        .filter((node) => node.nodeType === Node.TEXT_NODE)
        .map((node) => node.textContent?.trim() ?? '')
        .join(' ')
        .trim()
      if (!/^(No |Nothing |None |There (is|are) no|[€]? ?–$|Never)/.test(own) || !isVisible(element)) continue
      if (/^[€]? ?–$/.test(own)) {
        const place = element.closest('section, article, tr, dl, li')
        found.push(`– in ${(place?.textContent ?? '').trim().slice(0, 60)}`)
      } else found.push(own.slice(0, 90))
    }
    const busy = [...main.querySelectorAll('[role=status][aria-label=Loading], [aria-busy=true]')].filter(isVisible)
    if (busy.length > 0) found.push(`${busy.length} loading`)
    return [...new Set(found)]
  })

const settle = async (page: Page) => {
  await page.locator('main').waitFor()
  await page
    .waitForFunction(
      () => !document.querySelector('main [role=status][aria-label=Loading], main [aria-busy=true]'),
      undefined,
      {
        timeout: 8000,
      },
    )
    .catch(() => {})
  await page.waitForTimeout(400)
}

const tabsOf = (page: Page) =>
  page
    .locator('main [role=tablist]')
    .evaluateAll((lists) =>
      lists.map((list) => [...list.querySelectorAll('[role=tab]')].map((tab) => (tab.textContent ?? '').trim())),
    )

const note = async (page: Page, company: string, screen: string, readyMs: number) => {
  const atS = Math.round((Date.now() - readyMs) / 1000)
  const lacks = await lacksOf(page)
  visits.push({ company, screen, atS, lacks })
  if (values.pictures) {
    mkdirSync(values.pictures, { recursive: true })
    const name = `${company}${screen}-${String(Math.floor(atS / 60)).padStart(2, '0')}`.replaceAll(/[^\w-]+/g, '_')
    await page.screenshot({ path: join(values.pictures, `${name}.png`) })
  }
}

const walkScreen = async (page: Page, company: string, path: string, readyMs: number) => {
  await page.goto(path)
  await settle(page)
  await note(page, company, path, readyMs)
  const [first = [], second] = await tabsOf(page)
  const walkInner = async (prefix: string, names: string[]) => {
    for (const name of names.slice(1)) {
      await page.locator('main [role=tablist]').nth(1).getByRole('tab', { name, exact: true }).click()
      await settle(page)
      await note(page, company, `${prefix} › ${name}`, readyMs)
    }
  }
  if (second) await walkInner(path, second)
  for (const name of first.slice(1)) {
    await page.locator('main [role=tablist]').first().getByRole('tab', { name, exact: true }).click()
    await settle(page)
    await note(page, company, `${path} › ${name}`, readyMs)
    const [, inner] = await tabsOf(page)
    if (inner) await walkInner(`${path} › ${name}`, inner)
  }
}

const walk = async (url: string, company: string, email: string, readyMs: number, untilMs: number) => {
  const browser = await chromium.launch({ executablePath: findChromium(), args: chromiumFlags })
  try {
    const page = await browser.newPage({ baseURL: url, viewport: { width: 1440, height: 900 } })
    const answer = await page.request.post('/api/user/login', { data: { user: { email, password } } })
    const { data } = (await answer.json()) as { data: { token: string } } // the shape is checked by the contract's tests
    await page.addInitScript(([key, token]) => localStorage.setItem(key, token), [
      storageKeys.token,
      data.token,
    ] as const)
    while (Date.now() < untilMs)
      for (const path of paths) {
        if (Date.now() >= untilMs) break
        await walkScreen(page, company, path, readyMs).catch((error: unknown) =>
          console.error(`${company} ${path}: ${error instanceof Error ? error.message.split('\n')[0] : String(error)}`),
        )
      }
  } finally {
    await browser.close()
  }
}

const table = (): string => {
  const lines: string[] = []
  for (const [key, all] of Map.groupBy(visits, ({ company, screen }) => `${company} ${screen}`)) {
    lines.push(key)
    for (const { atS, lacks } of all) lines.push(`    ${String(atS).padStart(4)} s  ${lacks.join(' | ') || 'full'}`)
  }
  return lines.join('\n')
}

const folder = mkdtempSync(join(tmpdir(), 'demo-newcomer-'))
const [port, mqttPort] = [await freePort(), await freePort()]
const server = values.url
  ? null
  : spawn(process.execPath, [join(root, 'tools/start.ts')], {
      cwd: root,
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      env: {
        ...process.env,
        PORT: String(port),
        MQTT_PORT: String(mqttPort),
        METRICS_PORT: '0',
        DATA_DIR: join(folder, 'data'),
        LOG_LEVEL: process.env['LOG_LEVEL'] ?? 'info',
      },
    })
const url = values.url ?? `http://127.0.0.1:${port}`
while (!(await fetch(`${url}/api/health`).catch(() => null))?.ok)
  await new Promise((resolve) => setTimeout(resolve, 250))
const readyMs = Date.now()
const report = () =>
  values.report && writeFileSync(values.report, `${readFileSync('/proc/loadavg', 'utf8')}${table()}\n`)
const reporting = setInterval(report, 10_000)
const untilMs = readyMs + Number(values.minutes) * 60_000
await Promise.allSettled(
  Object.entries(companies).map(([company, email]) => walk(url, company, email, readyMs, untilMs)),
)
clearInterval(reporting)
report()
if (server) {
  const ended = once(server, 'exit')
  server.kill('SIGTERM')
  await ended
  rmSync(folder, { recursive: true, force: true })
}
if (!values.report) console.log(table())
