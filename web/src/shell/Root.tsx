import { Outlet } from '@tanstack/react-router'
import { Fragment } from 'react'
import { useLanguage } from '#lib/i18n.ts'
import { PendingBar } from './PendingBar.tsx'

/** A change of language remounts every page, so that every `t` runs again. */
export const Root = () => (
  <Fragment key={useLanguage()}>
    <PendingBar />
    <Outlet />
  </Fragment>
)
