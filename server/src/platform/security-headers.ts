import type { IncomingMessage, ServerResponse } from 'node:http'
import helmet from 'helmet'

const contentSecurityPolicy = {
  useDefaults: false,
  directives: {
    defaultSrc: ["'self'"],
    scriptSrc: ["'self'"],
    styleSrc: ["'self'", "'unsafe-inline'"],
    imgSrc: ["'self'", 'data:', 'blob:'],
    fontSrc: ["'self'"],
    connectSrc: ["'self'"],
    objectSrc: ["'none'"],
    baseUri: ["'none'"],
    formAction: ["'self'"],
    frameAncestors: ["'none'"],
  },
}

/** Security rule S7. Made once: as a hook the library renders the same texts for each request, a quarter of its time (measured). */
export const pageHeaders: Record<string, string> = {}

const makeOnce = helmet({
  contentSecurityPolicy,
  referrerPolicy: { policy: 'no-referrer' },
  // The portal is served over plain HTTP on a customer's own box too; TLS ends at the proxy, which sets HSTS there.
  strictTransportSecurity: false,
})
// The middleware only sets and removes headers of the response.
const response = {
  setHeader: (name: string, value: string) => void (pageHeaders[name] = value),
  removeHeader: () => {},
} as unknown as ServerResponse
makeOnce({} as IncomingMessage, response, (error?: unknown) => {
  if (error) throw error as Error
})

/** Answers of the API: the rest is about documents and frames. */
export const answerHeaders = Object.fromEntries(
  ['Content-Security-Policy', 'Cross-Origin-Resource-Policy', 'Referrer-Policy', 'X-Content-Type-Options'].map(
    (name) => [name, pageHeaders[name]],
  ),
)
