import { Outlet } from '@tanstack/react-router'
import { Fragment } from 'react'
import { useLanguage } from '#lib/i18n.ts'
import { PendingBar } from './PendingBar.tsx'

/** The frame of every page: the bar of pending calls. A change of language mounts it again, so that every `t` runs again. */
export const Root = () => (
  <Fragment key={useLanguage()}>
    <PendingBar />
    <Outlet />
  </Fragment>
)
