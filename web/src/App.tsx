import { MantineProvider, localStorageColorSchemeManager } from '@mantine/core'
import { storageKeys } from '@gridmast/contract/limits.ts'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { useMemo } from 'react'
import { createQueryClient, forgetOnSwitch } from '#lib/query.ts'
import { tokenStore } from '#lib/session.ts'
import { printing } from '#lib/printing.ts'
import { useStore } from '#lib/store.ts'
import { prefetchHome } from '#portal/home/prefetch-home.ts'
import { forcedScheme, primaryStore, themeOf, variablesOf } from '#ui/theme/theme.ts'
import { defaultPrimary } from '#ui/theme/customer-colours.ts'
import { Toasts } from '#ui/Toasts.tsx'
import { router } from './routes.tsx'

const schemeManager = localStorageColorSchemeManager({ key: storageKeys.theme })
const queryClient = createQueryClient()

forgetOnSwitch(queryClient)
void prefetchHome(queryClient).catch(() => {}) // the shell reports the error
tokenStore.subscribe(() => primaryStore.set(defaultPrimary))

export const App = () => {
  const primary = useStore(primaryStore)
  const theme = useMemo(() => themeOf(primary), [primary])
  const isPrinting = useStore(printing) !== null
  const forced = useStore(forcedScheme)
  const scheme = isPrinting ? 'light' : forced
  const variables = useMemo(() => variablesOf(primary), [primary])
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={variables}
      defaultColorScheme="auto"
      colorSchemeManager={schemeManager}
      {...(scheme ? { forceColorScheme: scheme } : {})}
      // All variables from the theme: as a file of styles they are 3 kB of the first load.
      deduplicateCssVariables={false}
    >
      <Toasts />
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>
  )
}
