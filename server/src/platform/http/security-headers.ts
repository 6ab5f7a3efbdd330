/** Content policy of the pages (security rule S7). */
export const pagePolicy = [
  "default-src 'self'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join(';')

/** Call data is no document: opened as one, it loads nothing. */
const dataPolicy = "default-src 'none';frame-ancestors 'none'"

const common = {
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
}

/** HTTPS only: on a customer's own machine the portal also runs over plain HTTP. */
const httpsOnly = { 'strict-transport-security': 'max-age=31536000' }

const pages = {
  ...common,
  'content-security-policy': pagePolicy,
  'cross-origin-opener-policy': 'same-origin',
  'origin-agent-cluster': '?1',
  'permissions-policy': 'camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()',
}
/** Answers of calls are personal and current: no browser or proxy stores them. */
const calls = { ...common, 'content-security-policy': dataPolicy, 'cache-control': 'no-store' }

const headers = {
  pages: { http: pages, https: { ...pages, ...httpsOnly } },
  calls: { http: calls, https: { ...calls, ...httpsOnly } },
}

export const securityHeaders = (kind: 'pages' | 'calls', isHttps: boolean): Record<string, string> =>
  headers[kind][isHttps ? 'https' : 'http']
