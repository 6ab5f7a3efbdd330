import { powerCost } from '@gridmast/contract/prices.ts'
import { useQueryClient } from '@tanstack/react-query'
import { Navigate, Outlet, useRouterState } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLivePrices } from '#lib/live.ts'
import { noteRecentApp, tokenStore } from '#lib/session.ts'
import { useStore } from '#lib/store.ts'
import { UserProvider, useVerifiedUser } from '#lib/user.tsx'
import { ErrorBanner } from '#ui/Banner.tsx'
import { BottomBar } from './BottomBar.tsx'
import type { NavEntry } from './entries.ts'
import { FirstLoader } from './FirstLoader.tsx'
import { Palette } from './Palette.tsx'
import { primaryStore } from './primary.ts'
import { Sidebar } from './Sidebar.tsx'
import classes from './Shell.module.css'
import { TopBar } from './TopBar.tsx'
import { usePinned } from './usePinned.ts'

type Props = { entries: NavEntry[]; titles: Record<string, string> }

/** The frame of every page that needs a session. Without one: to the sign-in page. */
export const Shell = ({ entries, titles }: Props) => {
  const token = useStore(tokenStore)
  return token === null ? <Navigate to="/auth/login" replace /> : <SignedIn entries={entries} titles={titles} />
}

const SignedIn = ({ entries, titles }: Props) => {
  const { t } = useTranslation()
  const verified = useVerifiedUser(true)
  const queries = useQueryClient()
  const path = useRouterState({ select: (state) => state.location.pathname })
  const [drawer, setDrawer] = useState(false)
  const [pinned, setPinned] = usePinned()
  const user = verified.data?.user
  const primary = user?.customerId.theme.primaryColor

  useEffect(() => {
    if (primary && tokenStore.get() !== null) primaryStore.set(primary)
  }, [primary])
  useEffect(() => noteRecentApp(path), [path])
  useLivePrices(() => void queries.invalidateQueries({ queryKey: [powerCost.path] }))

  if (!user)
    return (
      <>
        <FirstLoader done={false} />
        {verified.error && (
          <div className={classes.unreachable}>
            <ErrorBanner
              title={t('Your account could not be loaded.')}
              onRetry={() => void verified.refetch()}
              retrying={verified.isFetching}
            >
              {t(verified.error.message)}
            </ErrorBanner>
          </div>
        )}
      </>
    )

  const open = entries.filter((entry) => entry.gate(user) === true)
  return (
    <UserProvider value={user}>
      <a className={classes.skip} href="#content">
        {t('Skip to content')}
      </a>
      <FirstLoader done />
      <div className={classes.shell} data-pinned={pinned || undefined}>
        <Sidebar entries={open} pinned={pinned} onPin={setPinned} drawer={drawer} onDrawer={setDrawer} />
        <div className={classes.main}>
          <TopBar title={t(titles[path] ?? '')} entries={open} onMenu={() => setDrawer(true)} />
          <div id="content" tabIndex={-1} className={classes.content}>
            <Outlet />
          </div>
        </div>
        <BottomBar entries={open} onMore={() => setDrawer(true)} />
      </div>
      <Palette entries={open} />
    </UserProvider>
  )
}
