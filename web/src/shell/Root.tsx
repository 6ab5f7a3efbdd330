import { Outlet } from '@tanstack/react-router'
import { Fragment } from 'react'
import { useLanguage, t } from '#lib/i18n.ts'
import { useTitle } from './current-screen.ts'
import { pendingCalls } from '#lib/api.ts'
import { useStore } from '#lib/store.ts'
import classes from './Root.module.css'

export const PublicLayout = () => {
  useTitle(null)
  return <Outlet />
}

export const PendingBar = () => {
  const pending = useStore(pendingCalls) > 0
  return (
    // Outside of every landmark, where only a status is allowed.
    <div role="status">
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
