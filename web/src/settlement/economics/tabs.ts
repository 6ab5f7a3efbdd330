import { part } from '#lib/part.tsx'

export const economicsTabs = {
  comparison: part(async () => (await import('./ComparisonTab.tsx')).ComparisonTab),
  reconciliation: part(
    async () => (await import('#settlement/reconciliation/ReconciliationTab.tsx')).ReconciliationTab,
  ),
  statements: part(async () => (await import('#settlement/statements/StatementMonths.tsx')).StatementMonths),
}
