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

test('a delivered message is a notification, its topic shows the newest, and a click opens its page', async ({
  page,
  context,
  demo,
}) => {
  await context.grantPermissions(['notifications'])
  await signIn(page, people.sudoer, '/insights')
  await hasWorker(page)
  const path = '/e3-Legacy/FCR-D-INC?trigger=1'
  const message = { title: 'Alarm: Køl 1', body: 'Effekt: 412,5 kW', topic: 'alert 1', path, atMs: 1_764_000_000_000 }
  const shown = () =>
    page.evaluate(async () => {
      const list = await (await navigator.serviceWorker.ready).getNotifications()
      return list.map(({ title, body, tag, data }) => ({ title, body, tag, data: data as unknown }))
    })
  await deliver(context, page, demo.url, { ...message, body: 'Effekt: 401,0 kW' })
  await deliver(context, page, demo.url, message)
  await expect
    .poll(shown)
    .toEqual([{ title: 'Alarm: Køl 1', body: 'Effekt: 412,5 kW', tag: 'alert 1', data: { path } }])
  const [worker] = context.serviceWorkers()
  // Only a user's click may open a window, so what is opened is noted instead.
  const opened = await worker?.evaluate(async () => {
    const scope = globalThis as unknown as {
      registration: ServiceWorkerRegistration
      clients: { openWindow: (url: string) => Promise<null> }
      NotificationEvent: new (type: string, init: object) => Event
      dispatchEvent: (event: Event) => void
    }
    const url = new Promise<string>((resolve) => {
      scope.clients.openWindow = async (asked) => {
        resolve(asked)
        return null
      }
    })
    const [notification] = await scope.registration.getNotifications()
    scope.dispatchEvent(new scope.NotificationEvent('notificationclick', { notification }))
    return url
  })
  expect(opened).toBe(`${demo.url}${path}`)
  await expect.poll(shown).toEqual([])
})
