export const reportIntervals = ['daily', 'weekly', 'monthly'] as const
export type ReportInterval = (typeof reportIntervals)[number]

/** How the query of an export names the days of a report: first and last day, one day, one month, or not at all. */
type Days = 'range' | 'day' | 'month' | 'none'

/** The exports that a report can send, by the path of their call. */
export const reportSources = {
  '/client/data/event': { title: 'Activation events', days: 'range' },
  '/client/data/eConomics': { title: 'Settlements', days: 'range' },
  '/client/reconciliation/{id}': { title: 'Reconciliation', days: 'none' },
  '/client/evc/transaction': { title: 'Charging sessions', days: 'range' },
  '/client/evc/statement': { title: 'Charging statement', days: 'month' },
  '/client/cfm/dashboard': { title: 'Charger utilisation', days: 'none' },
  '/client/payment': { title: 'Payments', days: 'range' },
  '/client/load-shifting/saving': { title: 'Savings of plans', days: 'none' },
  '/client/data/bid-request/export': { title: 'Bid requests', days: 'none' },
  '/client/data/sold-capacity': { title: 'Sold capacity', days: 'day' },
  '/client/email-subscription': { title: 'Email Subscriptions', days: 'none' },
  '/client/license/licenseType/{id}': { title: 'Instances', days: 'none' },
  '/client/audit': { title: 'Audit trail', days: 'range' },
  '/client/data/frequency/{id}': { title: 'Grid frequency', days: 'day' },
  '/client/data/set-point': { title: 'Set point', days: 'day' },
  '/client/data/powercapacity': { title: 'Power capacity', days: 'day' },
  '/client/instance-data-logs/overview': { title: 'Power of an instance', days: 'day' },
  '/client/data/instance-capacity': { title: 'Capacity of an instance', days: 'day' },
  '/client/data/power-cost': { title: 'Power cost', days: 'day' },
  '/client/data/power-cost/download': { title: 'Power cost', days: 'month' },
  '/client/data/pricing/{id}': { title: 'Prices', days: 'day' },
  '/client/data/prices/bulk-download': { title: 'Prices', days: 'range' },
  '/client/data/carbon-emission': { title: 'Carbon emission', days: 'day' },
  '/client/data/carbon-emission/own': { title: 'Own emission', days: 'day' },
  '/client/evc/overview': { title: 'Charger', days: 'day' },
  '/client/cfm/site/{id}/chart': { title: 'Charging site', days: 'day' },
} as const satisfies Record<string, { title: string; days: Days }>

export type ReportPath = keyof typeof reportSources

/** The path of the call in an address such as `/client/data/event?market=FCR`, and its parameters; null for one that cannot be sent. */
export const reportSourceOf = (address: string): { path: ReportPath; params: Record<string, string> } | null => {
  const parts = (address.split('?')[0] ?? '').split('/')
  for (const path of Object.keys(reportSources) as ReportPath[]) {
    const names = path.split('/')
    if (names.length !== parts.length) continue
    if (!names.every((name, i) => (name.startsWith('{') ? parts[i] !== '' : name === parts[i]))) continue
    const params = names.flatMap((name, i) => (name.startsWith('{') ? [[name.slice(1, -1), parts[i] ?? '']] : []))
    return { path, params: Object.fromEntries(params) as Record<string, string> }
  }
  return null
}

export const intervalsOf = (path: ReportPath): readonly ReportInterval[] => {
  const { days } = reportSources[path]
  return days === 'day' ? ['daily'] : days === 'month' ? ['monthly'] : reportIntervals
}
