import { getLicence, type LicenceType } from '@gridmast/contract/people/licences.ts'
import { AlertsTab } from '#delivery/alerts/AlertsTab.tsx'
import { DataHubOverview } from '#meters/data-hub/DataHubOverview.tsx'
import { Events } from '#delivery/events/Events.tsx'
import { t } from '#lib/i18n.ts'
import { useCall } from '#lib/query.ts'
import { useUrlState } from '#lib/url-state.ts'
import { useUser } from '#lib/user.tsx'
import { licenceOf } from '#shell/gate.ts'
import { useCurrentScreen } from '#shell/current-screen.ts'
import { RefusedPage } from '#shell/RefusedPage.tsx'
import { LoadError } from '#ui/LoadError.tsx'
import { Panel } from '#ui/Panel.tsx'
import { TabPage } from '#ui/TabPage.tsx'
import { AppSkeleton } from './AppSkeleton.tsx'
import { DetailsTab } from './DetailsTab.tsx'
import { Fallback } from './Fallback.tsx'
import { OverviewTab } from './OverviewTab.tsx'
import { type AppTab, appSearch, appTabs } from './search.ts'

const rereadMs = 60_000

/** The licence's settings decide its tabs; without any there is no app. */
const LicenceApp = () => {
  const [{ tab }] = useUrlState(appSearch)
  const id = licenceOf(useUser(), useCurrentScreen().place)?._id ?? ''
  const read = useCall(getLicence, { sent: { params: { id } }, enabled: id !== '', refetchIntervalMs: rereadMs })
  // The profile, and with it the gate, may be older than the answer.
  if (read.error?.status === 403) return <RefusedPage reason="license not active" />
  if (read.error?.status === 404) return <RefusedPage reason="license not found" />
  if (read.data) return <App key={id} licence={read.data.license} />
  return (
    <main>
      {read.error ? (
        <Panel label={t('Overview')}>
          <LoadError query={read} title={t('The license could not be loaded.')} />
        </Panel>
      ) : (
        <AppSkeleton tab={tab ?? 'overview'} />
      )}
    </main>
  )
}

const App = ({ licence }: { licence: LicenceType }) => {
  const [search, change] = useUrlState(appSearch)
  // Events are on the page of a licence by id; in an app they are on the market's page.
  const isByItsId = useCurrentScreen().place.params['licenseId'] !== undefined
  const isOffered = (name: AppTab) => licence.settings[name] && (name !== 'events' || isByItsId)
  if (!appTabs.some(isOffered)) return <Fallback licence={licence} />
  const props = { licence, search, onSearch: change }
  return (
    <main>
      <TabPage
        shown={search.tab}
        kept={{ licenseTypeId: search.licenseTypeId }}
        tabs={[
          isOffered('overview') && {
            name: 'overview',
            title: t('Overview'),
            content:
              licence.name === 'dataHub' ? (
                <DataHubOverview date={search.date} onDate={(date) => change({ date })} />
              ) : (
                <OverviewTab {...props} />
              ),
          },
          isOffered('alerts') && { name: 'alerts', title: t('Alerts'), content: <AlertsTab {...props} /> },
          isOffered('events') && {
            name: 'events',
            title: t('Events'),
            content: (
              <Events
                of={{ licenseId: licence._id, name: licence.name }}
                instances={licence.groups}
                search={search}
                onSearch={change}
              />
            ),
          },
          isOffered('details') && { name: 'details', title: t('Details'), content: <DetailsTab licence={licence} /> },
        ]}
      />
    </main>
  )
}

export default LicenceApp
