import { useNavigate } from '@tanstack/react-router'
import { ServiceTable } from './ServiceTable.tsx'
import { TagImport } from './TagImport.tsx'
import { UnknownChargers } from './UnknownChargers.tsx'
import { SitesTab } from '#charging/sites/SitesTab.tsx'
import type { Sentence } from '#i18n/da.ts'
import { t } from '#lib/i18n.ts'
import { useUrlState } from '#lib/url-state.ts'
import { useCan } from '#lib/user.tsx'
import { Stack } from '#ui/Layout.tsx'
import { Lead, Page } from '#ui/Page.tsx'
import { PageTabs } from '#ui/PageTabs.tsx'
import { toolsSearch, type ToolsTab, toolsTabs } from './tools-search.ts'

const titles: Record<ToolsTab, Sentence> = { chargers: 'Chargers', sites: 'Sites' }
const [usual] = toolsTabs

/** What is done to the charge fleet beyond the day to day. */
const CfmTools = () => {
  const navigate = useNavigate()
  const [search, change] = useUrlState(toolsSearch)
  const mayImport = useCan('charge-fleet.import')
  const tab = search.tab ?? usual
  // A tab is a place: all that belonged to the one before is left out, and back leads to it.
  const open = (next: string | null) => {
    const chosen = toolsTabs.find((name) => name === next && name !== usual)
    void navigate({ to: '.', search: chosen ? { tab: chosen } : {} })
  }
  return (
    <Page>
      <PageTabs names={toolsTabs} title={(name) => t(titles[name])} shown={tab} onOpen={open}>
        <Stack gap={16}>
          {!mayImport && <Lead>{t('Tags and chargers are added by the sudoer or an expert of your company.')}</Lead>}
          {tab === 'sites' ? (
            <SitesTab search={search} onSearch={change} />
          ) : (
            <ServiceTable below={<UnknownChargers below={mayImport && <TagImport />} />} />
          )}
        </Stack>
      </PageTabs>
    </Page>
  )
}

export default CfmTools
