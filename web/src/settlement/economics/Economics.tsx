import { ComparisonTab } from './ComparisonTab.tsx'
import { OverviewTab } from './OverviewTab.tsx'
import { ReconciliationTab } from '#settlement/reconciliation/ReconciliationTab.tsx'
import { StatementMonths } from '#settlement/statements/StatementMonths.tsx'
import { StatementReaders } from '#settlement/statements/StatementReaders.tsx'
import { t } from '#lib/i18n.ts'
import { useUrlState } from '#lib/url-state.ts'
import { TabPage } from '#ui/Page.tsx'
import { economicsSearch } from './search.ts'

/** Revenue and its shares, the operator's statements, and monthly statements of the company. */
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
