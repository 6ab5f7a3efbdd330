import type { readScopes } from '@gridmast/contract/roles.ts'
import type { Sentence } from '#i18n/da.ts'

type Scope = (typeof readScopes)[number]
type Words = { scope: Scope; name: Sentence; words: Sentence }

/** What a key may read, in groups, with a sentence each. */
export const scopeGroups: { title: Sentence; scopes: Words[] }[] = [
  {
    title: 'Measurements',
    scopes: [
      { scope: 'live.read', name: 'Live values', words: 'Readings and prices, streamed as they arrive.' },
      { scope: 'frequency.read', name: 'Frequency', words: 'The frequency signals of your company.' },
      { scope: 'capacity.read', name: 'Power capacity', words: 'Available capacity by market and instance.' },
      { scope: 'power.read', name: 'Power', words: 'Power and consumption of each instance.' },
      { scope: 'licence.read', name: 'Instances', words: 'Your licenses and their instances.' },
      {
        scope: 'event.read',
        name: 'Activation events',
        words: 'Activations of your instances and how they were answered.',
      },
      { scope: 'ev-charging.read', name: 'EV Charging', words: 'Chargers, tags and charging sessions.' },
      { scope: 'alert.read', name: 'Alerts', words: 'Alerts and what they triggered.' },
    ],
  },
  {
    title: 'Markets',
    scopes: [
      { scope: 'prices.read', name: 'Power cost', words: 'Day-ahead prices of the home dashboard.' },
      { scope: 'pricing.read', name: 'Market prices', words: 'Prices of the demand response markets.' },
      { scope: 'bid-request.read', name: 'Bid requests', words: 'Your bid requests and what became of them.' },
      { scope: 'data-hub.read', name: 'Data Hub', words: 'Meters with their consumption, cost and emission.' },
      { scope: 'data-hub.overview', name: 'Data Hub overview', words: 'All meters that are switched on, together.' },
      { scope: 'scope-2.read', name: 'Scope 2', words: 'Scope 2 reports and their files.' },
      { scope: 'carbon.read', name: 'Carbon emission', words: 'Emission of the grid and its prognosis.' },
      { scope: 'economics.read', name: 'eConomics', words: 'Settlements and what each of them came from.' },
      { scope: 'revenue.read', name: 'Revenue', words: 'What you earned on each day.' },
      { scope: 'load-shifting.read', name: 'Load Shifting', words: 'Plans, what they saved, and backtests.' },
      { scope: 'calculator.use', name: 'Revenue calculator', words: 'What a capacity would have earned.' },
    ],
  },
  {
    title: 'Account',
    scopes: [
      { scope: 'profile.read', name: 'Profile', words: 'Your own profile and your company’s details.' },
      {
        scope: 'email-subscription.read',
        name: 'Email Subscriptions',
        words: 'Who is emailed about which instance.',
      },
      { scope: 'system.read', name: 'System', words: 'Storage and the freshness of every source.' },
      { scope: 'support-note.read', name: 'Support Notes', words: 'Your notes to the support team.' },
      { scope: 'version.read', name: 'Version History', words: 'What changed in each version.' },
      { scope: 'audit.read', name: 'Audit trail', words: 'Changes with user and time.' },
    ],
  },
]

const names = new Map<string, Sentence>(
  scopeGroups.flatMap(({ scopes }) => scopes.map(({ scope, name }) => [scope, name])),
)

export const scopeName = (scope: string): string => names.get(scope) ?? scope
