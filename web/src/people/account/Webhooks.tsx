import { t } from '#lib/i18n.ts'
import { SignatureHelp } from '#people/webhooks/SignatureHelp.tsx'
import { WebhooksPanel } from '#people/webhooks/WebhooksPanel.tsx'
import { useUrlState } from '#lib/url-state.ts'
import { Lead, Page } from '#ui/Page.tsx'
import { webhooksSearch } from './webhooks-search.ts'

const Webhooks = () => {
  const [{ webhook }, change] = useUrlState(webhooksSearch)
  return (
    <Page>
      <Lead>{t('A webhook is your own address, which this portal calls when something happens.')}</Lead>
      <WebhooksPanel
        opened={webhook}
        onOpen={(opened) => change({ webhook: opened, page: undefined })}
        below={<SignatureHelp />}
      />
    </Page>
  )
}

export default Webhooks
