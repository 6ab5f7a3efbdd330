import { DetailsTab } from './DetailsTab.tsx'
import { t } from '#lib/i18n.ts'
import { useUrlState } from '#lib/url-state.ts'
import { useUser } from '#lib/user.tsx'
import { licenceOf } from '#shell/gate.ts'
import { TabPage } from '#ui/Page.tsx'
import { evSearch } from './search.ts'
import { chargingTabs } from './tabs.ts'

const EvCharging = () => {
  const [search, change] = useUrlState(evSearch)
  const licenceId = licenceOf(useUser(), { params: { name: 'evCharging' }, search })?._id ?? ''
  const props = { licenceId, search, onSearch: change }
  return (
    <main>
      <TabPage
        current={search.tab}
        kept={{ licenseTypeId: search.licenseTypeId }}
        tabs={[
          { name: 'details', title: t('Details'), content: <DetailsTab {...props} /> },
          { name: 'tag', title: t('Tag'), content: <chargingTabs.tag search={search} onSearch={change} /> },
          { name: 'transactions', title: t('Transactions'), content: <chargingTabs.transactions {...props} /> },
          { name: 'chargers', title: t('Chargers'), content: <chargingTabs.chargers licenceId={licenceId} /> },
        ]}
      />
    </main>
  )
}

export default EvCharging
