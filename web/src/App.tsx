import { MantineProvider, localStorageColorSchemeManager } from '@mantine/core'
import { Notifications, notifications } from '@mantine/notifications'
import { storageKeys } from '@gridmast/contract/limits.ts'
import { IconAlertCircle, IconCircleCheck } from '@tabler/icons-react'
import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { useMemo } from 'react'
import { createQueryClient, forgetOnSwitch } from '#lib/query.ts'
import { translateText } from '#lib/i18n.ts'
import { tokenStore } from '#lib/session.ts'
import { connectToasts } from '#lib/toast.ts'
import { useStore } from '#lib/store.ts'
import { prefetchHome } from '#portal/home/prefetch-home.ts'
import { primaryStore, themeOf, variablesOf } from '#ui/theme/theme.ts'
import { defaultPrimary } from '#ui/theme/customer-colours.ts'
import { router } from './routes.tsx'

const schemeManager = localStorageColorSchemeManager({ key: storageKeys.theme })
const queryClient = createQueryClient()

forgetOnSwitch(queryClient)
void prefetchHome(queryClient).catch(() => {}) // the shell reports the error
tokenStore.subscribe(() => primaryStore.set(defaultPrimary))

connectToasts(({ kind, message, id, action }, autoClose) =>
  notifications.show({
    id,
    message: [message, action],
    autoClose,
    icon:
      kind === 'success' ? (
        <IconCircleCheck size={18} stroke={1.8} color="var(--gm-up)" />
      ) : (
        <IconAlertCircle size={18} stroke={1.8} color="var(--gm-down)" />
      ),
    closeButtonProps: { 'aria-label': translateText('Close') },
  }),
)

export const App = () => {
  const primary = useStore(primaryStore)
  const theme = useMemo(() => themeOf(primary), [primary])
  const variables = useMemo(() => variablesOf(primary), [primary])
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={variables}
      defaultColorScheme="auto"
      colorSchemeManager={schemeManager}
    >
      <Notifications position="top-right" limit={4} zIndex={1000} />
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>
  )
}
