import { createRootRoute, createRoute, createRouter, lazyRouteComponent, redirect } from '@tanstack/react-router'
import type { ComponentType, FunctionComponent } from 'react'
import { withWords } from '#lib/i18n.ts'
import { notePage } from '#lib/missing-files.ts'
import { keepLink, type LinkKind } from '#lib/one-time-link.ts'
import { PublicLayout, Root } from '#shell/Root.tsx'
import { ErrorPage, Gated, NotFoundPage } from '#shell/ErrorPages.tsx'
import type { ScreenData } from '#shell/current-screen.ts'
import type { ParamsOf, SearchParams } from '#lib/search-params.ts'
import { navOf } from './nav.ts'
import type { Page, Screen } from '#portal/screens/screen.ts'
import { screens, type ScreenPath, type Screens } from '#portal/screens/table.ts'

const mailLinks = () => withWords(import('#people/sign-in/MailLinks.tsx'), 'people')

/** Pages that need no session. */
const publicPages = {
  '/auth/login': { title: 'Sign in', page: () => import('#people/sign-in/SignIn.tsx') },
  '/auth/forgot-password': {
    title: 'Reset your password',
    page: () => withWords(import('#people/sign-in/ForgotPassword.tsx'), 'people', 'security'),
  },
  '/auth/undo-email': {
    title: 'Restore my email',
    page: async () => ({ default: (await mailLinks()).UndoEmail }),
  },
  '/auth/unsubscribe': {
    title: 'Stop these emails',
    page: async () => ({ default: (await mailLinks()).Unsubscribe }),
  },
  '/auth/confirm-address': {
    title: 'Confirm your email address',
    page: async () => ({ default: (await mailLinks()).ConfirmAddress }),
  },
  '/auth/request-account': {
    title: 'Request an account',
    page: () => withWords(import('#people/sign-in/RequestAccount.tsx'), 'people'),
  },
  '/auth/wall': {
    title: 'Wall screen',
    page: () => withWords(import('#people/sign-in/OpenWall.tsx'), 'wall'),
  },
  '/wall': {
    title: 'Wall screen',
    page: () => withWords(import('#portal/wall/Wall.tsx'), 'wall', 'energy', 'faults'),
  },
  '/privacyPolicy': {
    title: 'Privacy policy',
    page: () => withWords(import('#people/privacy-policy/PrivacyPolicy.tsx'), 'people'),
  },
} satisfies Record<string, Page>

type LazyPage = FunctionComponent & { preload?: () => Promise<void> }
/** Pages of the first load, which need no more styles than it has. */
const firstPages = new Set(['/', '/dashboard', '/auth/login'])
/** Styles of all other pages. A file that uses a schema imports `lib/zod.ts`. */
const pageStyles = () => import('#ui/theme/mantine-pages.ts')
const lazy = (page: () => Promise<{ default: ComponentType }>, path = '/') =>
  lazyRouteComponent(async () => {
    const [file] = await Promise.all([page(), firstPages.has(path) ? null : pageStyles()])
    notePage()
    return file
  }) as LazyPage // its own type has a call signature that JSX cannot see

const root = createRootRoute({
  component: Root,
  notFoundComponent: NotFoundPage,
  errorComponent: ({ error }) => <ErrorPage error={error} />,
})

/** The file of the first page; settled also when it cannot be loaded. */
let firstPage: Promise<void> | undefined

// Outside of the first load, because sign-in needs no shell. Rendered together with its page: a quarter of the time to the first text (measured).
const shellPage = async () => {
  const { Shell } = await import('#shell/Shell.tsx')
  await firstPage
  return { default: () => <Shell navOf={navOf} /> }
}
const shell = createRoute({ getParentRoute: () => root, id: 'shell', component: lazy(shellPage) })
const publicLayout = createRoute({ getParentRoute: () => root, id: 'publicLayout', component: PublicLayout })

const screenRoute = <const P extends string, S extends SearchParams>(path: P, search: S, screen: Screen) => {
  const { gate, page, title, titleOf, words, entries, tabs } = screen
  const Lazy = lazy(page, path)
  const screenData: ScreenData = {
    title,
    ...(titleOf ? { titleOf } : {}),
    ...(words ? { words } : {}),
    ...(entries ? { entries } : {}),
  }
  return createRoute({
    getParentRoute: () => shell,
    path,
    staticData: { screen: screenData },
    validateSearch: (input: Record<string, unknown>) => search.parse(input) as ParamsOf<S>,
    // Loaded in parallel with the account.
    loader: ({ location }) => {
      const { tab } = search.parse(location.search)
      const loaded = Lazy.preload?.()
      firstPage ??= loaded
      if (typeof tab === 'string') void tabs?.[tab]?.preload()
    },
    component: gate
      ? () => (
          <Gated gate={gate}>
            <Lazy />
          </Gated>
        )
      : Lazy,
  })
}
type ScreenRoute = { [P in ScreenPath]: ReturnType<typeof screenRoute<P, Screens[P]['search']>> }[ScreenPath]

const publicRoute = <const P extends string>(path: P, { title, page }: Page) =>
  createRoute({
    getParentRoute: () => publicLayout,
    path,
    staticData: { screen: { title } },
    component: lazy(page, path),
  })
type PublicRoute = { [P in keyof typeof publicPages]-?: ReturnType<typeof publicRoute<P>> }[keyof typeof publicPages]

/** A one-time link followed inside the portal; the link of the first address is consumed before the router starts (S5). */
const linkRoute = <const K extends LinkKind>(kind: K) =>
  createRoute({
    getParentRoute: () => publicLayout,
    path: `/auth/${kind}/$id`,
    beforeLoad: ({ params }: { params: { id: string } }): void => {
      keepLink(kind, params.id)
      const to: `/auth/${LinkKind}` = `/auth/${kind}`
      throw redirect({ to, replace: true })
    },
  })

// A route per row; no type expresses that mapping a table keeps the type of each row.
const screenRoutes = Object.entries(screens).map(([path, screen]) =>
  screenRoute(path, screen.search, screen),
) as unknown as ScreenRoute[]
const publicRoutes = Object.entries(publicPages).map(([path, page]) =>
  publicRoute(path, page),
) as unknown as PublicRoute[]

export const router = createRouter({
  routeTree: root.addChildren([
    shell.addChildren(screenRoutes),
    publicLayout.addChildren([
      ...publicRoutes,
      linkRoute('login'),
      linkRoute('undo-email'),
      linkRoute('unsubscribe'),
      linkRoute('confirm-address'),
      linkRoute('wall'),
    ]),
  ]),
  defaultPreload: 'intent',
  defaultPendingMs: 150,
  defaultErrorComponent: ({ error }) => <ErrorPage error={error} />,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
