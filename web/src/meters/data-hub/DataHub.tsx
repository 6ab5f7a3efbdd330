import { useNavigate } from '@tanstack/react-router'
import { AllMetersTab } from './AllMetersTab.tsx'
import { DetailsTab } from './DetailsTab.tsx'
import { useMeterDialogs } from './MeterDialogs.tsx'
import { t } from '#lib/i18n.ts'
import { useRef } from 'react'
import { useUrlState } from '#lib/url-state.ts'
import { PageTabs } from '#ui/PageTabs.tsx'
import { hubSearch, hubTabs } from './search.ts'

const titles = { details: 'Details', allMeters: 'All Meters' } as const

/** Meters by CVR key: what one of them used and cost, and the table of all. */
const DataHub = () => {
  const navigate = useNavigate()
  const [search, change] = useUrlState(hubSearch)
  const tab = search.tab ?? hubTabs[0]
  const table = useRef<HTMLElement>(null)
  const { actions, dialogs } = useMeterDialogs(() => table.current?.focus())
  // A tab is a place: the meter and the day stay, the page of the table does not; back leads to the one before.
  const open = (next: string | null) => {
    const { date, device, view, compare } = search
    const chosen = hubTabs.slice(1).find((name) => name === next)
    void navigate({ to: '/insights/dataHub', search: { tab: chosen, date, device, view, compare } })
  }
  return (
    <main>
      <PageTabs names={hubTabs} title={(name) => t(titles[name])} shown={tab} onOpen={open}>
        {tab === 'details' ? (
          <DetailsTab search={search} onSearch={change} {...actions} />
        ) : (
          <AllMetersTab
            ref={table}
            page={search.page ?? 1}
            onPage={(page) => change({ page: page === 1 ? undefined : page })}
            {...actions}
          />
        )}
      </PageTabs>
      {dialogs}
    </main>
  )
}

export default DataHub
