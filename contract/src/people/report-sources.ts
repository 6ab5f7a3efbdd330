import { limits } from '#limits.ts'

export const reportIntervals = ['daily', 'weekly', 'monthly'] as const
export type ReportInterval = (typeof reportIntervals)[number]

/** How the query of an export names the days of a report: first and last day, one day, one month, not at all, or as its screen: relative or fixed. */
type Days = 'range' | 'day' | 'month' | 'none' | 'kept'

/** The exports that a report can send, by the path of their call, and the days in their query. */
export const reportSources = {
  '/client/data/event': 'range',
  '/client/data/eConomics': 'range',
  '/client/data/revenue': 'range',
  '/client/data/energy-now': 'none',
  '/client/alert/fault': 'none',
  '/client/reconciliation/{id}': 'none',
  '/client/evc/transaction': 'range',
  '/client/evc/statement': 'month',
  '/client/cfm/dashboard': 'kept',
  '/client/payment': 'range',
  '/client/load-shifting/saving': 'none',
  '/client/data/bid-request/export': 'none',
  '/client/data/sold-capacity': 'day',
  '/client/email-subscription': 'none',
  '/client/license/licenseType/{id}': 'none',
  '/client/audit': 'range',
  '/client/data/frequency/{id}': 'day',
  '/client/data/set-point': 'day',
  '/client/data/powercapacity': 'day',
  '/client/instance-data-logs/overview': 'day',
  '/client/data/instance-capacity': 'day',
  '/client/data/power-cost': 'day',
  '/client/data/power-cost/download': 'month',
  '/client/data/pricing/{id}': 'day',
  '/client/data/prices/bulk-download': 'range',
  '/client/data/carbon-emission': 'day',
  '/client/data/carbon-emission/own': 'day',
  '/client/evc/overview': 'day',
  '/client/cfm/site/{id}/chart': 'day',
  '/client/data-hub/download': 'range',
  '/client/data-hub/overview': 'day',
} as const satisfies Record<string, Days>

export type ReportPath = keyof typeof reportSources

/** The path of the call in an address such as `/client/data/event?market=FCR`, and its parameters; null for one that cannot be sent. */
export const reportSourceOf = (address: string): { path: ReportPath; params: Record<string, string> } | null => {
  if (/[?&]type=future(&|$)/.test(address)) return null // a prognosis of the past is none
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
  const days: Days = reportSources[path]
  return days === 'day' ? ['daily'] : days === 'month' ? ['monthly'] : reportIntervals
}

/** A fixed range of its screen: the same days in each report. */
const hasFixedDays = (address: string): boolean => {
  const source = reportSourceOf(address)
  const query = new URLSearchParams(address.split('?')[1])
  return source !== null && reportSources[source.path] === 'kept' && query.has('start') && !query.has('range')
}

/** A range until now replaces fixed days. */
const withoutReplacedDays = (address: string): string => {
  const [path = '', ...rest] = address.split('?')
  const query = new URLSearchParams(rest.join('?'))
  if (!query.has('range') || !(query.has('start') || query.has('end'))) return address
  query.delete('start')
  query.delete('end')
  return `${path}?${query}`
}

const dashboardStart = '/dashboard?'

/** The address of a report of several exports, in their order. */
export const dashboardOf = (addresses: readonly string[]): string =>
  dashboardStart + String(new URLSearchParams(addresses.map((address) => ['part', address])))

export const isDashboard = (address: string): boolean => address.startsWith(dashboardStart)

/** The exports of a report: those of a dashboard, or the one. */
export const reportPartsOf = (address: string): string[] =>
  isDashboard(address) ? new URLSearchParams(address.slice(dashboardStart.length)).getAll('part') : [address]

/** The address of a report as it is stored. */
export const storedAddress = (address: string): string =>
  isDashboard(address) ? dashboardOf(reportPartsOf(address).map(withoutReplacedDays)) : withoutReplacedDays(address)

/** True when an export of the report has a fixed range, which does not move with each report. */
export const isOfFixedDays = (address: string): boolean => reportPartsOf(address).some(hasFixedDays)

/** Empty for an address that cannot be sent. */
export const reportIntervalsOf = (address: string): readonly ReportInterval[] => {
  const paths = reportPartsOf(address).map((part) => reportSourceOf(part)?.path)
  if (paths.length === 0 || paths.length > limits.reportParts) return []
  return reportIntervals.filter((every) =>
    paths.every((path) => path !== undefined && intervalsOf(path).includes(every)),
  )
}
