import { createServer, request } from 'node:http'
import { type BrowserContext, expect, type Page } from '@playwright/test'
import { password, people, signIn } from '../support/people.ts'
import { test } from '../support/test.ts'

const hasWorker = (page: Page) =>
  expect.poll(() => page.evaluate(() => navigator.serviceWorker.controller?.state)).toBe('activated')
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true })

test('without a connection a page states since when, in the language of the portal, and opens again by itself', async ({
  page,
  context,
}) => {
  await signIn(page, people.sudoer, '/insights')
  await hasWorker(page)
  await context.setOffline(true)
  await page.goto('/eConomics')
  await expect(heading(page, 'No connection')).toBeVisible()
  await expect(page.getByRole('main')).toContainText(
    /No answer from the server since \d\d\.\d\d\.\d{4} \d\d:\d\d\.\s*No figures are shown/,
  )
  await context.setOffline(false)
  await expect(heading(page, 'eConomics')).toBeVisible()
})

/** The portal of `url` whose files are under another name before `deploy`, and whose worker changes with it. */
const openVersions = async (url: string) => {
  const oldFolder = 'files-of-a/'
  let isDeployed = false
  const server = createServer((asked, answer) => {
    const path = asked.url ?? '/'
    const isOld = path.startsWith(`/${oldFolder}`)
    if (isOld && isDeployed) return void answer.writeHead(404).end()
    const options = {
      method: asked.method,
      headers: { ...asked.headers, host: new URL(url).host, 'accept-encoding': 'identity' },
    }
    const forwarded = request(new URL(path.replace(oldFolder, 'assets/'), url), options, async (given) => {
      const { statusCode = 502, headers } = given
      const isText = /html|javascript|css/.test(headers['content-type'] ?? '')
      if (isDeployed || !isText) return void given.pipe(answer.writeHead(statusCode, headers))
      const text = Buffer.concat(await given.toArray()).toString()
      const { 'content-length': _, etag: __, ...kept } = headers
      answer.writeHead(statusCode, kept)
      answer.end(path === '/sw.js' ? `${text}\n// version A` : text.replaceAll('assets/', oldFolder))
    })
    forwarded.on('error', () => answer.destroy())
    asked.pipe(forwarded)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (typeof address !== 'object' || !address) throw new Error('listens above')
  return {
    origin: `http://127.0.0.1:${address.port}`,
    deploy: () => {
      isDeployed = true
    },
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

test('after a deploy a page with the worker of the last version opens the new one', async ({ browser, demo }) => {
  const versions = await openVersions(demo.url)
  const context = await browser.newContext({ baseURL: versions.origin })
  try {
    const page = await context.newPage()
    await signIn(page, people.sudoer, '/insights')
    await hasWorker(page)
    const folder = () => page.locator('script[type=module][src]').first().getAttribute('src')
    expect(await folder()).toMatch(/^\/files-of-a\//)
    versions.deploy()
    // Its files are gone: the open page loads the new version, and so does a new page.
    await page.getByRole('main').getByRole('link', { name: 'Data Hub' }).first().click()
    await expect(heading(page, 'Data Hub')).toBeVisible()
    expect(await folder()).toMatch(/^\/assets\//)
    await page.goto('/eConomics')
    await expect(heading(page, 'eConomics')).toBeVisible()
    await hasWorker(page)
  } finally {
    await context.close()
    versions.close()
  }
})

test('with a blocked storage a user signs in and moves between screens', async ({ page }) => {
  await page.addInitScript(() => {
    const get = () => {
      throw new DOMException('The storage is blocked', 'SecurityError')
    }
    for (const name of ['localStorage', 'sessionStorage', 'indexedDB', 'caches'])
      Object.defineProperty(globalThis, name, { get, configurable: true })
  })
  await page.goto('/auth/login')
  await page.getByLabel('Email').fill(people.sudoer)
  await page.getByLabel(/^Password/).fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  const sidebar = page.getByRole('navigation', { name: 'Main' })
  await sidebar.getByRole('link', { name: 'Insights' }).click()
  await expect(heading(page, 'Insights')).toBeVisible()
  await page.getByRole('main').getByRole('link', { name: 'Data Hub' }).first().click()
  await expect(heading(page, 'Data Hub')).toBeVisible()
})

/** Delivers a message to the worker, as the push service of a browser does. */
const deliver = async (context: BrowserContext, page: Page, origin: string, message: object) => {
  const session = await context.newCDPSession(page)
  const registered = new Promise<string>((resolve) => {
    session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const found = registrations.find(({ isDeleted, scopeURL }) => !isDeleted && scopeURL.startsWith(origin))
      if (found) resolve(found.registrationId)
    })
  })
  await session.send('ServiceWorker.enable')
  const registrationId = await registered
  await session.send('ServiceWorker.deliverPushMessage', { origin, registrationId, data: JSON.stringify(message) })
}

type Shown = { title: string; options: { body: string; tag: string; data: { path: string } } }
type Scope = {
  registration: { showNotification: (title: string, options: Shown['options']) => Promise<void> }
  clients: { openWindow: (url: string) => Promise<null> }
  dispatchEvent: (event: Event) => void
  shown: Shown[]
  opened: string[]
  closed: number
}

test('a delivered message is a notification of its topic, and a click opens its page', async ({
  page,
  context,
  demo,
}) => {
  await signIn(page, people.sudoer, '/insights')
  await hasWorker(page)
  const [worker] = context.serviceWorkers()
  if (!worker) throw new Error('The worker is active')
  // The headless browser refuses notifications, also with the permission, and only a user's click may open a window.
  await worker.evaluate(() => {
    const scope = globalThis as unknown as Scope
    Object.assign(scope, { shown: [], opened: [], closed: 0 })
    scope.registration.showNotification = async (title, options) => void scope.shown.push({ title, options })
    scope.clients.openWindow = async (url) => {
      scope.opened.push(url)
      return null
    }
  })
  const path = '/e3-Legacy/FCR-D-INC?trigger=1'
  const message = { title: 'Alarm: Køl 1', body: 'Effekt: 412,5 kW', topic: 'alert 1', path, atMs: 1_764_000_000_000 }
  await deliver(context, page, demo.url, message)
  const shown = () => worker.evaluate(() => (globalThis as unknown as Scope).shown)
  const { title, body, topic, atMs } = message
  const options = { body, tag: topic, renotify: true, data: { path }, timestamp: atMs }
  await expect.poll(shown).toMatchObject([{ title, options }])
  const click = () =>
    worker.evaluate(async () => {
      const scope = globalThis as unknown as Scope
      const waited: Promise<unknown>[] = []
      const notification = { ...scope.shown[0]?.options, close: () => scope.closed++ }
      const waitUntil = (work: Promise<unknown>) => waited.push(work)
      scope.dispatchEvent(Object.assign(new Event('notificationclick'), { notification, waitUntil }))
      await Promise.all(waited)
      return [scope.opened, scope.closed]
    })
  expect(await click()).toEqual([[`${demo.url}${path}`], 1])
})
