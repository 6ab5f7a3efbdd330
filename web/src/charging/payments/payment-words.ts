import type { PaymentState } from '@gridmast/contract/choices.ts'
import type { PaymentEvent } from '@gridmast/contract/charging/payments.ts'
import type { Sentence } from '#i18n/da.ts'
import type { TagKind } from '#ui/Tag.tsx'

/** What a payment is in, in words that a person who is asked by a driver would use. */
export const stateWords: Record<PaymentState, { word: Sentence; kind: TagKind }> = {
  reserving: { word: 'Asking MobilePay', kind: 'plain' },
  waiting: { word: 'Waits for the driver', kind: 'brand' },
  reserved: { word: 'Reserved', kind: 'brand' },
  charging: { word: 'Charging', kind: 'brand' },
  ended: { word: 'Ended, cost being calculated', kind: 'brand' },
  capturing: { word: 'Capturing', kind: 'plain' },
  captured: { word: 'Paid', kind: 'up' },
  'capture-failed': { word: 'Capture failed', kind: 'down' },
  'partly-refunded': { word: 'Partly refunded', kind: 'warn' },
  refunded: { word: 'Refunded', kind: 'warn' },
  releasing: { word: 'Being released', kind: 'plain' },
  released: { word: 'Released', kind: 'outline' },
  declined: { word: 'Not approved', kind: 'outline' },
  failed: { word: 'Failed', kind: 'down' },
}

export const eventWords: Record<PaymentEvent, Sentence> = {
  reserve: 'Payment asked for',
  waiting: 'MobilePay waits for the driver',
  authorised: 'Approved by the driver',
  declined: 'Not approved in time, or refused by the driver',
  start: 'Charger asked to start',
  'no-start': 'No session began',
  began: 'Session began',
  ended: 'Session ended',
  capture: 'Capture requested',
  captured: 'Captured',
  'capture-failed': 'Capture failed',
  release: 'Asked to be released',
  released: 'Released',
  refund: 'Refund asked for',
  refunded: 'Refunded',
  'refund-failed': 'The refund was refused',
  failed: 'Failed',
  'late-session': 'The charger told of a session after the money was released. Nothing is taken.',
  told: 'Reported by MobilePay',
}
