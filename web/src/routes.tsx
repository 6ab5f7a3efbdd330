import { createRootRoute, createRoute, createRouter, lazyRouteComponent, redirect } from '@tanstack/react-router'
import type { ComponentType, FunctionComponent } from 'react'
import { withWords } from '#lib/i18n.ts'
import { notePage } from '#lib/missing-files.ts'
import { keepLink, type LinkKind } from '#lib/one-time-link.ts'
import { PublicLayout, Root } from '#shell/Root.tsx'
import { ErrorPage, Gated, NotFoundPage } from '#shell/ErrorPages.tsx'
import type { ScreenData } from '#shell/current-screen.ts'
import type { z } from 'zod'
import { navOf } from './nav.ts'
import type { Page, Screen } from '#portal/screens/screen.ts'
import { screens, type ScreenPath, type Screens } from '#portal/screens/table.ts'

/** Pages that need no session. */
const publicPages = {
  '/auth/login': { title: 'Sign in', page: () => import('#people/sign-in/SignIn.tsx') },
  '/auth/forgot-password': {
    title: 'Reset your password',
    page: () => withWords(import('#people/sign-in/ForgotPassword.tsx'), 'people'),
  },
  '/auth/undo-email': {
    title: 'Bring my email back',
    page: () => withWords(import('#people/sign-in/UndoEmail.tsx'), 'people'),
  },
  '/auth/unsubscribe': {
    title: 'Stop these emails',
    page: () => withWords(import('#people/sign-in/Unsubscribe.tsx'), 'people'),
  },
  '/auth/confirm-address': {
    title: 'Confirm your email address',
    page: () => withWords(import('#people/sign-in/ConfirmAddress.tsx'), 'people'),
  },
  '/auth/request-account': {
    title: 'Request an account',
    page: () => withWords(import('#people/sign-in/RequestAccount.tsx'), 'people'),
  },
  '/privacyPolicy': {
    title: 'Privacy policy',
    page: () => withWords(import('#people/privacy-policy/PrivacyPolicy.tsx'), 'people'),
  },
} satisfies Record<string, Page>

type LazyPage = FunctionComponent & { preload?: () => Promise<void> }
const lazy = (page: () => Promise<{ default: ComponentType }>) =>
  lazyRouteComponent(async () => {
    const file = await page()
    notePage()
    return file
  }) as LazyPage // its own type has a call signature that JSX cannot see

const root = createRootRoute({
  component: Root,
  notFoundComponent: NotFoundPage,
  errorComponent: ({ error }) => <ErrorPage error={error} />,
})

/** The file of the page that the address names; ends also when there is none to be had. */
let firstPage: Promise<void> | undefined

// Not a part of the first load: the sign-in page needs nothing of the shell. It is first drawn with its page in it:
// alone it would be hidden again while the page is made, and both together in small steps (a quarter of the time to the first text, measured).
const shellPage = async () => {
  const { Shell } = await import('#shell/Shell.tsx')
  await firstPage
  return { default: () => <Shell navOf={navOf} /> }
}
const shell = createRoute({ getParentRoute: () => root, id: 'shell', component: lazy(shellPage) })
const publicLayout = createRoute({ getParentRoute: () => root, id: 'publicLayout', component: PublicLayout })

const screenRoute = <const P extends string, S extends z.ZodObject>(path: P, search: S, screen: Screen) => {
  const { gate, page, title, titleOf, words, entries } = screen
  const Lazy = lazy(page)
  const shown: ScreenData = {
    title,
    ...(titleOf ? { titleOf } : {}),
    ...(words ? { words } : {}),
    ...(entries ? { entries } : {}),
  }
  return createRoute({
    getParentRoute: () => shell,
    path,
    staticData: { screen: shown },
    validateSearch: (input: Record<string, unknown>) => search.parse(input),
    // Fetched beside the answer that says who asks, not after it.
    loader: () => {
      const loaded = Lazy.preload?.()
      firstPage ??= loaded
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
    component: lazy(page),
  })
type PublicRoute = { [P in keyof typeof publicPages]-?: ReturnType<typeof publicRoute<P>> }[keyof typeof publicPages]

/** A link that works once, followed inside the portal; one that opens it is taken before the router starts (S5). */
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

// A route for each row: no type says that a function over the entries of a table gives each its own.
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
