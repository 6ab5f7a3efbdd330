import type { AuditAction } from '@gridmast/contract/people/audit.ts'
import { formatDate, localDate } from '@gridmast/contract/time.ts'
import type { Sentence } from '#i18n/da.ts'

const actions: Record<AuditAction, Sentence> = {
  'auth.login': 'Signed in',
  'auth.challenge': 'Prompted for a two-step code',
  'auth.logout': 'Signed out',
  'auth.logout-all': 'Signed out everywhere',
  'auth.revoke-session': 'Ended a session',
  'auth.login-link': 'Sign-in link created',
  'auth.handoff': 'Sent to the admin portal',
  'auth.handoff-taken': 'Opened the admin portal',
  'auth.reset-code': 'Requested a one-time code',
  'auth.reset-password': 'Reset the password',
  'profile.update': 'Edited the profile',
  'profile.email-asked': 'Requested a change of the email',
  'profile.email': 'Changed the email',
  'profile.email-undone': 'Restored the email',
  'profile.language': 'Chose a language',
  'profile.password': 'Updated the password',
  'profile.current-password': 'Entered the current password',
  'second-factor.begin': 'Started setting up two-step sign-in',
  'second-factor.on': 'Turned two-step sign-in on',
  'second-factor.off': 'Turned two-step sign-in off',
  'customer.details': 'Edited the company profile',
  'customer.second-factor': 'Changed who needs two-step sign-in',
  'customer.dashboard': 'Arranged the home dashboard',
  'customer.demo-ended': 'Demo ended',
  'customer.restored': 'Restored from a backup',
  'api-key.add': 'Created an API key',
  'api-key.revoke': 'Revoked an API key',
  'webhook.add': 'Added a webhook',
  'webhook.save': 'Edited a webhook',
  'webhook.remove': 'Removed a webhook',
  'webhook.test': 'Sent a test to a webhook',
  'webhook.retry': 'Sent a delivery again',
  'prices.tax': 'Changed the tax',
  'instance.save': 'Edited an instance',
  'equipment.control': 'Sent a set point to equipment',
  'charger-tag.create': 'Created a tag',
  'charger-tag.update': 'Changed a tag',
  'charger-tag.delete': 'Deleted a tag',
  'charger-tag.import': 'Imported tags',
  'charger-tag-group.create': 'Created a tag group',
  'charger-tag-group.update': 'Changed a tag group',
  'charger-tag-group.delete': 'Deleted a tag group',
  'charger.dismiss': 'Dismissed an unknown charger',
  'charger.register': 'Registered a charger',
  'charger.secret': 'Created a new secret for a charger',
  'charger.command': 'Sent a command to a charger',
  'charging-site.save': 'Saved a charging site',
  'charging-site.delete': 'Deleted a charging site',
  'charging-site.priority': 'Changed the priority of tag groups',
  'charger.remove': 'Removed a charger',
  'charging-choice.save': 'Changed the rules of tags',
  'charging-site.limit': 'Limited a connector manually',
  'charging-price.save': 'Changed charging prices',
  'charging-price.delete': 'Deleted a charging price',
  'payment.reserve': 'Requested a payment',
  'payment.capture': 'Retried a payment',
  'payment.release': 'Released a reservation',
  'payment.refund': 'Refunded a payment',
  'payment.account': 'Set up the sales unit of MobilePay',
  'charger.start': 'Sent a start command to a charger',
  'charger-session.end': 'Ended a charging session',
  'charger-session.energy': 'Reviewed the energy of a session',
  'charger.stop': 'Sent a stop command to a charger',
  'charger.answer': 'Response of a charger',
  'equipment.answer': 'Response to a set point',
  'equipment.late-answer': 'Late response',
  'load-plan.make': 'Requested a plan',
  'load-plan.accept': 'Accepted a plan',
  'load-plan.again': 'Recalculated',
  'load-plan.end': 'Ended a plan',
  'load-backtest.make': 'Requested a backtest',
  'alert.create': 'Created an alert',
  'alert.update': 'Edited an alert',
  'alert.delete': 'Deleted an alert',
  'alert.acknowledge': 'Acknowledged an alert',
  'alert.mute': 'Changed muted times',
  'email-subscription.add': 'Added email subscriptions',
  'email-subscription.set': 'Changed an email subscription',
  'email-subscription.remove': 'Removed an email subscription',
  'email-subscription.unsubscribe': 'Stopped activation emails by their link',
  'email-subscription.confirm': 'Confirmed an email address by its link',
  'bid-request.create': 'Created a bid request',
  'bid-request.update': 'Edited a bid request',
  'bid-request.delete': 'Deleted a bid request',
  'bid-request.import': 'Imported bid requests',
  'bid-result.take': 'Imported a result file of the grid operator',
  'bid-request.place': 'Sent bids to the grid operator',
  'bid-request.miss': 'A gate closed before bids were sent',
  'support-note.create': 'Created a support note',
  'support-note.update': 'Edited a support note',
  'reconciliation.take': 'Imported a statement of the operator',
  'reconciliation.settle': 'Marked differences as settled',
  'reconciliation.reopen': 'Opened a difference again',
  'reconciliation.remove': 'Removed a statement of the operator',
  'statement.add-reader': 'Added a recipient of statements',
  'statement.remove-reader': 'Removed a recipient of statements',
  'statement.unsubscribe': 'Stopped a statement by its link',
  'statement.send': 'Mailed a statement',
  'data-hub.add-key': 'Added a key with its meters',
  'data-hub.new-meters': 'Added new meters of a key',
  'data-hub.save-key': 'Named a key',
  'data-hub.remove-key': 'Deleted a key with its meters',
  'data-hub.save-meter': 'Changed the settings of a meter',
  'scope-2.make': 'Created a Scope 2 report',
  'scope-2.remove': 'Deleted a Scope 2 report',
  'user.provision': 'User provisioned',
  'user.password-reset': 'Password set by the operator',
  export: 'Downloaded a file',
}

