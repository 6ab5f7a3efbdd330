import type { Failure } from '#connectors/fetch-text.ts'
import type { Fetched, Vipps } from '#connectors/vipps/fetch.ts'
import type { PaymentState } from '#connectors/vipps/parse.ts'

/** `unknown`: the outcome is uncertain, so the state is queried and the request is sent again. */
export type Said<T> = { kind: 'done'; value: T } | { kind: 'refused' | 'unknown'; words: string }

/** A payment at the provider, in øre. */
export type Standings = {
  state: 'waiting' | 'authorised' | 'declined'
  capturedOre: number
  refundedOre: number
  leftOre: number
  approveUrl: string | null
}

type Reservation = { ore: number; words: string; returnUrl: string }

export type Provider = {
  reserve: (reference: string, key: string, asked: Reservation) => Promise<Said<{ approveUrl: string }>>
  look: (reference: string) => Promise<Said<Standings>>
  capture: (reference: string, key: string, ore: number) => Promise<Said<unknown>>
  release: (reference: string, key: string) => Promise<Said<unknown>>
  refund: (reference: string, key: string, ore: number) => Promise<Said<unknown>>
}

/** The provider refuses the request for good; invalid keys, limits, conflicts and provider errors say nothing about the payment. */
const isRefusal = ({ httpStatus }: Failure) => httpStatus !== null && [400, 404, 410, 422].includes(httpStatus)

const said = async <T, V>(answer: Promise<Fetched<T>>, make: (value: T) => V): Promise<Said<V>> => {
  const fetched = await answer
  if (fetched.ok) return { kind: 'done', value: make(fetched.value) }
  return { kind: isRefusal(fetched) ? 'refused' : 'unknown', words: fetched.detail }
}

const toStandings = (one: PaymentState): Standings => ({
  state: one.state === 'AUTHORIZED' ? 'authorised' : one.state === 'CREATED' ? 'waiting' : 'declined',
  capturedOre: one.capturedOre,
  refundedOre: one.refundedOre,
  leftOre: one.state === 'AUTHORIZED' ? one.authorisedOre - one.capturedOre - one.cancelledOre : 0,
  approveUrl: one.redirectUrl,
})

export const mobilePay = (vipps: Vipps): Provider => ({
  reserve: (reference, key, asked) => said(vipps.reserve(reference, key, asked), (approveUrl) => ({ approveUrl })),
  look: (reference) => said(vipps.get(reference), toStandings),
  capture: (reference, key, ore) => said(vipps.capture(reference, key, ore), toStandings),
  release: (reference, key) => said(vipps.release(reference, key), toStandings),
  refund: (reference, key, ore) => said(vipps.refund(reference, key, ore), toStandings),
})
