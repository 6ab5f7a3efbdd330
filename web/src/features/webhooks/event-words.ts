import type { WebhookEvent } from '@gridmast/contract/webhooks.ts'

export const eventWords: { event: WebhookEvent; name: string; words: string }[] = [
  { event: 'alert', name: 'Alert', words: 'An alert was triggered or has ended.' },
  { event: 'activation', name: 'Activation', words: 'The grid activated an instance.' },
  { event: 'bid-result', name: 'Bid result', words: 'A bid has its result.' },
]

export const eventName = (event: WebhookEvent): string => eventWords.find((one) => one.event === event)?.name ?? event