/** The part of an action before the dot. */
const domains: { domain: string; name: Sentence }[] = [
  { domain: 'auth', name: 'Sign-in' },
  { domain: 'profile', name: 'Profile' },
  { domain: 'second-factor', name: 'Two-step sign-in' },
  { domain: 'customer', name: 'Company profile' },
  { domain: 'api-key', name: 'API keys' },
  { domain: 'webhook', name: 'Webhooks' },
  { domain: 'email-subscription', name: 'Email Subscriptions' },
  { domain: 'user', name: 'Users' },
  { domain: 'prices', name: 'Prices' },
  { domain: 'instance', name: 'Instances' },
  { domain: 'equipment', name: 'Equipment Testing' },
  { domain: 'alert', name: 'Alerts' },
  { domain: 'bid-request', name: 'Bid requests' },
  { domain: 'bid-result', name: 'Bid results' },
  { domain: 'reconciliation', name: 'Reconciliation' },
  { domain: 'statement', name: 'Statements' },
  { domain: 'support-note', name: 'Support Notes' },
  { domain: 'data-hub', name: 'Data Hub' },
  { domain: 'scope-2', name: 'Scope 2' },
  { domain: 'export', name: 'Files' },
]

const names = new Map(domains.map(({ domain, name }) => [domain, name]))

export const domainOf = (action: string): string => action.split('.')[0] ?? action
const isKnown = (action: string): action is AuditAction => Object.hasOwn(actions, action)
/** An action of an earlier version is shown as the record has it. */
export const actionWords = (action: string): string => (isKnown(action) ? actions[action] : action)
export const domainName = (domain: string): string => names.get(domain) ?? domain

const day = String.raw`\d{4}-\d\d-\d\d`
/** A date alone, not the start of an instant or part of a file name. */
const days = new RegExp(String.raw`(?<![\w.-])(${day})(?: to (${day})|(?! to \d))(?![\w.:-])`, 'g')
const isDay = (text: string): boolean => localDate.safeParse(text).success

/** Entries store days as 2026-11-10. */
export const recordedText = (text: string): string =>
  text.replaceAll(days, (found, first: string, last?: string) => {
    if (!isDay(first)) return found
    if (last === undefined || first === last) return formatDate(first)
    return isDay(last) ? `${formatDate(first)} – ${formatDate(last)}` : found
  })
