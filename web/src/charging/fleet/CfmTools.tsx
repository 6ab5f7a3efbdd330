import { ServiceTable } from './ServiceTable.tsx'
import { UnknownChargers } from './UnknownChargers.tsx'
import { t } from '#lib/i18n.ts'
import { part } from '#lib/part.tsx'
import { useUrlState } from '#lib/url-state.ts'
import { useCan } from '#lib/user.tsx'
import { Lead, Page, TabPage } from '#ui/Page.tsx'
import { toolsSearch } from './search.ts'
import { toolsTabs } from './tabs.ts'

const TagImport = part(async () => (await import('./TagImport.tsx')).TagImport)

/** Service of the charge fleet: registration, firmware, availability, tag import and sites. */
const CfmTools = () => {
  const [search, change] = useUrlState(toolsSearch)
  const mayImport = useCan('charge-fleet.import')
  const lead = !mayImport && <Lead>{t('Tags and chargers are added by the sudoer or an expert of your company.')}</Lead>
  const chargers = (
    <>
      {lead}
      <ServiceTable below={<UnknownChargers below={mayImport && <TagImport />} />} />
    </>
  )
  const sites = (
    <>
      {lead}
      <toolsTabs.sites search={search} onSearch={change} />
    </>
  )
  return (
    <Page>
      <TabPage
        current={search.tab}
        tabs={[
          { name: 'chargers', title: t('Chargers'), content: chargers },
          { name: 'sites', title: t('Sites'), content: sites },
        ]}
      />
    </Page>
  )
}

export default CfmTools
