import { lazy } from 'react'
import { OverviewTab } from './OverviewTab.tsx'
import { t } from '#lib/i18n.ts'
import { useUrlState } from '#lib/url-state.ts'
import { TabPage } from '#ui/Page.tsx'
import { economicsSearch } from './search.ts'

const ComparisonTab = lazy(async () => ({ default: (await import('./ComparisonTab.tsx')).ComparisonTab }))
const ReconciliationTab = lazy(async () => ({
  default: (await import('#settlement/reconciliation/ReconciliationTab.tsx')).ReconciliationTab,
}))
const StatementMonths = lazy(async () => ({
  default: (await import('#settlement/statements/StatementMonths.tsx')).StatementMonths,
}))
const StatementReaders = lazy(async () => ({
  default: (await import('#settlement/statements/StatementReaders.tsx')).StatementReaders,
}))

const Economics = () => {
  const [search, change] = useUrlState(economicsSearch)
  const props = { search, onSearch: change }
  return (
    <main>
      <TabPage
        current={search.tab ?? 'overview'}
        tabs={[
          { name: 'overview', title: t('Overview'), content: <OverviewTab {...props} /> },
          { name: 'comparison', title: t('Why more or less?'), content: <ComparisonTab {...props} /> },
          { name: 'reconciliation', title: t('Reconciliation'), content: <ReconciliationTab {...props} /> },
          { name: 'statements', title: t('Statements'), content: <StatementMonths below={<StatementReaders />} /> },
        ]}
      />
    </main>
  )
}

export default Economics
