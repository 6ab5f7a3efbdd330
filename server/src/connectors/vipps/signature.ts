import { createHash, createHmac, timingSafeEqual } from 'node:crypto'

/** Signature of webhooks of Vipps MobilePay (Webhooks API, request authentication). */

type Request = {
  /** Path with query, unchanged. */
  path: string
  host: string
  date: string
  body: Uint8Array
}

export const contentHash = (body: Uint8Array): string => createHash('sha256').update(body).digest('base64')

const signatureOf = (secret: string, { path, host, date, body }: Request): string => {
  const text = `POST\n${path}\n${date};${host};${contentHash(body)}`
  const signature = createHmac('sha256', secret).update(text).digest('base64')
  return `HMAC-SHA256 SignedHeaders=x-ms-date;host;x-ms-content-sha256&Signature=${signature}`
}

const isSame = (a: string, b: string) => {
  const [left, right] = [Buffer.from(a), Buffer.from(b)]
  return left.length === right.length && timingSafeEqual(left, right)
}

export const isSigned = (secret: string, request: Request, given: { hash: string; authorization: string }): boolean =>
  isSame(given.hash, contentHash(request.body)) && isSame(given.authorization, signatureOf(secret, request))
