import { getLicence, type LicenceType } from '@gridmast/contract/people/licences.ts'
import { useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { AlertsTab } from '#delivery/alerts/AlertsTab.tsx'
import { DataHubOverview } from '#meters/data-hub/DataHubOverview.tsx'
import { Events } from '#delivery/events/Events.tsx'
import { t, translateText } from '#lib/i18n.ts'
import { useCall } from '#lib/query.ts'
import { useUrlState } from '#lib/url-state.ts'
import { useUser } from '#lib/user.tsx'
import { licenceOf } from '#shell/gate.ts'
import { useHere } from '#shell/here.ts'
import { RefusedPage } from '#shell/RefusedPage.tsx'
import { ErrorBanner } from '#ui/Banner.tsx'
import { Panel } from '#ui/Panel.tsx'
import { PageTabs } from '#ui/PageTabs.tsx'
import { AppSkeleton } from './AppSkeleton.tsx'
import { DetailsTab } from './DetailsTab.tsx'
import { Fallback } from './Fallback.tsx'
import { OverviewTab } from './OverviewTab.tsx'
import { type AppTab, appSearch, appTabs } from './search.ts'

const titles = { overview: 'Overview', alerts: 'Alerts', events: 'Events', details: 'Details' } as const
const rereadMs = 60_000

/** The app of a licence: its tabs are those that the licence has; one without any has no app. */
const LicenceApp = () => {
  const [{ tab }] = useUrlState(appSearch)
  const id = licenceOf(useUser(), useHere().place)?._id ?? ''
  const read = useCall(getLicence, { sent: { params: { id } }, enabled: id !== '', refetchIntervalMs: rereadMs })
  // The gate looked at the profile, which may be older than the answer.
  if (read.error?.status === 403) return <RefusedPage reason="license not active" />
  if (read.error?.status === 404) return <RefusedPage reason="license not found" />
  if (read.data) return <App key={id} licence={read.data.license} />
  return (
    <main>
      {read.error ? (
        <Panel label={t('Overview')}>
          <ErrorBanner
            title={t('The license could not be loaded.')}
            onRetry={() => void read.refetch()}
            retrying={read.isFetching}
          >
            {translateText(read.error.message)}
          </ErrorBanner>
        </Panel>
      ) : (
        <AppSkeleton tab={tab ?? 'overview'} />
      )}
    </main>
  )
}

const App = ({ licence }: { licence: LicenceType }) => {
  const navigate = useNavigate()
  const [search, change] = useUrlState(appSearch)
  // Its events stand on the page of a licence by its id; an app leaves them to the markets.
  const isByItsId = useHere().place.params['licenseId'] !== undefined
  const tabs = appTabs.filter((name) => licence.settings[name] && (name !== 'events' || isByItsId))
  const [usual] = tabs
  if (!usual) return <Fallback licence={licence} />
  const tab = tabs.find((name) => name === search.tab) ?? usual
  // A tab is a place: all that belonged to the one before is left out, and back leads to it.
  const open = (next: string | null) => {
    const chosen = tabs.find((name) => name === next && name !== usual)
    const { licenseTypeId } = search
    void navigate({
      to: '.',
      search: { ...(licenseTypeId ? { licenseTypeId } : {}), ...(chosen ? { tab: chosen } : {}) },
    })
  }
  const panels: Record<AppTab, ReactNode> = {
    overview:
      licence.name === 'dataHub' ? (
        <DataHubOverview date={search.date} onDate={(date) => change({ date })} />
      ) : (
        <OverviewTab licence={licence} search={search} onChange={change} />
      ),
    alerts: <AlertsTab licence={licence} search={search} onSearch={change} />,
    events: (
      <Events
        of={{ licenseId: licence._id, name: licence.name }}
        instances={licence.groups}
        search={search}
        onSearch={change}
      />
    ),
    details: <DetailsTab licence={licence} />,
  }
  return (
    <main>
      <PageTabs names={tabs} title={(name) => t(titles[name])} shown={tab} onOpen={open}>
        {panels[tab]}
      </PageTabs>
    </main>
  )
}

export default LicenceApp
