// The worker of the portal: shows what push services deliver, and a page of its own while the server cannot be reached. It keeps nothing of
// the portal: an old worker never shows old figures, and the next page is always the newest of the server.
const cacheName = 'connection'
const keptAt = '/connection.json'
/** When the server was last heard of, by its clock, and the language of the portal. */
let known = { contactMs: null, language: 'en' }

self.addEventListener('install', () => self.skipWaiting())
self.addEventListener('activate', (event) => {
  event.waitUntil(Promise.all([self.clients.claim(), self.registration.navigationPreload?.enable()]))
})

const keep = async () => {
  try {
    await (await caches.open(cacheName)).put(keptAt, new Response(JSON.stringify(known)))
  } catch {
    // The storage is blocked or full: known until the worker ends.
  }
}

const recall = async () => {
  try {
    const kept = await (await caches.open(cacheName)).match(keptAt)
    if (kept && known.contactMs === null) known = await kept.json()
  } catch {
    // As above.
  }
}

self.addEventListener('message', (event) => {
  const { contactMs, language } = event.data ?? {}
  if (typeof contactMs !== 'number') return
  known = { contactMs, language }
  event.waitUntil(keep())
})

const words = {
  en: {
    title: 'No connection',
    since: 'No answer from the server since',
    why: 'No figures are shown, because they would not be current. The page opens again by itself.',
    again: 'Try again',
  },
  da: {
    title: 'Ingen forbindelse',
    since: 'Intet svar fra serveren siden',
    why: 'Der vises ingen tal, da de ikke ville være aktuelle. Siden åbner igen af sig selv.',
    again: 'Prøv igen',
  },
}

/** `27.11.2026 14:03` in Danish time, as in the portal. */
const timeOf = (ms) => {
  const twoDigits = { day: '2-digit', month: '2-digit', hour: '2-digit', minute: '2-digit' }
  const format = new Intl.DateTimeFormat('en-GB', { ...twoDigits, year: 'numeric', timeZone: 'Europe/Berlin' })
  const { day, month, year, hour, minute } = Object.fromEntries(
    format.formatToParts(ms).map(({ type, value }) => [type, value]),
  )
  return `${day}.${month}.${year} ${hour}:${minute}`
}

const style = `
  :root { color-scheme: light dark; --ground: #f5f7fa; --ink: #101828; --ink2: #475467; --button: #0b2545; --on: #fff }
  @media (prefers-color-scheme: dark) { :root { --ground: #0d1320; --ink: #f2f4f7; --ink2: #b6bfcd; --button: #82aee7; --on: #0b2545 } }
  body { margin: 0; min-height: 100dvh; display: grid; place-content: center; background: var(--ground); color: var(--ink);
    font: 16px/1.5 system-ui, sans-serif }
  main { max-width: 26rem; padding: 24px }
  svg { width: 56px; height: 56px }
  h1 { font-size: 24px; line-height: 1.25; margin: 24px 0 8px }
  p { margin: 0 0 16px; color: var(--ink2) }
  time { color: var(--ink); font-weight: 600; font-variant-numeric: tabular-nums; white-space: nowrap }
  a { display: inline-block; padding: 10px 20px; min-height: 24px; border-radius: 8px; background: var(--button); color: var(--on);
    text-decoration: none; font-weight: 600 }`

const mark = `<svg viewBox="0 0 32 32" aria-hidden="true"><rect width="32" height="32" rx="8" fill="#0b2545"/><path d="M4 17h6l3-8 6 15 3-7h6"
  fill="none" stroke="#82aee7" stroke-width="2.4" stroke-linecap="round" stroke-linejoin="round"/></svg>`

const offlineScript = '/offline.js'

/** Runs in the offline page. */
const watchConnection = () => {
  const reload = () => location.reload()
  document.querySelector('a').addEventListener('click', (event) => {
    event.preventDefault()
    reload()
  })
  addEventListener('online', reload)
  setInterval(() => fetch('/api/health', { cache: 'no-store' }).then(reload, () => {}), 10_000)
}

const answer = (body, type, policy) =>
  new Response(body, {
    headers: {
      'content-type': `${type}; charset=utf-8`,
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'content-security-policy': `default-src 'none'; ${policy} frame-ancestors 'none'; base-uri 'none'`,
    },
  })

const offlinePage = async () => {
  await recall()
  known.contactMs ??= Date.now()
  await keep()
  const language = known.language === 'da' ? 'da' : 'en'
  const { title, since, why, again } = words[language]
  const html = `<!doctype html><html lang="${language}"><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Gridmast</title><style>${style}</style><body><main>${mark}<h1>${title}</h1>
<p>${since} <time>${timeOf(known.contactMs)}</time>.</p><p>${why}</p><a href="">${again}</a></main>
<script src="${offlineScript}"></script></body></html>`
  return answer(html, 'text/html', "style-src 'unsafe-inline'; script-src 'self'; connect-src 'self';")
}

const answerNavigation = async (event) => {
  try {
    return (await event.preloadResponse) ?? (await fetch(event.request))
  } catch {
    return offlinePage()
  }
}

self.addEventListener('fetch', (event) => {
  const { pathname, origin } = new URL(event.request.url)
  if (origin !== location.origin) return
  if (pathname === offlineScript) event.respondWith(answer(`(${watchConnection.toString()})()`, 'text/javascript', ''))
  // Calls and files are the browser's own.
  else if (event.request.mode === 'navigate' && !pathname.startsWith('/api/'))
    event.respondWith(answerNavigation(event))
})

const messageOf = (data) => {
  try {
    return data.json()
  } catch {
    return {}
  }
}

self.addEventListener('push', (event) => {
  const { title = 'Gridmast', body = '', topic, path = '/', atMs } = messageOf(event.data)
  const options = { body, data: { path }, icon: '/icon-192.png', badge: '/badge-96.png', timestamp: atMs ?? Date.now() }
  // A topic shows its newest message, with a sound again.
  event.waitUntil(
    self.registration.showNotification(title, topic ? { ...options, tag: topic, renotify: true } : options),
  )
})

const open = async (path) => {
  const url = new URL(path, location.origin)
  if (url.origin !== location.origin) return
  const windows = await self.clients.matchAll({ type: 'window', includeUncontrolled: true })
  const shown = windows.find((one) => one.url === url.href)
  await (shown ? shown.focus() : self.clients.openWindow(url.href))
}

self.addEventListener('notificationclick', (event) => {
  event.notification.close()
  event.waitUntil(open(event.notification.data?.path ?? '/'))
})
