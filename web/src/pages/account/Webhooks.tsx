import { useTranslation } from '#lib/i18n.ts'
import { SignatureHelp } from '#features/webhooks/SignatureHelp.tsx'
import { WebhooksPanel } from '#features/webhooks/WebhooksPanel.tsx'
import { useUrlState } from '#lib/url-state.ts'
import classes from './account.module.css'
import { webhooksSearch } from './webhooks-search.ts'

const Webhooks = () => {
  const { t } = useTranslation()
  const [{ webhook, page }, change] = useUrlState(webhooksSearch)
  return (
    <main className={classes.page}>
      <p className={classes.lead}>
        {t('A webhook is your own address, which this portal calls when something happens.')}
      </p>
      <WebhooksPanel
        opened={webhook}
        page={page ?? 1}
        onOpen={(opened) => change({ webhook: opened, page: undefined })}
        onPage={(next) => change({ page: next === 1 ? undefined : next })}
      />
      <SignatureHelp />
    </main>
  )
}

export default Webhooks
