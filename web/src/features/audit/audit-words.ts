import type { Sentence } from '#i18n/da.ts'

type Words = { action: string; words: Sentence }

/** What the actions of the trail are called; one that is not here is shown as the record has it. */
const actions: Words[] = [
  { action: 'auth.login', words: 'Signed in' },
  { action: 'auth.challenge', words: 'Asked for the second factor' },
  { action: 'auth.logout', words: 'Signed out' },
  { action: 'auth.logout-all', words: 'Signed out everywhere' },
  { action: 'auth.revoke-session', words: 'Ended a session' },
  { action: 'auth.login-link', words: 'Sign-in link made' },
  { action: 'auth.handoff', words: 'Sent to the admin portal' },
  { action: 'auth.handoff-taken', words: 'Arrived at the admin portal' },
  { action: 'auth.reset-code', words: 'Asked for a one-time code' },
  { action: 'auth.reset-password', words: 'Reset the password' },
  { action: 'profile.update', words: 'Edited the profile' },
  { action: 'profile.password', words: 'Updated the password' },
  { action: 'profile.current-password', words: 'Entered the current password' },
  { action: 'second-factor.begin', words: 'Began to set up two-step sign-in' },
  { action: 'second-factor.on', words: 'Turned two-step sign-in on' },
  { action: 'second-factor.off', words: 'Turned two-step sign-in off' },
  { action: 'customer.details', words: 'Edited the company profile' },
  { action: 'customer.second-factor', words: 'Changed who needs two-step sign-in' },
  { action: 'api-key.add', words: 'Created an API key' },
  { action: 'api-key.revoke', words: 'Revoked an API key' },
  { action: 'webhook.add', words: 'Added a webhook' },
  { action: 'webhook.save', words: 'Edited a webhook' },
  { action: 'webhook.remove', words: 'Removed a webhook' },
  { action: 'webhook.test', words: 'Sent a test to a webhook' },
  { action: 'webhook.retry', words: 'Sent a delivery again' },
  { action: 'instance.name', words: 'Instance renamed' },
  { action: 'instance.markets', words: 'Markets of an instance changed' },
  { action: 'instance.position', words: 'Instance moved' },
  { action: 'instance.enabled', words: 'Instance switched' },
  { action: 'user.provision', words: 'User provisioned' },
  { action: 'user.password-reset', words: 'Password set by the operator' },
  { action: 'customer.demo-ended', words: 'Demo ended' },
  { action: 'customer.restored', words: 'Restored from a backup' },
  { action: 'export', words: 'Downloaded a file' },
]

/** What comes before the dot. */
const domains: { domain: string; name: Sentence }[] = [
  { domain: 'auth', name: 'Sign-in' },
  { domain: 'profile', name: 'Profile' },
  { domain: 'second-factor', name: 'Two-step sign-in' },
  { domain: 'customer', name: 'Company profile' },
  { domain: 'api-key', name: 'API keys' },
  { domain: 'webhook', name: 'Webhooks' },
  { domain: 'instance', name: 'Instances' },
  { domain: 'user', name: 'Users' },
  { domain: 'export', name: 'Files' },
]

const words = new Map(actions.map((one) => [one.action, one.words]))
const names = new Map(domains.map(({ domain, name }) => [domain, name]))

export const domainOf = (action: string): string => action.split('.')[0] ?? action
export const actionWords = (action: string): string => words.get(action) ?? action
export const domainName = (domain: string): string => names.get(domain) ?? domain
