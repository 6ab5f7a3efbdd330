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
  const found: Example = examples(instanceId).find(({ call }) => scopes.includes(call.may)) ?? { call: profile }
  const url = `${origin}/api${found.call.path}${found.query ? `?${found.query}` : ''}`
  return `read -rs GRIDMAST_KEY\ncurl -H "Authorization: Bearer $GRIDMAST_KEY" \\\n  '${url}'`
}
