import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { isPublicAddress, literalAddress, NotPublic, publicLookup, type Resolve } from './public-address.ts'
import { version } from '#platform/process/version.ts'

/** Largest answer that is read; its content is discarded. */
const answerBytes = 64 * 1024

type Target = {
  url: string
  headers: Record<string, string>
  body: string
  timeoutMs: number
  /** Allows private and loopback addresses and plain http: for a demo, a test or a private network. */
  allowPrivate: boolean
  resolve?: Resolve
}

/** https, without a password, and without a literal private address. */
export const isWebhookUrl = (text: string, allowPrivate: boolean): boolean => {
  const url = new URL(text)
  if (url.username || url.password) return false
  if (allowPrivate) return true
  const address = literalAddress(url)
  const isLocalName = /(^|\.)localhost\.?$/i.test(url.hostname)
  return url.protocol === 'https:' && !isLocalName && (address === null || isPublicAddress(address))
}

const wordsOf = (error: Error, timeoutMs: number): string => {
  if (error.name === 'AbortError' || error.name === 'TimeoutError') return `No answer within ${timeoutMs / 1000} s`
  if (error instanceof NotPublic) return error.message
  return 'code' in error && typeof error.code === 'string' ? error.code : 'The request failed'
}

/** Posts JSON once and follows no redirect. `status` is null without an answer. */
export const postWebhook = (target: Target): Promise<{ status: number | null; error: string | null }> => {
  if (!isWebhookUrl(target.url, target.allowPrivate))
    return Promise.resolve({ status: null, error: 'Not a public https address' })
  const url = new URL(target.url)
  return new Promise((resolve) => {
    const request = (url.protocol === 'https:' ? requestHttps : requestHttp)(url, {
      method: 'POST',
      agent: false,
      ...(target.allowPrivate ? {} : { lookup: publicLookup(target.resolve) }),
      signal: AbortSignal.timeout(target.timeoutMs),
      headers: {
        ...target.headers,
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(target.body),
        'user-agent': `Gridmast/${version}`,
      },
    })
    request.once('response', (response) => {
      const status = response.statusCode ?? 0
      const isDelivered = status >= 200 && status < 300
      const done = () => resolve({ status, error: isDelivered ? null : `Answered ${status}` })
      let bytes = 0
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length
        if (bytes > answerBytes) response.destroy()
      })
      response.on('error', done) // the status decides; an aborted body changes nothing
      response.once('close', done)
    })
    request.on('error', (error) => resolve({ status: null, error: wordsOf(error, target.timeoutMs) }))
    request.end(target.body)
  })
}
