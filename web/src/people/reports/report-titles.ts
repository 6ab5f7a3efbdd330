import { isDashboard, type ReportPath, reportSourceOf } from '@gridmast/contract/people/report-sources.ts'
import type { Sentence } from '#i18n/da.ts'
import { t } from '#lib/i18n.ts'

const reportTitles: Record<ReportPath, Sentence> = {
  '/client/data/event': 'Activation events',
  '/client/data/eConomics': 'Settlements',
  '/client/data/revenue': 'Revenue',
  '/client/data/energy-now': 'Energy now',
  '/client/alert/fault': 'Faults and alerts',
  '/client/reconciliation/{id}': 'Reconciliation',
  '/client/evc/transaction': 'Charging sessions',
  '/client/evc/statement': 'Charging statement',
  '/client/cfm/dashboard': 'Charger utilisation',
  '/client/payment': 'Payments of charging',
  '/client/load-shifting/saving': 'Savings of plans',
  '/client/data/bid-request/export': 'Bid requests',
  '/client/data/sold-capacity': 'Sold capacity',
  '/client/email-subscription': 'Email Subscriptions',
  '/client/license/licenseType/{id}': 'Instances',
  '/client/audit': 'Audit trail',
  '/client/data/frequency/{id}': 'Grid frequency',
  '/client/data/set-point': 'Set points',
  '/client/data/powercapacity': 'Capacity of a market',
  '/client/instance-data-logs/overview': 'Power of one instance',
  '/client/data/instance-capacity': 'Capacity of an instance',
  '/client/data/power-cost': 'Cost of power',
  '/client/data/power-cost/download': 'Cost of power',
  '/client/data/pricing/{id}': 'Market prices',
  '/client/data/prices/bulk-download': 'Market prices',
  '/client/data/carbon-emission': 'Carbon emission',
  '/client/data/carbon-emission/own': 'Emission of own consumption',
  '/client/evc/overview': 'Power of a charger',
  '/client/cfm/site/{id}/chart': 'Charging site',
  '/client/data-hub/download': 'Meters',
  '/client/data-hub/overview': 'Data Hub',
}

/** Files of the charge fleet, by `chart` or `by`. */
const fleetTitles: Record<string, Sentence> = {
  sessions: 'Sessions by day',
  energy: 'Energy by day',
  day: 'Charging by day',
}

export const reportTitle = (address: string): string => {
  if (isDashboard(address)) return t('Dashboard')
  const source = reportSourceOf(address)
  if (!source) return address
  const query = new URLSearchParams(address.split('?')[1])
  const ofFleet = source.path === '/client/cfm/dashboard' && fleetTitles[query.get('chart') ?? query.get('by') ?? '']
  return t(ofFleet || reportTitles[source.path])
}
