import { z } from 'zod'
import { call, id } from '#call.ts'
import { email, requiredText, text } from '#fields.ts'
import { limits } from '#limits.ts'
import { eventTypes } from '#markets.ts'
import { m } from '#messages.ts'
import { paged } from '#paging.ts'
import { fileFormat } from '#series.ts'

export const subscribedMails = ['activation', 'bidResult'] as const
export type SubscribedMail = (typeof subscribedMails)[number]

/** True for an address outside the company that is not confirmed yet: nothing is mailed there. */
export const unconfirmed = z.boolean().optional()

export const emailSubscription = z.object({
  _id: id('email-subscription'),
  email: z.string(),
  eventType: z.enum(eventTypes),
  instanceId: id('instance'),
  instanceName: z.string().nullable(),
  activation: z.boolean(),
  bidResult: z.boolean(),
  unconfirmed,
})
export type EmailSubscription = z.infer<typeof emailSubscription>

export const subscriptionColumns = ['email', 'instance', 'activation', 'bidResult'] as const

export const findEmailSubscriptions = call({
  method: 'GET',
  path: '/client/email-subscription',
  summary: 'List email subscriptions with their instance; with `format` all matches as a file',
  may: 'email-subscription.read',
  of: ['email-subscription', 'instance'],
  sorts: subscriptionColumns,
  query: z.strictObject({
    eventType: z.enum(eventTypes).optional(),
    filter: text(100).optional(),
    ...paged(subscriptionColumns),
    format: fileFormat.optional(),
  }),
  response: z.object({ subscriptions: z.array(emailSubscription), totalCount: z.number() }),
})

export const emails = z
  .array(email())
  .min(1, m.required)
  .max(limits.emailsAtOnce, m.most(limits.emailsAtOnce))
  .superRefine((given, context) => {
    const seen = new Set<string>()
    for (const [i, one] of given.entries()) {
      if (seen.has(one.toLowerCase())) context.addIssue({ code: 'custom', path: [i], message: m.emailTwice })
      seen.add(one.toLowerCase())
    }
  })

export const addEmailSubscriptions = call({
  method: 'POST',
  path: '/client/email-subscription',
  summary: 'Subscribe several addresses to the mails of an instance: all of them, or none if one is already subscribed',
  may: 'email-subscription.edit',
  touches: ['email-subscription'],
  body: z.strictObject({
    emails,
    instanceId: id('instance'),
    activation: z.boolean(),
    bidResult: z.boolean(),
    eventType: z.enum(eventTypes),
  }),
  response: z.object({ subscriptions: z.array(emailSubscription) }),
  ok: m.subscriptionsAdded,
})

export const setEmailSubscription = call({
  method: 'PUT',
  path: '/client/email-subscription/activation-bidResult',
  summary: 'Switch one kind of mail of a subscription on or off',
  may: 'email-subscription.edit',
  touches: ['email-subscription'],
  body: z.strictObject({ _id: id('email-subscription'), type: z.enum(subscribedMails), value: z.boolean() }),
  response: z.object({ subscription: emailSubscription }),
  ok: m.updateSuccess,
})

export const removeEmailSubscription = call({
  method: 'DELETE',
  path: '/client/email-subscription/{id}',
  summary: 'Remove the subscription of an address to an instance',
  may: 'email-subscription.edit',
  touches: ['email-subscription'],
  params: z.object({ id: id('email-subscription') }),
  ok: m.subscriptionRemoved,
})

/** Prefixes of the id of a link that unsubscribes from a monthly statement or a report; other ids unsubscribe from activation mails. */
export const statementLink = 'statement-'
export const reportLink = 'report-'

export const unsubscribe = call({
  method: 'POST',
  path: '/client/email-subscription/unsubscribe',
  summary: 'Stop activation mails, a monthly statement or a report with the link of such a mail; it works once',
  may: 'public',
  touches: ['email-subscription', 'report'],
  body: z.strictObject({ id: requiredText(100) }),
  ok: m.unsubscribed,
})

export const confirmAddress = call({
  method: 'POST',
  path: '/client/email-subscription/confirm',
  summary: 'Confirm your email address with the link that was sent to it; it works once, for seven days',
  may: 'public',
  touches: ['email-subscription', 'alert', 'statement-reader', 'report'],
  body: z.strictObject({ id: requiredText(100) }),
  ok: m.addressConfirmed,
})
