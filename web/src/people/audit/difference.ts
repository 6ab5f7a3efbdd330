import type { Sentence } from '#i18n/da.ts'

export type Difference = { field: string; before: unknown; after: unknown }

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const fieldNames: Record<string, Sentence> = {
  name: 'Name',
  email: 'Email',
  contact: 'Contact',
  countryCode: 'Country code',
  profileImage: 'Picture',
  primaryContactName: 'Primary contact name',
  primaryContactEmail: 'Primary contact email',
  billingEmail: 'Billing email',
  sessions: 'Sessions ended',
  sessionsEnded: 'Sessions ended',
  apiKeys: 'API keys revoked',
  required: 'Required for everyone',
  scopes: 'What it may read',
  expiresAt: 'Expires',
  host: 'Host',
  url: 'Address',
  events: 'Events',
  event: 'Event',
  enabled: 'Enabled',
  by: 'Signed in with',
  title: 'Title',
  released: 'Created at',
  enable: 'Open',
  _id: 'ID',
  action: 'Active',
  answer: 'Answer',
  bidResult: 'Bid Result',
  biddingMarket: 'Market',
  capacityDkkPerKw: 'Capacity tariff (DKK/kW)',
  co2DkkPerKg: 'CO₂ (DKK/kg)',
  costWeight: 'Weight of cost (%)',
  createdAt: 'Created at',
  criteria: 'Criteria',
  customBidding: 'Custom bidding',
  endDate: 'End Date',
  excludedDays: 'Excluded Days',
  fallbackA: 'Without the server (A)',
  groupId: 'Group',
  groupName: 'Instance',
  inputs: 'Seal of the input data',
  instanceId: 'Instance',
  isFirm: 'Fixed',
  licenseId: 'License',
  limitA: 'Limit (A)',
  maxKw: 'Maximum (kW)',
  minKw: 'Minimum (kW)',
  mostMw: 'Largest bid (MW)',
  needKwh: 'Energy need (kWh)',
  otherKw: 'Other consumption (kW)',
  priceSignal: 'Price signal',
  properties: 'Settings',
  reachedKw: 'Peak this month (kW)',
  report: 'Report',
  reserveA: 'Reserve (A)',
  siteId: 'Site',
  startDate: 'Start Date',
  tagID: 'Tag ID',
  taxValue: 'Tax',
  until: 'Until',
  updatedAt: 'Changed',
  value: 'Threshold/Value',
  wishedPeakKw: 'Wished peak (kW)',
  differenceEur: 'Difference (€)',
  foreign: 'Rows of other instances',
  'not-in-statement': 'Not in the statement',
  'not-settled': 'Not in Gridmast',
  rows: 'Rows',
  sha256: 'Checksum of the file (SHA-256)',
  wrong: 'Invalid rows',
}

/** Text for a field; a name that is no identifier, such as `DK2 (DKK/MWh)`, is shown unchanged. */
export const fieldWords = (field: string): string => {
  if (Object.hasOwn(fieldNames, field)) return fieldNames[field] ?? field
  if (!/^[a-z][A-Za-z0-9_-]*$/.test(field)) return field
  const spaced = field
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .replaceAll(/[_-]/g, ' ')
    .toLowerCase()
  return spaced.charAt(0).toUpperCase() + spaced.slice(1)
}

const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)

/** Changed fields of an entry. A value that is no record is one field without a name. */
export const differencesOf = (before: unknown, after: unknown): Difference[] => {
  const values = [before, after].filter((value) => value !== null && value !== undefined)
  if (values.length === 0) return []
  if (!values.every(isRecord)) return same(before, after) ? [] : [{ field: '', before, after }]
  const [old, next] = [isRecord(before) ? before : {}, isRecord(after) ? after : {}]
  return [...new Set([...Object.keys(old), ...Object.keys(next)])].flatMap((field) =>
    same(old[field], next[field]) ? [] : [{ field, before: old[field], after: next[field] }],
  )
}
