import { t } from '#lib/i18n.ts'
import { pendingCalls } from '#lib/api.ts'
import { useStore } from '#lib/store.ts'
import classes from './PendingBar.module.css'

export const PendingBar = () => {
  const pending = useStore(pendingCalls) > 0
  return (
    // Outside of every landmark, where only a status is allowed.
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
