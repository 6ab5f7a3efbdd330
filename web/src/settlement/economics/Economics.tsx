import { ComparisonTab } from './ComparisonTab.tsx'
import { OverviewTab } from './OverviewTab.tsx'
import { ReconciliationTab } from '#settlement/reconciliation/ReconciliationTab.tsx'
import { StatementMonths } from '#settlement/statements/StatementMonths.tsx'
import { StatementReaders } from '#settlement/statements/StatementReaders.tsx'
import { t } from '#lib/i18n.ts'
import { useUrlState } from '#lib/url-state.ts'
import { Stack } from '#ui/Layout.tsx'
import { PageTabs } from '#ui/PageTabs.tsx'
import { economicsSearch, tabs } from './search.ts'

const titles = {
  overview: 'Overview',
  comparison: 'Why more or less?',
  reconciliation: 'Reconciliation',
  statements: 'Statements',
} as const
const nothing = Object.fromEntries(Object.keys(economicsSearch.shape).map((key) => [key, undefined]))

/** What the flexibility earned, and whose it is; the operator's statements beside it; the own ones by month. */
const Economics = () => {
  const [search, change] = useUrlState(economicsSearch)
  const open = (next: string | null) => change({ ...nothing, tab: tabs.find((tab) => tab === next) })
  const shown = search.tab ?? 'overview'
  const panels = {
    overview: <OverviewTab search={search} onSearch={change} />,
    comparison: <ComparisonTab search={search} onSearch={change} />,
    reconciliation: <ReconciliationTab search={search} onSearch={change} />,
    statements: <StatementMonths below={<StatementReaders />} />,
  }
  return (
    <main>
      <PageTabs names={['overview', ...tabs]} title={(name) => t(titles[name])} shown={shown} onOpen={open}>
        <Stack gap="cards">{panels[shown]}</Stack>
      </PageTabs>
    </main>
  )
}

export default Economics
