import { parseJson } from '#platform/http/parse-json.ts'
import { z } from 'zod'
import { createHash, createHmac, timingSafeEqual } from 'node:crypto'

/** Answers of the ePayment API of Vipps MobilePay, in part. Amounts are whole øre. */

const amount = z.object({ currency: z.literal('DKK'), value: z.int().min(0) })

const paymentStates = ['CREATED', 'ABORTED', 'EXPIRED', 'AUTHORIZED', 'TERMINATED'] as const

const aggregate = z.object({
  authorizedAmount: amount,
  cancelledAmount: amount,
  capturedAmount: amount,
  refundedAmount: amount,
})

/** State of a payment, the answer to a GET and to each change. */
const standing = z.object({
  state: z.enum(paymentStates),
  reference: z.string(),
  aggregate,
  redirectUrl: z.string().nullish(),
})
export type PaymentState = {
  state: (typeof paymentStates)[number]
  authorisedOre: number
  cancelledOre: number
  capturedOre: number
  refundedOre: number
  redirectUrl: string | null
}

const toStanding = ({ state, aggregate: all, redirectUrl }: z.output<typeof standing>): PaymentState => ({
  state,
  authorisedOre: all.authorizedAmount.value,
  cancelledOre: all.cancelledAmount.value,
  capturedOre: all.capturedAmount.value,
  refundedOre: all.refundedAmount.value,
  redirectUrl: redirectUrl ?? null,
})

const token = z.object({ access_token: z.string().min(1), expires_in: z.coerce.number() })
const created = z.object({ redirectUrl: z.string(), reference: z.string() })
const registered = z.object({ id: z.string(), secret: z.string().min(1) })
const problem = z.object({
  title: z.string(),
  detail: z.string().nullish(),
  extraDetails: z.array(z.object({ name: z.string().nullish(), reason: z.string().nullish() })).nullish(),
})
const notice = z.object({
  msn: z.string(),
  reference: z.string(),
  pspReference: z.string(),
  name: z.string(),
  amount,
  timestamp: z.iso.datetime({ offset: true }),
  success: z.boolean(),
})
export type ProviderNotice = z.output<typeof notice>

const json = (text: string): unknown => {
  try {
    return parseJson(text)
  } catch {
    return undefined
  }
}

const reading =
  <S extends z.ZodType, T>(schema: S, make: (value: z.output<S>) => T) =>
  (text: string): T | null => {
    const read = schema.safeParse(json(text))
    return read.success ? make(read.data) : null
  }

export const readStanding = reading(standing, toStanding)
export const readToken = reading(token, ({ access_token, expires_in }) => ({
  token: access_token,
  lastsMs: expires_in * 1000,
}))
export const readCreated = reading(created, ({ redirectUrl }) => redirectUrl)
export const readRegistered = reading(registered, (value) => value)
export const readNotice = reading(notice, (value) => value)

export const problemWords = reading(problem, ({ title, detail, extraDetails }) =>
  [title, detail, ...(extraDetails ?? []).map(({ reason }) => reason)]
    .filter(Boolean)
    .join(': ')
    .replaceAll(/\s+/g, ' ')
    .slice(0, 300),
)

/** Signature of webhooks of Vipps MobilePay (Webhooks API, request authentication). */

type Request = {
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
