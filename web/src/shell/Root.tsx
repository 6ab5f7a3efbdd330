import { Outlet } from '@tanstack/react-router'
import { Fragment } from 'react'
import { pendingCalls } from '#lib/api.ts'
import { useLanguage, t } from '#lib/i18n.ts'
import { useStore } from '#lib/store.ts'
import { useTitle } from './current-screen.ts'
import classes from './Root.module.css'

export const PublicLayout = () => {
  useTitle(null)
  return <Outlet />
}

export const PendingBar = () => {
  const pending = useStore(pendingCalls) > 0
  return (
    // Outside of every landmark, where only a status is allowed; silent, because live screens read all the time.
    <div role="status" aria-live="off">
      <div
        className={classes.pendingBar}
        data-pending={pending || undefined}
        role="progressbar"
        aria-label={t('Loading')}
        aria-hidden={!pending}
      />
    </div>
  )
}

/** A change of language remounts every page, so that every `t` runs again. */
export const Root = () => (
  <Fragment key={useLanguage()}>
    <PendingBar />
    <Outlet />
  </Fragment>
)
