import { z } from 'zod'
import { call, id } from '#call.ts'
import { paymentStates } from '#choices.ts'
import { requiredText, text } from '#fields.ts'
import { inOrder } from '#days.ts'
import { limits } from '#limits.ts'
import { m } from '#messages.ts'
import { isPlainDecimal } from '#numbers.ts'
import { paged } from '#paging.ts'
import { decimalText, fileFormat } from '#series.ts'
import { simulated, simulatedSum } from '#source.ts'
import { localDate } from '#time.ts'

/** Payments of drivers: reserved before a session, captured once after it, refunded in part or whole. Amounts are DKK with two decimals. */

export const paymentEvents = [
  'reserve',
  'waiting',
  'authorised',
  'declined',
  'start',
  'no-start',
  'began',
  'ended',
  'capture',
  'captured',
  'capture-failed',
  'release',
  'released',
  'refund',
  'refunded',
  'refund-failed',
  'failed',
  'late-session',
  'told',
] as const
export type PaymentEvent = (typeof paymentEvents)[number]

export const payment = z.object({
  _id: id('payment'),
  state: z.enum(paymentStates),
  chargerId: id('charger'),
  chargerName: z.string(),
  connectorId: z.number(),
  transactionId: id('charger-transaction').nullable(),
  kwh: z.number().nullable(),
  reserved: decimalText,
  /** Driver's cost of the session; above `captured` when it exceeded the reservation. */
  cost: decimalText.nullable(),
  captured: decimalText.nullable(),
  refunded: decimalText,
  /** A request to the provider is in progress or waits for a retry. */
  isOpen: z.boolean(),
  failure: z.string().nullable(),
  createdAt: z.iso.datetime(),
  changedAt: z.iso.datetime(),
  simulated,
})
export type Payment = z.infer<typeof payment>

const paymentTotals = z.object({
  reserved: decimalText,
  captured: decimalText,
  refunded: decimalText,
  /** Captured less refunded. */
  net: decimalText,
})

export const paymentColumns = [
  'created',
  'state',
  'charger',
  'connector',
  'kwh',
  'reserved',
  'captured',
  'refunded',
] as const

export const findPayments = call({
  method: 'GET',
  path: '/client/payment',
  summary:
    'List payments, newest first or by `sort`, 15 a page; count and totals cover all matches. With `format` as a file',
  may: 'payment.read',
  of: ['payment', 'payment-account'],
  sorts: paymentColumns,
  query: z
    .strictObject({
      ...paged(paymentColumns, limits.evPageSize),
      state: z.enum(paymentStates).optional(),
      chargerId: id('charger').optional(),
      startDate: localDate.optional(),
      endDate: localDate.optional(),
      format: fileFormat.optional(),
    })
    .refine(...inOrder),
  response: z.object({
    payments: z.array(payment),
    totalCount: z.number(),
    totals: paymentTotals,
    simulated: simulatedSum,
    isReady: z.boolean(),
  }),
})

const params = z.object({ id: id('payment') })

export const getPayment = call({
  method: 'GET',
  path: '/client/payment/{id}',
  summary: 'Get a payment, the link with which its driver approves it, and its history',
  may: 'payment.read',
  of: ['payment'],
  params,
  response: z.object({
    payment,
    approveUrl: z.string().nullable(),
    history: z.array(
      z.object({
        at: z.iso.datetime(),
        event: z.enum(paymentEvents),
        amount: decimalText.nullable(),
        who: z.string().nullable(),
        words: z.string().nullable(),
      }),
    ),
  }),
})

export const reservePayment = call({
  method: 'POST',
  path: '/client/payment',
  summary: 'Reserve an amount of a driver; after the approval the charger receives the command to start',
  may: 'payment.reserve',
  touches: ['payment'],
  body: z.strictObject({
    chargerId: id('charger'),
    connectorId: z.number().int().min(1).max(limits.connectorsPerCharger),
  }),
  response: z.object({ payment }),
  ok: m.paymentAsked,
})

export const retryCapture = call({
  method: 'POST',
  path: '/client/payment/{id}/capture',
  summary: 'Capture a payment again after a failure',
  may: 'payment.reserve',
  touches: ['payment'],
  params,
  response: z.object({ payment }),
  ok: m.captureAsked,
})

export const releasePayment = call({
  method: 'POST',
  path: '/client/payment/{id}/release',
  summary: 'Release the reservation of a session that has not started',
  may: 'payment.reserve',
  touches: ['payment'],
  params,
  response: z.object({ payment }),
  ok: m.releaseAsked,
})

/** DKK above 0, with at most two decimals. */
const amount = z
  .string({ error: m.required })
  .max(12, m.number)
  .refine(isPlainDecimal, { error: m.number, abort: true })
  .refine((given) => Number(given) > 0, m.aboveZero)
  .refine((given) => (given.split('.')[1] ?? '').length <= 2, m.decimals(2))
  .meta({ examples: ['1', '12.50'] })

export const refundPayment = call({
  method: 'POST',
  path: '/client/payment/{id}/refund',
  summary: 'Refund part or all of a captured payment',
  may: 'payment.refund',
  touches: ['payment'],
  params,
  body: z.strictObject({ amount, note: text(200).default('') }),
  response: z.object({ payment }),
  ok: m.refundAsked,
})

export const paymentAccount = call({
  method: 'GET',
  path: '/client/payment-account',
  summary: 'Get the sales unit of the company; its secrets are never answered',
  may: 'payment.account',
  of: ['payment-account'],
  response: z.object({
    account: z
      .object({
        merchantSerialNumber: z.string(),
        clientId: z.string(),
        reserve: decimalText,
        /** The provider sends webhooks; without them it is polled each minute. */
        isTold: z.boolean(),
        savedAt: z.iso.datetime(),
      })
      .nullable(),
  }),
})

const secretText = z
  .string()
  .max(200, m.longest(200))
  .regex(/^[\x21-\x7e]*$/, m.characters)
  .default('')
  .meta({ examples: ['not-a-secret'] })

export const savePaymentAccount = call({
  method: 'PUT',
  path: '/client/payment-account',
  summary: 'Set up the sales unit; an empty secret keeps the stored one. The secrets are checked with the provider',
  may: 'payment.account',
  touches: ['payment-account'],
  body: z.strictObject({
    merchantSerialNumber: z
      .string({ error: m.required })
      .trim()
      .regex(/^\d{4,7}$/, m.merchantSerialNumber)
      .meta({ examples: ['123456'] }),
    clientId: requiredText(100),
    clientSecret: secretText,
    subscriptionKey: secretText,
    reserve: amount.refine((given) => Number(given) <= 5000, { error: m.atMost(5000) }),
  }),
  ok: m.paymentAccountSaved,
})
