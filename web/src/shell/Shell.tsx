import type { User } from '@gridmast/contract/people/user.ts'
import { Navigate, Outlet } from '@tanstack/react-router'
import { Suspense, useEffect, useMemo, useState } from 'react'
import { verify } from '@gridmast/contract/people/auth.ts'
import type { CallShape } from '@gridmast/contract/call.ts'
import { instanceOverview, powerCapacity, powerCapacitySum } from '@gridmast/contract/grid/capacity.ts'
import { frequencySeries } from '@gridmast/contract/grid/frequency.ts'
import { powerCost, pricing } from '@gridmast/contract/grid/prices.ts'
import { useQueryClient } from '@tanstack/react-query'
import { dueRefusals } from '#lib/api.ts'
import { t, withWords } from '#lib/i18n.ts'
import { useLivePrices, useLiveProfile, useLiveResume } from '#lib/live.ts'
import { part } from '#lib/part.tsx'
import { noteRecentApp, tokenStore } from '#lib/session.ts'
import { useShortcut } from '#lib/shortcuts.ts'
import { useStore } from '#lib/store.ts'
import { type Due, UserProvider, useVerifiedUser } from '#lib/user.tsx'
import { primaryStore } from '#ui/theme/theme.ts'
import { useAfterFirstScreen } from './after-first-screen.ts'
import { useCloseOnLeave, useCurrentScreen, useTitle } from './current-screen.ts'
import { FirstLoader, Unreachable } from './FirstLoader.tsx'
import { flat, NavProvider, type Nav, palette, paletteStore } from './nav.ts'
import { BottomBar, Sidebar, usePinned } from './Sidebar.tsx'
import classes from './Shell.module.css'
import { TopBar } from './TopBar.tsx'

/** Calls to read again after an event of the stream, and after an interruption. */
const staleCalls = {
  prices: [powerCost, pricing],
  profile: [verify],
  resync: [verify, powerCost, pricing, frequencySeries, powerCapacity, powerCapacitySum, instanceOverview],
} as const satisfies Record<string, readonly CallShape[]>

/** Keeps data on the screen current by the stream; mounted once. */
const useLiveInvalidation = () => {
  const queries = useQueryClient()
  const invalidate = (calls: readonly CallShape[]) => {
    for (const { path } of calls) void queries.invalidateQueries({ queryKey: [path] })
  }
  useLivePrices(() => invalidate(staleCalls.prices))
  useLiveProfile(() => invalidate(staleCalls.profile))
  useLiveResume(() => invalidate(staleCalls.resync))
}

type Props = { navOf: (user: User) => Nav }

/** Frame of every page with a session; without one it leads to sign-in. */
export const Shell = ({ navOf }: Props) => {
  const token = useStore(tokenStore)
  // A new session remounts the shell, so that no data of the previous one stays on the screen (T5).
  return token === null ? <Navigate to="/auth/login" replace /> : <SignedIn key={token} navOf={navOf} />
}

const RequiredStepDialog = part(
  async () => (await withWords(import('#shell/RequiredStepDialog.tsx'), 'security')).default,
)
const KeyboardSheet = part(async () => (await withWords(import('#shell/KeyboardSheet.tsx'), 'palette')).KeyboardSheet)
const Palette = part(async () => (await withWords(import('#shell/Palette.tsx'), 'palette', 'screens')).Palette)
/** Rendered at the first opening, for a faster first screen, and loaded before; what is typed until then is kept for it. */
const LazyPalette = () => {
  const opened = useStore(paletteStore)
  const [isOpened, setOpened] = useState(opened)
  if (opened && !isOpened) setOpened(true)
  const isAfter = useAfterFirstScreen()
  useEffect(() => {
    if (isAfter) void Palette.preload()
  }, [isAfter])
  useEffect(() => palette.close, [])
  useShortcut('search', palette.open)
  return (
    isOpened && (
      <Suspense>
        <Palette opened={opened} />
      </Suspense>
    )
  )
}

