import { minuteMs } from '@gridmast/contract/time.ts'
import { ask, failure, type AskOptions, type Failure } from '#connectors/fetch-text.ts'
import { problemWords, readCreated, readRegistered, readStanding, readToken, type PaymentState } from './parse.ts'

/** The ePayment API of Vipps MobilePay (v1), one request per call; never throws. Formats: developer.vippsmobilepay.com. */

export type Keys = {
  merchantSerialNumber: string
  clientId: string
  clientSecret: string
  subscriptionKey: string
}
export type Fetched<T> = { ok: true; value: T } | Failure

const freshMs = minuteMs

const events = ['created', 'aborted', 'expired', 'cancelled', 'captured', 'refunded', 'authorized', 'terminated'].map(
  (name) => `epayments.payment.${name}.v1`,
)

export const openVipps = (baseUrl: string, keys: Keys, options: AskOptions & { now?: () => number } = {}) => {
  const { now = Date.now, ...rest } = options
  let access: { token: string; untilMs: number } | null = null
  const headers = {
    'ocp-apim-subscription-key': keys.subscriptionKey,
    'merchant-serial-number': keys.merchantSerialNumber,
    'vipps-system-name': 'gridmast',
    'vipps-system-version': '0.1.0',
  }

  const request = async <T>(
    path: string,
    read: (text: string) => T | null,
    more: { headers: Record<string, string> } & Pick<AskOptions, 'body' | 'good'>,
  ): Promise<Fetched<T>> => {
    const url = new URL(`${baseUrl.replace(/\/$/, '')}${path}`)
    const asked = { timeoutMs: 15_000, maxBytes: 200_000, ...rest, ...more, headers: { ...headers, ...more.headers } }
    const answer = await ask(url, { ...asked, wordsOf: problemWords })
    if (!answer.ok) return answer
    const value = read(answer.text)
    return value === null
      ? failure('schema', 'the answer was not as documented', answer.httpStatus)
      : { ok: true, value }
  }

  const tokenNow = async (): Promise<Fetched<string>> => {
    if (access && access.untilMs > now()) return { ok: true, value: access.token }
    const made = await request('/accesstoken/get', readToken, {
      headers: { client_id: keys.clientId, client_secret: keys.clientSecret },
      body: {},
    })
    if (!made.ok) return made
    access = { token: made.value.token, untilMs: now() + made.value.lastsMs - freshMs }
    return { ok: true, value: access.token }
  }

  /** With a token; a refused one is renewed once. */
  const signedIn = async <T>(
    path: string,
    read: (text: string) => T | null,
    more: { key?: string } & Pick<AskOptions, 'body' | 'good'> = {},
  ): Promise<Fetched<T>> => {
    const { key, ...content } = more
    for (let tries = 1; ; tries++) {
      const token = await tokenNow()
      if (!token.ok) return token
      const answer = await request(path, read, {
        ...content,
        headers: { authorization: `Bearer ${token.value}`, ...(key ? { 'idempotency-key': key } : {}) },
      })
      if (answer.ok || answer.httpStatus !== 401 || tries === 2) return answer
      access = null
    }
  }

  const payments = '/epayment/v1/payments'
  const amount = (ore: number) => ({ currency: 'DKK', value: ore })
  const change = (reference: string, what: string, key: string, body: object): Promise<Fetched<PaymentState>> =>
    signedIn(`${payments}/${encodeURIComponent(reference)}/${what}`, readStanding, { key, body })

  return {
    check: tokenNow,
    /** Answers the address for the driver's approval. */
    reserve: (reference: string, key: string, asked: { ore: number; words: string; returnUrl: string }) =>
      signedIn(payments, readCreated, {
        key,
        good: [200, 201],
        body: {
          amount: amount(asked.ore),
          paymentMethod: { type: 'WALLET' },
          reference,
          returnUrl: asked.returnUrl,
          userFlow: 'WEB_REDIRECT',
          paymentDescription: asked.words,
        },
      }),
    get: (reference: string) => signedIn(`${payments}/${encodeURIComponent(reference)}`, readStanding),
    capture: (reference: string, key: string, ore: number) =>
      change(reference, 'capture', key, { modificationAmount: amount(ore) }),
    release: (reference: string, key: string) => change(reference, 'cancel', key, {}),
    refund: (reference: string, key: string, ore: number) =>
      change(reference, 'refund', key, { modificationAmount: amount(ore) }),
    listen: (url: string) =>
      signedIn('/webhooks/v1/webhooks', readRegistered, { good: [200, 201], body: { url, events } }),
  }
}
export type Vipps = ReturnType<typeof openVipps>
