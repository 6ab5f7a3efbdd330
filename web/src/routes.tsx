import {
  type AnyRoute,
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
} from '@tanstack/react-router'
import type { ComponentType, FunctionComponent } from 'react'
import { keepLink, type LinkKind } from '#lib/one-time-link.ts'
import { Bare } from '#shell/Bare.tsx'
import { ErrorPage } from '#shell/ErrorPage.tsx'
import { Gated } from '#shell/Gated.tsx'
import type { ScreenData } from '#shell/here.ts'
import { NotFoundPage } from '#shell/NotFoundPage.tsx'
import { Root } from '#shell/Root.tsx'
import { navOf } from './nav.ts'
import { screenTable, type Screen } from './screen-table.ts'

type Page = Pick<Screen, 'path' | 'title' | 'page'>

// In builds for people there is no such page, nor its file.
const development: Page[] = import.meta.env.DEV
  ? [{ path: '/dev/components', title: 'Components', page: () => import('#pages/dev/Components.tsx') }]
  : []

/** Pages that need no session. */
const publicPages: Page[] = [
  { path: '/auth/login', title: 'Sign in', page: () => import('#pages/sign-in/SignIn.tsx') },
  {
    path: '/auth/forgot-password',
    title: 'Reset your password',
    page: () => import('#pages/recovery/ForgotPassword.tsx'),
  },
  {
    path: '/auth/undo-email',
    title: 'Bring my email back',
    page: () => import('#pages/recovery/UndoEmail.tsx'),
  },
  {
    path: '/auth/request-account',
    title: 'Request an account',
    page: () => import('#pages/request-account/RequestAccount.tsx'),
  },
  { path: '/privacyPolicy', title: 'Privacy policy', page: () => import('#pages/privacy-policy/PrivacyPolicy.tsx') },
  ...development,
]

const lazy = (page: () => Promise<{ default: ComponentType }>) => lazyRouteComponent(page) as FunctionComponent // its own type has a call signature that JSX cannot see

const root = createRootRoute({
  component: Root,
  notFoundComponent: NotFoundPage,
  errorComponent: ({ error }) => <ErrorPage error={error} />,
})

// Not a part of the first load: the sign-in page needs nothing of the shell.
const shellPage = async () => {
  const { Shell } = await import('#shell/Shell.tsx')
  return { default: () => <Shell navOf={navOf} /> }
}
const shell = createRoute({ getParentRoute: () => root, id: 'shell', component: lazy(shellPage) })
const bare = createRoute({ getParentRoute: () => root, id: 'bare', component: Bare })

const screenRoute = ({ path, gate, search, page, title, titleOf, words, entries }: Screen): AnyRoute => {
  const Lazy = lazy(page)
  const screen: ScreenData = {
    title,
    ...(titleOf ? { titleOf } : {}),
    ...(words ? { words } : {}),
    ...(entries ? { entries } : {}),
  }
  return createRoute({
    getParentRoute: () => shell,
    path,
    staticData: { screen },
    ...(search ? { validateSearch: (input: Record<string, unknown>) => search.parse(input) } : {}),
    // Fetched beside the answer that says who asks, not after it.
    loader: () => void page().catch(() => {}),
    component: gate
      ? () => (
          <Gated gate={gate}>
            <Lazy />
          </Gated>
        )
      : Lazy,
  })
}

const publicRoute = ({ path, title, page }: Page): AnyRoute =>
  createRoute({ getParentRoute: () => bare, path, staticData: { screen: { title } }, component: lazy(page) })

/** A link that works once, followed inside the portal; one that opens it is taken before the router starts (S5). */
const linkRoute = (kind: LinkKind) =>
  createRoute({
    getParentRoute: () => bare,
    path: `/auth/${kind}/$id`,
    beforeLoad: ({ params }: { params: { id: string } }) => {
      keepLink(kind, params.id)
      throw redirect({ to: `/auth/${kind}`, replace: true })
    },
  })

export const router = createRouter({
  routeTree: root.addChildren([
    shell.addChildren(screenTable.map(screenRoute)),
    bare.addChildren([...publicPages.map(publicRoute), linkRoute('login'), linkRoute('undo-email')]),
  ]),
  defaultPreload: 'intent',
  defaultPendingMs: 150,
  defaultErrorComponent: ({ error }) => <ErrorPage error={error} />,
})
