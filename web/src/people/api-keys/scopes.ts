import type { readScopes } from '@gridmast/contract/roles.ts'
import { notifications } from '@gridmast/contract/notifications/triggered.ts'
import { findAudit } from '@gridmast/contract/people/audit.ts'
import { findBidRequests } from '@gridmast/contract/trading/bid-requests.ts'
import type { CallShape } from '@gridmast/contract/call.ts'
import { instanceLastReported, powerCapacitySum } from '@gridmast/contract/grid/capacity.ts'
import { carbonLastReported } from '@gridmast/contract/grid/carbon.ts'
import { dataHubOverview, findMeterGroups } from '@gridmast/contract/meters/data-hub.ts'
import { findEmailSubscriptions } from '@gridmast/contract/people/email-subscriptions.ts'
import { findChargerTags } from '@gridmast/contract/charging/tags.ts'
import { findEvents } from '@gridmast/contract/delivery/events.ts'
import { frequencyLastReported } from '@gridmast/contract/grid/frequency.ts'
import { findLicences } from '@gridmast/contract/people/licences.ts'
import { findPlans } from '@gridmast/contract/planning/load-shifting.ts'
import { live } from '@gridmast/contract/live.ts'
import { powerCost, signalTypes } from '@gridmast/contract/grid/prices.ts'
import { profile } from '@gridmast/contract/people/profile.ts'
import { findSettlements } from '@gridmast/contract/settlement/economics.ts'
import { monthRevenue } from '@gridmast/contract/settlement/month-revenue.ts'
import { revenueCalculator } from '@gridmast/contract/grid/revenue-calculator.ts'
import { findScopeReports } from '@gridmast/contract/meters/scope-2.ts'
import { findSupportNotes } from '@gridmast/contract/people/support-notes.ts'
import { systemStatus } from '@gridmast/contract/operator/system.ts'
import { findVersions } from '@gridmast/contract/people/versions.ts'
import type { Sentence } from '#i18n/da.ts'

type Scope = (typeof readScopes)[number]
type Words = { scope: Scope; name: Sentence; words: Sentence }

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
        words: 'Activations of your instances and their delivery.',
      },
      { scope: 'ev-charging.read', name: 'EV Charging', words: 'Chargers, tags and charging sessions.' },
      { scope: 'alert.read', name: 'Alerts', words: 'Alerts and their triggers.' },
    ],
  },
  {
    title: 'Markets',
    scopes: [
      { scope: 'prices.read', name: 'Power cost', words: 'Day-ahead prices of the home dashboard.' },
      { scope: 'pricing.read', name: 'Market prices', words: 'Prices of the demand response markets.' },
      { scope: 'bid-request.read', name: 'Bid requests', words: 'Your bid requests and their results.' },
      { scope: 'data-hub.read', name: 'Data Hub', words: 'Meters with their consumption, cost and emission.' },
      { scope: 'data-hub.overview', name: 'Data Hub overview', words: 'Total of all enabled meters.' },
      { scope: 'scope-2.read', name: 'Scope 2', words: 'Scope 2 reports and their files.' },
      { scope: 'carbon.read', name: 'Carbon emission', words: 'Emission of the grid and its prognosis.' },
      { scope: 'economics.read', name: 'eConomics', words: 'Settlements and their basis.' },
      { scope: 'revenue.read', name: 'Revenue', words: 'Your revenue per day.' },
      { scope: 'load-shifting.read', name: 'Load Shifting', words: 'Plans, their savings and backtests.' },
      { scope: 'calculator.use', name: 'Revenue calculator', words: 'Earnings of a capacity at published prices.' },
    ],
  },
  {
    title: 'Account',
    scopes: [
      { scope: 'profile.read', name: 'Profile', words: 'Your own profile and your company’s details.' },
      {
        scope: 'email-subscription.read',
        name: 'Email Subscriptions',
        words: 'Recipients of emails by instance.',
      },
      { scope: 'system.read', name: 'System', words: 'Storage and the freshness of every source.' },
      { scope: 'support-note.read', name: 'Support Notes', words: 'Your notes to the support team.' },
      { scope: 'version.read', name: 'Version History', words: 'Changes in each version.' },
      { scope: 'audit.read', name: 'Audit trail', words: 'Changes with user and time.' },
    ],
  },
]

const names = new Map<string, Sentence>(
  scopeGroups.flatMap(({ scopes }) => scopes.map(({ scope, name }) => [scope, name])),
)

export const scopeName = (scope: string): string => names.get(scope) ?? scope

type Example = { call: CallShape; query?: string }

/** A call of each scope, the most telling first. */
const examples = (instanceId: string): Example[] => [
  { call: systemStatus },
  { call: frequencyLastReported },
  { call: powerCost },
  { call: signalTypes },
  { call: instanceLastReported, query: `groupId=${instanceId}` },
  { call: powerCapacitySum, query: 'market=FCR-D-INC' },
  { call: carbonLastReported, query: 'type=past&area=DK1' },
  { call: findSettlements, query: 'startDate=2026-11-01&endDate=2026-11-30' },
  { call: monthRevenue, query: 'startDate=2026-11-01&endDate=2026-11-30' },
  { call: revenueCalculator, query: 'signal=FCR&area=DK1&capacity=1&startDate=2026-01&endDate=2026-02' },
  { call: findPlans },
  { call: dataHubOverview },
  { call: findMeterGroups },
  { call: findScopeReports },
  { call: findLicences },
  { call: notifications },
  { call: findEvents, query: 'direction=increased&limit=10' },
  { call: findChargerTags },
  { call: findBidRequests, query: 'filterType=current' },
  { call: findEmailSubscriptions },
  { call: live },
  { call: findAudit },
  { call: findSupportNotes },
  { call: findVersions },
  { call: profile },
]

/** A call that the key covers and that is refused without it, ready for a shell. The key is typed in unseen, so that it stays out of the shell's history. */
export const curlOf = (origin: string, scopes: readonly string[], instanceId: string): string => {
  const example: Example = examples(instanceId).find(({ call }) => scopes.includes(call.may)) ?? { call: profile }
  const url = `${origin}/api${example.call.path}${example.query ? `?${example.query}` : ''}`
  return `read -rs GRIDMAST_KEY\ncurl -H "Authorization: Bearer $GRIDMAST_KEY" \\\n  '${url}'`
}
