import { useMantineColorScheme } from '@mantine/core'
import '@mantine/spotlight/styles.layer.css'
import { Spotlight, type SpotlightActionData, type SpotlightActionGroupData } from '@mantine/spotlight'
import {
  IconBolt,
  IconCalendarDown,
  IconDownload,
  IconLayoutDashboard,
  IconMoon,
  IconReceiptTax,
  IconSearch,
  IconSun,
} from '@tabler/icons-react'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { accountsStore, tokenStore } from '#lib/session.ts'
import { t, translateText } from '#lib/i18n.ts'
import { useStore } from '#lib/store.ts'
import { useCan, useUser } from '#lib/user.tsx'
import { type Address, type NavEntry, type PlainPath, useNav, palette, paletteStore } from './nav.ts'
import { useCloseOnLeave } from './current-screen.ts'

type Named = { entry: NavEntry; name: string }

/** Full names: `Demand Response / FCR-D-INC`. */
const named = (entries: readonly NavEntry[], above = ''): Named[] =>
  entries.flatMap((entry) => {
    const name = above + translateText(entry.title)
    return [{ entry, name }, ...named(entry.children, `${name} / `)]
  })

const icon = { size: 17, stroke: 1.6 } as const

const useActions = (hasDayAhead: boolean, hasHome: boolean): SpotlightActionData[] => {
  const navigate = useNavigate()
  const mayEditTax = useCan('tax.edit')
  const mayArrange = useCan('dashboard.edit')
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const shown = useSearch({ from: '/shell/insights/dayahead', shouldThrow: false })
  const dayAhead = (dialog: 'tax' | 'download') => () =>
    void navigate({ to: '/insights/dayahead', search: { ...shown, dialog } })
  return [
    ...(hasHome
      ? [
          {
            id: 'tomorrow',
            label: t('Tomorrow’s prices'),
            leftSection: <IconCalendarDown {...icon} />,
            onClick: () => void navigate({ to: '/', search: { day: 'tomorrow' } }),
          },
        ]
      : []),
    ...(hasHome && mayArrange
      ? [
          {
            id: 'arrange',
            label: t('Arrange dashboard'),
            leftSection: <IconLayoutDashboard {...icon} />,
            onClick: () => void navigate({ to: '/', search: { edit: true } }),
          },
        ]
      : []),
    ...(hasDayAhead && mayEditTax
      ? [
          {
            id: 'tax',
            label: t('Update Tax'),
            leftSection: <IconReceiptTax {...icon} />,
            onClick: dayAhead('tax'),
          },
        ]
      : []),
    ...(hasDayAhead
      ? [
          {
            id: 'download',
            label: t('Download Price (Tax Included)'),
            leftSection: <IconDownload {...icon} />,
            onClick: dayAhead('download'),
          },
        ]
      : []),
    colorScheme === 'dark'
      ? {
          id: 'light',
          label: t('Light mode'),
          leftSection: <IconSun {...icon} />,
          onClick: () => setColorScheme('light'),
        }
      : {
          id: 'dark',
          label: t('Dark mode'),
          leftSection: <IconMoon {...icon} />,
          onClick: () => setColorScheme('dark'),
        },
  ]
}

/** Ctrl/Cmd-K: recent apps, pages, instances, actions. */
export const Palette = () => {
  const navigate = useNavigate()
  useCloseOnLeave(palette.close)
  const { customerId } = useUser()
  const { sidebar, profile } = useNav()
  const token = useStore(tokenStore)
  const recent = useStore(accountsStore).find((account) => account.token === token)?.recentApps ?? []
  const pages = named([...sidebar, ...profile])
  const has = (path: PlainPath) => pages.some(({ entry }) => entry.address.to === path)
  const actions = useActions(has('/insights/dayahead'), has('/'))
  const latest = recent.flatMap((path) => pages.find(({ entry }) => entry.key === path) ?? [])
  const action = ({ entry, name }: Named): SpotlightActionData => ({
    id: entry.key,
    label: name,
    ...(entry.words ? { keywords: translateText(entry.words) } : {}),
    leftSection: <entry.icon {...icon} />,
    onClick: () => void navigate(entry.address),
  })
  /** An instance opens in its licence's app, or on home for users without that app. */
  const instanceAddress = (licenseId: string, instance: string): Address | null => {
    for (const { entry } of pages) {
      const { address } = entry
      if (address.to === '/e3-App/$name' && address.search?.licenseTypeId === licenseId)
        return { ...address, search: { ...address.search, instance } }
    }
    return has('/') ? { to: '/', params: {}, search: { instance } } : null
  }
  const groups: SpotlightActionGroupData[] = [
    { group: t('Recent'), actions: latest.map(action) },
    { group: t('Pages'), actions: pages.filter((one) => !latest.includes(one)).map(action) },
    {
      group: t('Instances'),
      actions: customerId.instances.flatMap(({ _id, name, licenseId, market, area }) => {
        const address = instanceAddress(licenseId, _id)
        return address
          ? {
              id: _id,
              label: name,
              description: [area, ...market].filter(Boolean).join(' · '),
              leftSection: <IconBolt {...icon} />,
              onClick: () => void navigate(address),
            }
          : []
      }),
    },
    { group: t('Actions'), actions },
  ].filter((group) => group.actions.length > 0)
  return (
    <Spotlight
      store={paletteStore}
      actions={groups}
      attributes={{ content: { 'aria-label': t('Search or jump to') } }}
      shortcut={['mod + K']}
      highlightQuery={false}
      scrollable
      centered={false}
      yOffset="15vh"
      overlayProps={{ blur: 0, className: 'gm-scrim' }}
      maxHeight={420}
      nothingFound={t('Nothing found')}
      searchProps={{
        leftSection: <IconSearch size={18} stroke={1.8} />,
        placeholder: t('Search or jump to'),
        'aria-label': t('Search or jump to'),
      }}
    />
  )
}
