import { Outlet, useRouterState } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { PendingBar } from './PendingBar.tsx'

/** What every page stands in: the bar of pending calls and the window's title. */
export const Root = ({ titles }: { titles: Record<string, string> }) => {
  const { t } = useTranslation()
  const path = useRouterState({ select: (state) => state.location.pathname })
  const title = titles[path]
  useEffect(() => {
    document.title = title ? `${t(title)} · Gridmast` : 'Gridmast'
  }, [title, t])
  return (
    <>
      <PendingBar />
      <Outlet />
    </>
  )
}
