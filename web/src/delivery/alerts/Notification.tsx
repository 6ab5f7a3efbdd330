import { TriggeredView } from './TriggeredView.tsx'
import { t } from '#lib/i18n.ts'
import { useUrlState } from '#lib/url-state.ts'
import { Empty } from '#ui/Loaded.tsx'
import { notificationSearch } from './search.ts'

/** Where a notification leads: the alert that `trigger` names. */
const Notification = () => {
  const [{ trigger }] = useUrlState(notificationSearch)
  return (
    <main>
      {trigger ? (
        <TriggeredView key={trigger} triggerId={trigger} />
      ) : (
        <Empty title={t('No alert chosen')}>{t('Open one from the bell or from Triggered Alerts.')}</Empty>
      )}
    </main>
  )
}

export default Notification
