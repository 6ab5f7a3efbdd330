import { t } from '#lib/i18n.ts'
import { pendingCalls } from '#lib/api.ts'
import { useStore } from '#lib/store.ts'
import classes from './PendingBar.module.css'

/** Two pixels at the top of the window while any call is pending. */
export const PendingBar = () => {
  const pending = useStore(pendingCalls) > 0
  return (
    // It stands outside every landmark, where only what reports a state may stand.
    <div role="status">
      <div
        className={classes.bar}
        data-pending={pending || undefined}
        role="progressbar"
        aria-label={t('Loading')}
        aria-hidden={!pending}
      />
    </div>
  )
}
