import type { AuditAction } from '@gridmast/contract/audit.ts'
import type { Sentence } from '#i18n/da.ts'

/** What the actions of the trail are called. */
const actions: Record<AuditAction, Sentence> = {
  'auth.login': 'Signed in',
  'auth.challenge': 'Asked for a two-step code',
  'auth.logout': 'Signed out',
  'auth.logout-all': 'Signed out everywhere',
  'auth.revoke-session': 'Ended a session',
  'auth.login-link': 'Sign-in link created',
  'auth.handoff': 'Sent to the admin portal',
  'auth.handoff-taken': 'Arrived at the admin portal',
  'auth.reset-code': 'Asked for a one-time code',
  'auth.reset-password': 'Reset the password',
  'profile.update': 'Edited the profile',
  'profile.email-asked': 'Asked to change the email',
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
  'equipment.answer': 'Answer to a set point',
  'equipment.late-answer': 'Answer that came too late',
  'alert.create': 'Created an alert',
  'alert.update': 'Edited an alert',
  'alert.delete': 'Deleted an alert',
  'alert.acknowledge': 'Acknowledged an alert',
  'alert.mute': 'Changed when the bell is muted',
  'email-subscription.add': 'Added email subscriptions',
  'email-subscription.set': 'Changed an email subscription',
  'email-subscription.remove': 'Removed an email subscription',
  'email-subscription.unsubscribe': 'Stopped activation emails by their link',
  'bid-request.create': 'Created a bid request',
  'bid-request.update': 'Edited a bid request',
  'bid-request.delete': 'Deleted a bid request',
  'support-note.create': 'Created a support note',
  'support-note.update': 'Edited a support note',
  'data-hub.add-key': 'Added a key with its meters',
  'data-hub.new-meters': 'Found new meters under a key',
  'data-hub.save-key': 'Named a key',
  'data-hub.remove-key': 'Deleted a key with its meters',
  'data-hub.save-meter': 'Changed the settings of a meter',
  'user.provision': 'User provisioned',
  'user.password-reset': 'Password set by the operator',
  export: 'Downloaded a file',
}

/** What comes before the dot. */
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
  { domain: 'support-note', name: 'Support Notes' },
  { domain: 'data-hub', name: 'Data Hub' },
  { domain: 'export', name: 'Files' },
]

const names = new Map(domains.map(({ domain, name }) => [domain, name]))

export const domainOf = (action: string): string => action.split('.')[0] ?? action
const isKnown = (action: string): action is AuditAction => action in actions
/** An action of an earlier version is shown as the record has it. */
export const actionWords = (action: string): string => (isKnown(action) ? actions[action] : action)
export const domainName = (domain: string): string => names.get(domain) ?? domain
