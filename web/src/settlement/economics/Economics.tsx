import { OverviewTab } from './OverviewTab.tsx'
import { t } from '#lib/i18n.ts'
import { part } from '#lib/part.tsx'
import { useUrlState } from '#lib/url-state.ts'
import { TabPage } from '#ui/Page.tsx'
import { economicsSearch } from './search.ts'
import { economicsTabs } from './tabs.ts'

const StatementReaders = part(
  async () => (await import('#settlement/statements/StatementReaders.tsx')).StatementReaders,
)

const Economics = () => {
  const [search, change] = useUrlState(economicsSearch)
  const props = { search, onSearch: change }
  return (
    <main>
      <TabPage
        current={search.tab ?? 'overview'}
        tabs={[
          { name: 'overview', title: t('Overview'), content: <OverviewTab {...props} /> },
          { name: 'comparison', title: t('Why more or less?'), content: <economicsTabs.comparison {...props} /> },
          { name: 'reconciliation', title: t('Reconciliation'), content: <economicsTabs.reconciliation {...props} /> },
          {
            name: 'statements',
            title: t('Statements'),
            content: <economicsTabs.statements below={<StatementReaders />} />,
          },
        ]}
      />
    </main>
  )
}

export default Economics
