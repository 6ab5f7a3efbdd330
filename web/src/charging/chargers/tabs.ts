import { part } from '#lib/part.tsx'

export const chargingTabs = {
  tag: part(async () => (await import('./TagsTab.tsx')).TagsTab),
  transactions: part(async () => (await import('./TransactionsTab.tsx')).TransactionsTab),
  chargers: part(async () => (await import('./ChargersTab.tsx')).ChargersTab),
}
