import { useMantineColorScheme } from '@mantine/core'
import '@mantine/spotlight/styles.layer.css'
import { Spotlight, type SpotlightActionData, type SpotlightActionGroupData } from '@mantine/spotlight'
import {
  type Icon,
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
import { t, translateText } from '#lib/i18n.ts'
import { accountsStore, tokenStore } from '#lib/session.ts'
import { useStore } from '#lib/store.ts'
import { useCan, useUser } from '#lib/user.tsx'
import { useCloseOnLeave } from './current-screen.ts'
import { type Address, type NavEntry, type PlainPath, useNav, palette, paletteStore } from './nav.ts'

type NamedEntry = { entry: NavEntry; name: string }

/** Full names: `Demand Response / FCR-D-INC`. */
const namedEntries = (entries: readonly NavEntry[], above = ''): NamedEntry[] =>
  entries.flatMap((entry) => {
    const name = above + translateText(entry.title)
    return [{ entry, name }, ...namedEntries(entry.children, `${name} / `)]
  })

const iconSize = { size: 17, stroke: 1.6 } as const

type Action = { id: string; label: string; icon: Icon; onClick: () => void }

const useActions = (hasDayAhead: boolean, hasHome: boolean): SpotlightActionData[] => {
  const navigate = useNavigate()
  const mayEditTax = useCan('tax.edit')
  const mayArrange = useCan('dashboard.edit')
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const daySearch = useSearch({ from: '/shell/insights/dayahead', shouldThrow: false })
  const home = (search: { day: 'tomorrow' } | { edit: true }) => () => void navigate({ to: '/', search })
  const dayAhead = (dialog: 'tax' | 'download') => () =>
    void navigate({ to: '/insights/dayahead', search: { ...daySearch, dialog } })
  const isDark = colorScheme === 'dark'
  const actions: (Action | false)[] = [
    hasHome && {
      id: 'tomorrow',
      label: t('Tomorrow’s prices'),
      icon: IconCalendarDown,
      onClick: home({ day: 'tomorrow' }),
    },
    hasHome &&
      mayArrange && {
        id: 'arrange',
        label: t('Arrange dashboard'),
        icon: IconLayoutDashboard,
        onClick: home({ edit: true }),
      },
    hasDayAhead && mayEditTax && { id: 'tax', label: t('Update Tax'), icon: IconReceiptTax, onClick: dayAhead('tax') },
    hasDayAhead && {
      id: 'download',
      label: t('Download Price (Tax Included)'),
      icon: IconDownload,
      onClick: dayAhead('download'),
    },
    {
      id: isDark ? 'light' : 'dark',
      label: isDark ? t('Light mode') : t('Dark mode'),
      icon: isDark ? IconSun : IconMoon,
      onClick: () => setColorScheme(isDark ? 'light' : 'dark'),
    },
  ]
  return actions.flatMap((action) => {
    if (!action) return []
    const { icon: ActionIcon, ...data } = action
    return [{ ...data, leftSection: <ActionIcon {...iconSize} /> }]
  })
}

/** Ctrl/Cmd-K: recent apps, pages, instances, actions. */
export const Palette = () => {
  const navigate = useNavigate()
  useCloseOnLeave(palette.close)
  const { customerId } = useUser()
  const { sidebar, profile } = useNav()
  const token = useStore(tokenStore)
  const recent = useStore(accountsStore).find((account) => account.token === token)?.recentApps ?? []
  const pages = namedEntries([...sidebar, ...profile])
  const has = (path: PlainPath) => pages.some(({ entry }) => entry.address.to === path)
  const actions = useActions(has('/insights/dayahead'), has('/'))
  const latest = recent.flatMap((path) => pages.find(({ entry }) => entry.key === path) ?? [])
  const action = ({ entry, name }: NamedEntry): SpotlightActionData => ({
    id: entry.key,
    label: name,
    ...(entry.words ? { keywords: translateText(entry.words) } : {}),
    leftSection: <entry.icon {...iconSize} />,
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
              leftSection: <IconBolt {...iconSize} />,
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
