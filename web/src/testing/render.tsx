import '#ui/theme/mantine.ts'
import '#ui/theme/mantine-pages.ts'
import '#ui/theme/global.css'
import '#ui/theme/overrides.css'
import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  Outlet,
  RouterProvider,
} from '@tanstack/react-router'
import { render } from '@testing-library/react'
import { Fragment, type ReactNode } from 'react'
import { formChecks } from '#lib/call-form.ts'
import { chooseLanguage, startI18n, useLanguage } from '#lib/i18n.ts'
import { createQueryClient } from '#lib/query.ts'
import { defaultPrimary } from '#ui/theme/customer-colours.ts'
import { themeOf, variablesOf } from '#ui/theme/theme.ts'
import { UserProvider, useVerifiedUser } from '#lib/user.tsx'
import { loadFields } from '#ui/late-field.tsx'

/** As the shell: children once the account is verified, rendered again when it changes. */
export const Verified = ({ children }: { children: ReactNode }) => {
  const { data } = useVerifiedUser(true)
  return data && <UserProvider value={data.user}>{children}</UserProvider>
}

/** Sums Chromium's layout shifts; call the result for the sum. */
export const watchShifts = (): (() => number) => {
  let sum = 0
  const add = (entries: PerformanceEntry[]) => {
    // The type of such an entry is not among those of TypeScript.
    for (const entry of entries as (PerformanceEntry & { value: number; hadRecentInput: boolean })[])
      if (!entry.hadRecentInput) sum += entry.value
  }
  const watching = new PerformanceObserver((list) => add(list.getEntries()))
  watching.observe({ type: 'layout-shift' })
  return () => {
    add(watching.takeRecords())
    watching.disconnect()
    return sum
  }
}

await startI18n()

const theme = themeOf(defaultPrimary)
const variables = variablesOf(defaultPrimary)

const Translated = ({ children }: { children: ReactNode }) => <Fragment key={useLanguage()}>{children}</Fragment>

/** Renders a component in the portal's theme and language. */
export const show = async (children: ReactNode, language: 'en' | 'da' = 'en', env: 'test' | 'default' = 'test') => {
  await Promise.all([chooseLanguage(language), formChecks.load(), loadFields()])
  return render(children, {
    wrapper: ({ children: inner }) => (
      <MantineProvider theme={theme} cssVariablesResolver={variables} deduplicateCssVariables={false} env={env}>
        <QueryClientProvider client={createQueryClient()}>
          <Translated>{inner}</Translated>
        </QueryClientProvider>
      </MantineProvider>
    ),
  })
}

/** A page at one address of a router, with dialogs as in the portal; any other address shows its path. */
export const showAt = async (
  path: string,
  children: ReactNode,
  language: 'en' | 'da' = 'en',
  search = '',
  pattern = path,
) => {
  const root = createRootRoute({ component: Outlet })
  const here = createRoute({ getParentRoute: () => root, path: pattern, component: () => children })
  const elsewhere = createRoute({ getParentRoute: () => root, path: '$', component: () => <Elsewhere /> })
  const router = createRouter({
    routeTree: root.addChildren([here, elsewhere]),
    history: createMemoryHistory({ initialEntries: [`${path}${search}`] }),
  })
  const Elsewhere = () => <p>at {router.state.location.pathname}</p>
  await router.load()
  return { ...(await show(<RouterProvider router={router} />, language, 'default')), router }
}
