import { IconLayoutDashboard, IconPlugConnected, type Icon } from '@tabler/icons-react'
import { type AnyRoute, createRootRoute, createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router'
import type { ComponentType, FunctionComponent } from 'react'
import type { z } from 'zod'
import type { Gate, NavEntry } from '#shell/entries.ts'
import { ErrorPage } from '#shell/ErrorPage.tsx'
import { Gated } from '#shell/Gated.tsx'
import { NotFoundPage } from '#shell/NotFoundPage.tsx'
import { Root } from '#shell/Root.tsx'
import { Shell } from '#shell/Shell.tsx'
import { homeSearch } from '#pages/home/search.ts'

/** One page of the portal. Adding a page is adding an entry. */
type Page = {
  path: string
  /** Shown in the top bar, the sidebar and the palette. */
  title: string
  frame: 'shell' | 'bare'
  gate?: Gate
  /** On the bar of phones, where the title is too long. */
  short?: string
  /** Stands in the sidebar under this icon. */
  icon?: Icon
  search?: z.ZodObject
  page: () => Promise<{ default: ComponentType }>
}

const everyone: Gate = () => true
const trueGreen: Gate = (user) => user.customerId.trueGreen.enabled || { redirect: '/cfmdashboard' }
const cfm: Gate = (user) => user.customerId.license.CFM?.enabled === true || 'not authorized'

const pages: Page[] = [
  {
    path: '/',
    title: 'E3 Dashboard',
    short: 'Home',
    frame: 'shell',
    icon: IconLayoutDashboard,
    gate: trueGreen,
    search: homeSearch,
    page: () => import('#pages/home/Home.tsx'),
  },
  {
    path: '/cfmdashboard',
    title: 'Charge Fleet Management',
    short: 'CFM',
    frame: 'shell',
    icon: IconPlugConnected,
    gate: cfm,
    page: () => import('#pages/cfm-dashboard/CfmDashboard.tsx'),
  },
  {
    path: '/auth/login',
    title: 'Sign in',
    frame: 'bare',
    page: () => import('#pages/sign-in/SignIn.tsx'),
  },
  {
    path: '/privacyPolicy',
    title: 'Privacy policy',
    frame: 'bare',
    page: () => import('#pages/privacy-policy/PrivacyPolicy.tsx'),
  },
  {
    path: '/dev/components',
    title: 'Components',
    frame: 'bare',
    page: () => import('#pages/dev/Components.tsx'),
  },
]

const navEntries: NavEntry[] = pages.flatMap(({ path, title, short, icon, gate }) =>
  icon ? [{ path, title, short: short ?? title, icon, gate: gate ?? everyone }] : [],
)
const titles = Object.fromEntries(pages.map(({ path, title }) => [path, title]))

const root = createRootRoute({
  component: () => <Root titles={titles} />,
  notFoundComponent: NotFoundPage,
  errorComponent: ({ error }) => <ErrorPage error={error} />,
})

const shell = createRoute({
  getParentRoute: () => root,
  id: 'shell',
  component: () => <Shell entries={navEntries} titles={titles} />,
})

const routeOf = ({ path, frame, gate, search, page }: Page): AnyRoute => {
  const Lazy = lazyRouteComponent(page) as FunctionComponent // its own type has a call signature that JSX cannot see
  return createRoute({
    getParentRoute: () => (frame === 'shell' ? shell : root) as AnyRoute, // the two parents differ only in type
    path,
    ...(search ? { validateSearch: (input: Record<string, unknown>) => search.parse(input) } : {}),
    component: gate
      ? () => (
          <Gated gate={gate}>
            <Lazy />
          </Gated>
        )
      : Lazy,
  })
}

export const router = createRouter({
  routeTree: root.addChildren([
    shell.addChildren(pages.filter((p) => p.frame === 'shell').map(routeOf)),
    ...pages.filter((p) => p.frame === 'bare').map(routeOf),
  ]),
  defaultPreload: 'intent',
  defaultPendingMs: 150,
  defaultErrorComponent: ({ error }) => <ErrorPage error={error} />,
})
