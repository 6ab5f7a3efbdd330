import { ServiceTable } from '#features/charge-fleet/ServiceTable.tsx'
import { TagImport } from '#features/charge-fleet/TagImport.tsx'
import { UnknownChargers } from '#features/charge-fleet/UnknownChargers.tsx'
import { useTranslation } from '#lib/i18n.ts'
import { useCan } from '#lib/user.tsx'
import { Lead, Page } from '#ui/Page.tsx'

/** What is done to the charge fleet beyond the day to day. */
const CfmTools = () => {
  const { t } = useTranslation()
  const mayImport = useCan('charge-fleet.import')
  return (
    <Page>
      {!mayImport && <Lead>{t('Tags and chargers are added by the sudoer or an expert of your company.')}</Lead>}
      <UnknownChargers />
      {mayImport && <TagImport />}
      <ServiceTable />
    </Page>
  )
}

export default CfmTools
