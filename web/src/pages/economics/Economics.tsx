import { Tabs } from '@mantine/core'
import { OverviewTab } from '#features/economics/OverviewTab.tsx'
import { useTranslation } from '#lib/i18n.ts'
import { useUrlState } from '#lib/url-state.ts'
import classes from './Economics.module.css'
import { economicsSearch } from './search.ts'

/** What the flexibility earned, and whose it is. */
const Economics = () => {
  const { t } = useTranslation()
  const [search, change] = useUrlState(economicsSearch)
  return (
    <main>
      <Tabs value="overview" className={classes.tabs ?? ''}>
        <Tabs.List>
          <Tabs.Tab value="overview">{t('Overview')}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="overview" className={classes.tab ?? ''}>
          <OverviewTab search={search} onSearch={change} />
        </Tabs.Panel>
      </Tabs>
    </main>
  )
}

export default Economics
