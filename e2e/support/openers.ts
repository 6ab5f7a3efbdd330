import axe, { type AxeResults } from 'axe-core'
import type { Page } from '@playwright/test'
import { axeOptions } from './axe.ts'

const layers =
  'dialog[open], [role=dialog], [role=alertdialog], [role=menu], [role=listbox], [popover]:not([popover=manual]), section[data-full]'
const controls = 'button, [role=button], [role=combobox], summary'
/** End the session, change its language or leave the portal. */
const skipped = /^(Logout|Logout All Accounts|Switch User|English|Dansk|Retry now|Undo)$/
/** Alike on all screens, so that one of them is opened. */
const shared =
  /^(Tools of|Show as|Save picture|Download$|How this is calculated|Export$|Columns|View:|Search|Notifications|.*Profile menu|Open menu|More$|Pin the sidebar|Skip)/

type Opener = { n: number; name: string }
type Finding = { screen: string; opener: string; rules: string[] }

/** Visible buttons of `scope` that may open something; in a table or list those of its first row only. */
const openersIn = (page: Page, scope: string, within: string): Promise<Opener[]> =>
  page.evaluate(
    ([scope = '', controls = '']) => {
      const isUsable = (element: Element) =>
        element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) &&
        !element.matches(
          ':disabled, [aria-disabled=true], [type=submit], [role=tab], [role=switch], [aria-pressed], [aria-expanded=true]',
        ) &&
        !element.closest(
          '[inert], [aria-hidden=true], thead, tbody tr:not(:first-child), li:not(:first-child), [popover=manual]',
        )
      const nameOf = (element: Element) =>
        element.getAttribute('aria-label') ??
        (element instanceof HTMLInputElement ? element.labels?.[0]?.textContent : element.textContent) ??
        ''
      for (const old of document.querySelectorAll('[data-opener]')) old.removeAttribute('data-opener')
      return [...new Set([...document.querySelectorAll(scope)].flatMap((root) => [...root.querySelectorAll(controls)]))]
        .filter(isUsable)
        .map((element, n) => {
          element.setAttribute('data-opener', String(n))
          return { n, name: nameOf(element).replaceAll(/\s+/g, ' ').trim() }
        })
    },
    [scope, within],
  )

/** Marks what is open now; the number of layers and of expanded parts. */
const markOpen = (page: Page): Promise<[open: number, expanded: number]> =>
  page.evaluate((layers) => {
    for (const old of document.querySelectorAll('[data-layer]')) old.removeAttribute('data-layer')
    const open = [...document.querySelectorAll(layers)].filter(
      (one) => one.checkVisibility({ visibilityProperty: true }) && one.getBoundingClientRect().height > 0,
    )
    open.at(-1)?.setAttribute('data-layer', '')
    return [open.length, document.querySelectorAll('main [aria-expanded=true], main details[open]').length]
  }, layers)

const rulesOf = async (page: Page, scope: string): Promise<string[]> => {
  // Not by a script of the page, which its policy refuses.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source)
  const { violations } = await page.evaluate(
    ([scope, options]) =>
      (window as unknown as { axe: { run: (at: object, how: object) => Promise<AxeResults> } }).axe.run(
        { include: [scope] },
        // The options of a field are reached by its arrow keys, also those that are scrolled out.
        {
          ...options,
          rules: { 'scrollable-region-focusable': { enabled: !document.querySelector(`${scope}[role=listbox]`) } },
        },
      ), // axe's own page global
    [scope, axeOptions] as const,
  )
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 300)).join(' ')}`)
}

const openedWithinMs = 500

/** Presses an opener and waits for what it opens; false where it opens nothing. */
const press = async (page: Page, { n }: Opener, before: [number, number]) => {
  const opener = page.locator(`[data-opener="${n}"]`)
  await opener.click({ timeout: 2000 }).catch(() => {})
  for (const until = Date.now() + openedWithinMs; Date.now() < until; await page.waitForTimeout(40)) {
    const [open, expanded] = await markOpen(page)
    if (open > before[0]) return 'layer'
    if (expanded > before[1]) return 'part'
  }
  return false
}

const close = async (page: Page, before: [number, number]) => {
  for (let i = 0; i < 2; i++) {
    if ((await markOpen(page))[0] <= before[0]) return true
    await page.keyboard.press('Escape')
    await page.waitForTimeout(120)
  }
  return (await markOpen(page))[0] <= before[0]
}

const popups = '[aria-haspopup], [role=combobox], [aria-expanded=false], summary'

/** Opens everything on a screen in turn and checks it; `done` has what earlier screens have opened. */
export const findOpened = async (page: Page, screen: string, path: string, done: Set<string>) => {
  const findings: Finding[] = []
  let opened = 0
  const load = async () => {
    await page.goto(path)
    await page.getByRole('heading', { level: 1 }).first().waitFor()
    await page.getByRole('status', { name: 'Loading' }).first().waitFor({ state: 'detached' })
  }
  const openIn = async (scope: string, within: string, trail: string): Promise<void> => {
    for (let at = 0; ; at++) {
      const openers = await openersIn(page, scope, within)
      const opener = openers[at]
      if (!opener) return
      const plain = opener.name.replaceAll(/[\d.,:]+/g, '').trim()
      const key = shared.test(opener.name) ? (shared.exec(opener.name)?.[1] ?? '') : `${screen} ${trail} ${plain}`
      if (skipped.test(opener.name) || done.has(key)) continue
      done.add(key)
      const before = await markOpen(page)
      const url = page.url()
      const kind = await press(page, opener, before)
      if (kind) {
        opened++
        await page.waitForTimeout(150)
        await markOpen(page)
        const rules = await rulesOf(page, kind === 'layer' ? '[data-layer]' : 'main')
        if (rules.length > 0) findings.push({ screen, opener: `${trail} ${opener.name}`, rules })
        if (kind === 'layer' && trail === '') await openIn('[data-layer]', popups, opener.name)
      }
      if (new URL(page.url()).pathname !== new URL(url).pathname || !(await close(page, before))) {
        await load()
        if (trail !== '') return
      }
    }
  }
  await load()
  await openIn('body', controls, '')
  return { findings, opened }
}
