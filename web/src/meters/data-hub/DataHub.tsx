import { DetailsTab } from './DetailsTab.tsx'
import { useMeterDialogs } from './meter-actions.tsx'
import { t } from '#lib/i18n.ts'
import { useRef } from 'react'
import { useUrlState } from '#lib/url-state.ts'
import { TabPage } from '#ui/Page.tsx'
import { hubSearch } from './search.ts'
import { hubTabs } from './tabs.ts'

/** Consumption and cost of one meter, and the table of all meters. */
const DataHub = () => {
  const [search, change] = useUrlState(hubSearch)
  const table = useRef<HTMLElement>(null)
  const { actions, dialogs } = useMeterDialogs(() => table.current?.focus())
  const { date, device, view, compare, range } = search
  return (
    <main>
      <TabPage
        current={search.tab}
        kept={{ date, device, view, compare, range }}
        tabs={[
          {
            name: 'details',
            title: t('Details'),
            content: <DetailsTab search={search} onSearch={change} {...actions} />,
          },
          {
            name: 'allMeters',
            title: t('All Meters'),
            content: <hubTabs.allMeters ref={table} search={search} onSearch={change} {...actions} />,
          },
        ]}
      />
      {dialogs}
    </main>
  )
}

export default DataHub
