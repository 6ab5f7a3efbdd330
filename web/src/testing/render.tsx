import '@mantine/core/styles.layer.css'
import '#ui/theme/global.css'
import '#ui/theme/overrides.css'
import { MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { render } from '@testing-library/react'
import type { ReactNode } from 'react'
import { chooseLanguage, startI18n } from '#lib/i18n.ts'
import { createQueryClient } from '#lib/query.ts'
import { defaultPrimary } from '#ui/theme/customer-colours.ts'
import { themeOf, variablesOf } from '#ui/theme/theme.ts'

await startI18n()

const theme = themeOf(defaultPrimary)
const variables = variablesOf(defaultPrimary)

/** Draws a component in the portal's own theme and language, in a real browser. */
export const show = async (children: ReactNode, language: 'en' | 'da' = 'en') => {
  await chooseLanguage(language)
  return render(children, {
    wrapper: ({ children: inner }) => (
      <MantineProvider theme={theme} cssVariablesResolver={variables} env="test">
        <QueryClientProvider client={createQueryClient()}>{inner}</QueryClientProvider>
      </MantineProvider>
    ),
  })
}
