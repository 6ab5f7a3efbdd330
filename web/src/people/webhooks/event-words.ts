import type { WebhookEvent } from '@gridmast/contract/people/webhooks.ts'
import type { Sentence } from '#i18n/da.ts'

export const eventWords: { event: WebhookEvent; name: Sentence; words: Sentence }[] = [
  { event: 'alert', name: 'Alert', words: 'An alert was triggered or has ended.' },
  { event: 'activation', name: 'Activation', words: 'An instance was activated.' },
  { event: 'bid-result', name: 'Bid result', words: 'A bid was accepted or rejected.' },
  { event: 'sold-capacity', name: 'Sold capacity', words: 'Expected capacity is below what you have sold.' },
  {
    event: 'charging-budget',
    name: 'Charging budget',
    words: 'A tag or a group comes near its budget, or has spent it.',
  },
]

export const eventName = (event: WebhookEvent): string => eventWords.find((one) => one.event === event)?.name ?? event
