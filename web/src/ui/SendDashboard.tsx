import { Button } from '@mantine/core'
import { dashboardOf, reportIntervalsOf } from '@gridmast/contract/people/report-sources.ts'
import { limits } from '@gridmast/contract/limits.ts'
import { IconMail } from '@tabler/icons-react'
import { useRouter } from '@tanstack/react-router'
import { t } from '#lib/i18n.ts'
import { showToast } from '#lib/toast.ts'
import { useCan } from '#lib/user.tsx'

/** Addresses of the exports on the screen, in its order. */
const shownExports = () =>
  [...document.querySelectorAll<HTMLElement>('[data-export]')].map(({ dataset }) => dataset['export'] ?? '')

/** Titles of the cards of the screen without one of these exports. */
const cardsWithout = (parts: readonly string[]) => {
  const titles = [...document.querySelectorAll<HTMLElement>('main section:has(> header):not([data-print=no] *)')]
    .filter(
      (card) =>
        ![...card.querySelectorAll<HTMLElement>('[data-export]')].some(({ dataset }) =>
          parts.includes(dataset['export'] ?? ''),
        ),
    )
    .map((card) => card.querySelector('h2')?.firstChild?.textContent ?? card.ariaLabel ?? '')
  const names = [...new Set(titles)].join(', ')
  const most = limits.reportWithoutMax
  return names.length > most ? `${names.slice(0, names.lastIndexOf(', ', most - 2))} …` : names
}

/** Opens a report of all cards of the screen that can be sent daily. */
const SendDashboard = () => {
  const router = useRouter()
  if (!useCan('report.edit')) return null
  const send = () => {
    const daily = [...new Set(shownExports())].filter((address) => reportIntervalsOf(address).includes('daily'))
    const parts = daily.slice(0, limits.reportParts)
    if (parts.length === 0) return showToast({ kind: 'error', message: t('No card of this screen can be sent daily.') })
    const search = { add: dashboardOf(parts), without: cardsWithout(parts) || undefined }
    void router.navigate({ to: '/reports', search })
  }
  return (
    <Button variant="subtle" leftSection={<IconMail stroke={1.8} aria-hidden />} onClick={send}>
      {t('Send dashboard by email')}
    </Button>
  )
}

export default SendDashboard
