import type { PaymentState } from '@gridmast/contract/choices.ts'
import type { Sentence } from '#i18n/da.ts'
import { t } from '#lib/i18n.ts'
import { Tag, type TagKind } from '#ui/Tag.tsx'

export const stateWords: Record<PaymentState, { word: Sentence; kind: TagKind }> = {
  reserving: { word: 'Sending to MobilePay', kind: 'plain' },
  waiting: { word: 'Waiting for the driver', kind: 'brand' },
  reserved: { word: 'Reserved', kind: 'brand' },
  charging: { word: 'Charging', kind: 'brand' },
  ended: { word: 'Ended, cost being calculated', kind: 'brand' },
  capturing: { word: 'Capturing', kind: 'plain' },
  captured: { word: 'Paid', kind: 'up' },
  'capture-failed': { word: 'Capture failed', kind: 'down' },
  'partly-refunded': { word: 'Partly refunded', kind: 'warn' },
  refunded: { word: 'Refunded', kind: 'warn' },
  releasing: { word: 'Releasing', kind: 'plain' },
  released: { word: 'Released', kind: 'outline' },
  declined: { word: 'Not approved', kind: 'outline' },
  failed: { word: 'Failed', kind: 'down' },
}

export const PaymentTag = ({ state }: { state: PaymentState }) => {
  const { word, kind } = stateWords[state]
  return <Tag kind={kind}>{t(word)}</Tag>
}