const PrintHead = part(async () => (await withWords(import('#shell/PrintHead.tsx'), 'palette')).PrintHead)
const LazyPrintHead = ({ title }: { title: string }) =>
  useAfterFirstScreen() && (
    <Suspense>
      <PrintHead title={title} />
    </Suspense>
  )

/** Of the built portal only, after the first screen: installed portals start without a connection, and devices receive notifications. */
const useWorker = (userId: string) => {
  const isAfter = useAfterFirstScreen()
  useEffect(() => {
    if (!import.meta.env.PROD || !isAfter) return undefined
    const end = import('./worker.ts').then(({ startWorker }) => startWorker(userId)).catch(() => null) // the next start loads it again
    return () => void end.then((stop) => stop?.())
  }, [isAfter, userId])
}

const LazyKeyboardSheet = () => {
  const [opened, setOpened] = useState<boolean | null>(null)
  useShortcut('sheet', () => setOpened(true))
  useCloseOnLeave(() => setOpened((before) => before && false))
  return (
    opened !== null && (
      <Suspense>
        <KeyboardSheet opened={opened} onClose={() => setOpened(false)} />
      </Suspense>
    )
  )
}

const SignedIn = ({ navOf }: Props) => {
  const verified = useVerifiedUser(true)
  const user = verified.data?.user
  const primary = user?.customerId.theme.primaryColor
  const [due, setDue] = useState<Due | null>(null)
  // Kept until the dialog is done: recovery codes stay on the screen while the account is read again.
  const newest = verified.data?.due
  if (newest && newest !== due) setDue(newest)
  const refusals = useStore(dueRefusals)
  const [refusalsBefore] = useState(refusals)
  const { refetch } = verified

  useEffect(() => {
    if (refusals > refusalsBefore) void refetch()
  }, [refusals, refusalsBefore, refetch])
  useEffect(() => {
    if (primary && tokenStore.get() !== null) primaryStore.set(primary)
  }, [primary])

  if (verified.data?.wall !== undefined) return <Navigate to="/wall" replace />
  if (user)
    return (
      <UserProvider value={user}>
        {due ? (
          <Suspense fallback={<FirstLoader done={false} />}>
            <FirstLoader done />
            <RequiredStepDialog due={due} onDone={() => void refetch().then(({ data }) => setDue(data?.due ?? null))} />
          </Suspense>
        ) : (
          <>
            <FirstLoader done />
            <Frame user={user} navOf={navOf} />
          </>
        )}
      </UserProvider>
    )
  return (
    <>
      <FirstLoader done={false} />
      {verified.error && <Unreachable read={verified} error={verified.error} />}
    </>
  )
}

const Frame = ({ user, navOf }: Props & { user: User }) => {
  const { path } = useCurrentScreen()
  const title = useTitle(user)
  const nav = useMemo(() => navOf(user), [navOf, user])
  const [drawer, setDrawer] = useState(false)
  const [pinned, setPinned] = usePinned()
  useCloseOnLeave(() => setDrawer(false))

  useEffect(() => {
    if (flat([...nav.sidebar, ...nav.profile]).some(({ key }) => key === path)) noteRecentApp(path)
  }, [path, nav])
  useLiveInvalidation()
  useWorker(user._id)

  return (
    <NavProvider value={nav}>
      <a className={classes.skip} href="#content">
        {t('Skip to content')}
      </a>
      <div className={classes.shell} data-pinned={pinned || undefined}>
        <Sidebar pinned={pinned} onPin={setPinned} drawer={drawer} onDrawer={setDrawer} />
        <div className={classes.main}>
          <TopBar title={title} onMenu={() => setDrawer(true)} />
          <div id="content" tabIndex={-1} className={classes.content}>
            <LazyPrintHead title={title} />
            <Outlet />
          </div>
        </div>
        <BottomBar onMore={() => setDrawer(true)} />
      </div>
      <LazyPalette />
      <LazyKeyboardSheet />
    </NavProvider>
  )
}
