import { getLicence, type LicenceType } from '@gridmast/contract/people/licences.ts'
import type { Instance } from '@gridmast/contract/people/instances.ts'
import { useState } from 'react'
import { Button } from '@mantine/core'
import { IconApps } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { t, translateText, withWords } from '#lib/i18n.ts'
import { part } from '#lib/part.tsx'
import { useCall } from '#lib/query.ts'
import { useUrlState } from '#lib/url-state.ts'
import { useUser, useCan, licenceTitle } from '#lib/user.tsx'
import { useCurrentScreen } from '#shell/current-screen.ts'
import { RefusedPage } from '#shell/ErrorPages.tsx'
import { licenceOf } from '#shell/gate.ts'
import { flat, useNav } from '#shell/nav.ts'
import { LoadError, Empty } from '#ui/Loaded.tsx'
import { TabPage } from '#ui/Page.tsx'
import { Panel } from '#ui/Panel.tsx'
import { lateDialog } from '#ui/late-dialog.tsx'
import { AppSkeleton } from './AppSkeleton.tsx'
import { OverviewTab } from './OverviewTab.tsx'
import { type AppTab, appSearch, appTabs } from './search.ts'
import { tabParts } from './tabs.ts'

const EquipmentTesting = lateDialog(
  async () => (await import('#delivery/equipment/EquipmentTesting.tsx')).EquipmentTesting,
  ({ opened }) => opened,
)
const EditInstance = lateDialog(
  async () => (await import('#delivery/instances/EditInstance.tsx')).EditInstance,
  ({ instance }) => instance !== null,
)
const DataHubOverview = part(
  async () => (await withWords(import('#meters/data-hub/DataHubOverview.tsx'), 'meters')).DataHubOverview,
)

export const DetailsTab = ({ licence }: { licence: LicenceType }) => {
  const [editing, setEditing] = useState<Instance | null>(null)
  const [testing, setTesting] = useState<Instance | null>(null)
  const mayEdit = useCan('instance.edit')
  const mayTest = useCan('equipment.control')
  const signal = testing?.signalData.find(({ kind }) => kind === 'power')
  return (
    <>
      <tabParts.details
        licence={licence}
        onEdit={mayEdit ? setEditing : undefined}
        onTest={mayTest ? setTesting : undefined}
      />
      <EditInstance instance={editing} onClose={() => setEditing(null)} />
      {testing && signal && (
        <EquipmentTesting
          opened
          instance={{ _id: testing._id, name: testing.name, signalId: signal._id }}
          edge={{
            _id: testing.edgeDetails._id,
            name: testing.edgeDetails.deviceId,
            codeVersion: testing.edgeDetails.properties.codeVersion,
          }}
          onClose={() => setTesting(null)}
        />
      )}
    </>
  )
}

const pages = new Map<string, string>(
  Object.entries({
    dataHub: '/insights/dataHub',
    loadShifting: '/insights/loadShifting',
    CFM: '/cfmdashboard',
    evCharging: '/e3-App/evCharging',
  }),
)

export const Fallback = ({ licence }: { licence: LicenceType }) => {
  const { name } = useUser().customerId
  const { sidebar } = useNav()
  const page = flat(sidebar).find(({ key }) => key === pages.get(licence.name))
  const title = translateText(licenceTitle(licence.name))
  return (
    <main>
      <Panel title={title} note={name} label={title} style={{ minHeight: 320 }}>
        <Empty icon={<IconApps size={20} stroke={1.6} aria-hidden />} title={t('This license has no app of its own')}>
          {page ? (
            <Button renderRoot={(props) => <Link {...page.address} {...props} />} variant="default">
              {t('Open {{page}}', { page: translateText(page.title) })}
            </Button>
          ) : (
            t('This version of the portal has no page for it.')
          )}
        </Empty>
      </Panel>
    </main>
  )
}

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
        current={search.tab}
        kept={{ licenseTypeId: search.licenseTypeId }}
        tabs={[
          isOffered('overview') && {
            name: 'overview',
            title: t('Overview'),
            content:
              licence.name === 'dataHub' ? (
                <DataHubOverview search={search} onSearch={change} />
              ) : (
                <OverviewTab {...props} />
              ),
          },
          isOffered('alerts') && { name: 'alerts', title: t('Alerts'), content: <tabParts.alerts {...props} /> },
          isOffered('events') && {
            name: 'events',
            title: t('Events'),
            content: (
              <tabParts.events
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
