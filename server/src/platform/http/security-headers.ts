/** Security rule S7: what a document of the portal may load, and who may frame it. */
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

/** The data of a call is no document: shown as one, it loads nothing. */
const dataPolicy = "default-src 'none';frame-ancestors 'none'"

const everywhere = {
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
}

/** Only over HTTPS: on a customer's own box the portal is served over plain HTTP too. */
const overHttps = { 'strict-transport-security': 'max-age=31536000' }

const pages = {
  ...everywhere,
  'content-security-policy': pagePolicy,
  'cross-origin-opener-policy': 'same-origin',
  'origin-agent-cluster': '?1',
  'permissions-policy': 'camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()',
}
/** What calls answer is of one person and one moment: no browser or proxy keeps it. */
const calls = { ...everywhere, 'content-security-policy': dataPolicy, 'cache-control': 'no-store' }

const made = {
  pages: { http: pages, https: { ...pages, ...overHttps } },
  calls: { http: calls, https: { ...calls, ...overHttps } },
}

export const securityHeaders = (kind: 'pages' | 'calls', isHttps: boolean): Record<string, string> =>
  made[kind][isHttps ? 'https' : 'http']
