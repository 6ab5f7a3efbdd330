import { Tabs } from '@mantine/core'
import { ComparisonTab } from './ComparisonTab.tsx'
import { OverviewTab } from './OverviewTab.tsx'
import { ReconciliationTab } from '#settlement/reconciliation/ReconciliationTab.tsx'
import { StatementMonths } from '#settlement/statements/StatementMonths.tsx'
import { StatementReaders } from '#settlement/statements/StatementReaders.tsx'
import { t } from '#lib/i18n.ts'
import { useUrlState } from '#lib/url-state.ts'
import { TabList } from '#ui/TabList.tsx'
import classes from './Economics.module.css'
import { economicsSearch, tabs } from './search.ts'

const nothing = Object.fromEntries(Object.keys(economicsSearch.shape).map((key) => [key, undefined]))

/** What the flexibility earned, and whose it is; the operator's statements beside it; the own ones by month. */
const Economics = () => {
  const [search, change] = useUrlState(economicsSearch)
  const open = (next: string | null) => change({ ...nothing, tab: tabs.find((tab) => tab === next) })
  const shown = search.tab ?? 'overview'
  return (
    <main>
      <Tabs value={shown} onChange={open} className={classes.tabs ?? ''} keepMounted={false}>
        <TabList shown={shown}>
          <Tabs.Tab value="overview">{t('Overview')}</Tabs.Tab>
          <Tabs.Tab value="comparison">{t('Why more or less?')}</Tabs.Tab>
          <Tabs.Tab value="reconciliation">{t('Reconciliation')}</Tabs.Tab>
          <Tabs.Tab value="statements">{t('Statements')}</Tabs.Tab>
        </TabList>
        <Tabs.Panel value="overview" className={classes.tab ?? ''}>
          <OverviewTab search={search} onSearch={change} />
        </Tabs.Panel>
        <Tabs.Panel value="comparison" className={classes.tab ?? ''}>
          <ComparisonTab search={search} onSearch={change} />
        </Tabs.Panel>
        <Tabs.Panel value="reconciliation" className={classes.tab ?? ''}>
          <ReconciliationTab search={search} onSearch={change} />
        </Tabs.Panel>
        <Tabs.Panel value="statements" className={classes.tab ?? ''}>
          <StatementMonths below={<StatementReaders />} />
        </Tabs.Panel>
      </Tabs>
    </main>
  )
}

export default Economics
