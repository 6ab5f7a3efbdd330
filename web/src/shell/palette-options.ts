import { useMantineColorScheme } from '@mantine/core'
import { requestSlots } from '@gridmast/contract/bid-slots.ts'
import type { FoundRow } from '@gridmast/contract/search.ts'
import { shownMarkets } from '@gridmast/contract/screens.ts'
import {
  type Icon,
  IconBellPlus,
  IconBolt,
  IconCalendarDown,
  IconDownload,
  IconLayoutDashboard,
  IconMoon,
  IconReceiptTax,
  IconReportMoney,
  IconSun,
} from '@tabler/icons-react'
import { useSearch } from '@tanstack/react-router'
import { t, translateText } from '#lib/i18n.ts'
import { accountsStore, tokenStore } from '#lib/session.ts'
import { useStore } from '#lib/store.ts'
import { subjectOf, useCan, useUser } from '#lib/user.tsx'
import { addressOf, type Found, found, instanceAddress, keyOf, kindIcons, kindWords, textsOf } from './found.ts'
import { type Address, type NavEntry, useNav } from './nav.ts'

export type Option = {
  key: string
  name: string
  detail?: string
  icon: Icon
  /** Also searched, not shown. */
  words?: string
  open: Address | (() => void)
  /** Remembered as used. */
  row?: Found
}
export type OptionGroup = { title: string; options: Option[] }

const shownInstances = 8
const shownActions = 8

const wordsIn = (text: string) => text.toLowerCase().split(/\s+/).filter(Boolean)
const has = (text: string, query: readonly string[]) => query.every((word) => text.toLowerCase().includes(word))

/** Those that begin with the text first, otherwise in their order. */
const matching = (options: readonly Option[], text: string): Option[] => {
  const query = wordsIn(text)
  const begins = ({ name }: Option) => Number(name.toLowerCase().startsWith(query.join(' ')))
  return options
    .filter(({ name, detail = '', words = '' }) => has(`${name} ${detail} ${words}`, query))
    .toSorted((a, b) => begins(b) - begins(a))
}

/** Full names: `Demand Response / FCR-D-INC`. */
const pageOptions = (entries: readonly NavEntry[], above = ''): Option[] =>
  entries.flatMap((entry) => {
    const name = above + translateText(entry.title)
    const words = entry.words ? translateText(entry.words) : ''
    const { key, icon, address } = entry
    return [{ key, name, words, icon, open: address }, ...pageOptions(entry.children, `${name} / `)]
  })

const usePortalActions = (hasPage: (key: string) => boolean): Option[] => {
  const mayEditTax = useCan('tax.edit')
  const mayArrange = useCan('dashboard.edit')
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const daySearch = useSearch({ from: '/shell/insights/dayahead', shouldThrow: false })
  const isDark = colorScheme === 'dark'
  const dayAhead = (dialog: 'tax' | 'download') =>
    ({ to: '/insights/dayahead', search: { ...daySearch, dialog } }) satisfies Address
  const [hasHome, hasDayAhead] = [hasPage('/'), hasPage('/insights/dayahead')]
  const actions: (Option | false)[] = [
    hasHome && {
      key: 'tomorrow',
      name: t('Tomorrow’s prices'),
      icon: IconCalendarDown,
      open: { to: '/', search: { day: 'tomorrow' } },
    },
    hasHome &&
      mayArrange && {
        key: 'arrange',
        name: t('Arrange dashboard'),
        icon: IconLayoutDashboard,
        open: { to: '/', search: { edit: true } },
      },
    hasDayAhead && mayEditTax && { key: 'tax', name: t('Update Tax'), icon: IconReceiptTax, open: dayAhead('tax') },
    hasDayAhead && {
      key: 'download',
      name: t('Download Price (Tax Included)'),
      icon: IconDownload,
      open: dayAhead('download'),
    },
    {
      key: 'theme',
      name: isDark ? t('Light mode') : t('Dark mode'),
      icon: isDark ? IconSun : IconMoon,
      open: () => setColorScheme(isDark ? 'light' : 'dark'),
    },
  ]
  return actions.flatMap((action) => action || [])
}

/** The text without the beginning of an action: `start charging at bay 7` searches for `bay 7`. */
export const searchedText = (text: string): string => {
  const beginning = t('Start charging at {{name}}', { name: '' }).toLowerCase()
  return text.toLowerCase().startsWith(beginning) ? text.slice(beginning.length).trim() : text
}

/** Groups of options for the text of the search, with the rows that the server has found for it. */
export const useOptions = (text: string, rows: readonly FoundRow[]): OptionGroup[] => {
  const user = useUser()
  const { instances } = user.customerId
  const { sidebar, profile } = useNav()
  const token = useStore(tokenStore)
  const account = useStore(accountsStore).find((one) => token !== null && one.token === token)
  const pages = pageOptions([...sidebar, ...profile])
  const entries = pages.flatMap(({ key, open, icon, name }): NavEntry[] =>
    typeof open === 'function' ? [] : [{ key, address: open, icon, title: name, short: name, children: [] }],
  )
  const places = { pages: entries, instances }
  const hasPage = (key: string) => pages.some((page) => page.key === key)
  const actions = usePortalActions(hasPage)
  const mayEditAlerts = useCan('alert.edit')
  const mayRequest = useCan('bid-request.edit')
  const mayStart = useCan('ev-charging.remote')
  const markets = shownMarkets(subjectOf(user)).filter((market) => requestSlots(market) !== null)

  const optionOf = (row: Found): Option[] => {
    const open = addressOf(row, places)
    const [name, detail] = textsOf(row)
    return open ? [{ key: keyOf(row), name, detail, icon: kindIcons[row.kind], open, row }] : []
  }
  const instanceActions = (): Option[] =>
    instances.flatMap(({ _id, name, market: own }) => {
      const app = instanceAddress(_id, places)
      const alert: Option[] =
        mayEditAlerts && app?.to === '/e3-App/$name'
          ? [
              {
                key: `create-alert ${_id}`,
                name: t('Create alert for {{name}}', { name }),
                icon: IconBellPlus,
                open: { ...app, search: { ...app.search, tab: 'alerts', createAlertModal: true } },
              },
            ]
          : []
      const requests = (mayRequest ? own.filter((market) => markets.includes(market)) : []).map((market): Option => ({
        key: `request-bid ${_id} ${market}`,
        name: t('Request bid for {{name}} on {{market}}', { name, market }),
        icon: IconReportMoney,
        open: {
          to: '/demandResponse/$market',
          params: { market },
          search: { tab: 'requestBid', request: 'new', instance: _id },
        },
      }))
      return [...alert, ...requests]
    })
  const starts = (mayStart && hasPage('/e3-App/evCharging') ? rows : []).flatMap((row): Option[] => {
    if (row.kind !== 'charger') return []
    const search = { chargerId: row.id, connectorId: row.connectorId ?? undefined, remote: true }
    const name = t('Start charging at {{name}}', { name: row.name })
    return [
      { key: `start ${row.id}`, name, icon: IconBolt, words: row.identity, open: { to: '/e3-App/evCharging', search } },
    ]
  })

  const recentPages = (account?.recentApps ?? []).flatMap((key) => pages.find((page) => page.key === key) ?? [])
  const recentRows = (account?.recentFinds ?? []).flatMap((saved) => {
    const { data } = found.safeParse(saved)
    return data ? optionOf(data) : []
  })
  const ownInstances = instances.flatMap(({ _id, name, market, area }) =>
    optionOf({ kind: 'instance', id: _id, name, detail: [area, ...market].filter(Boolean).join(' · ') }),
  )
  const recent = matching([...recentRows, ...recentPages], text)
  const foundPages = matching(pages, text)
  const isNamed = ({ name }: Option) => has(name, wordsIn(text))
  const recentKeys = new Set(recent.map(({ key }) => key))
  const isNew = ({ key }: Option) => !recentKeys.has(key)
  const kindsFound = [...new Set(rows.map(({ kind }) => kind))]
  return [
    { title: t('Recent'), options: recent },
    { title: t('Pages'), options: foundPages.filter((page) => isNamed(page) && isNew(page)) },
    { title: t('Instances'), options: matching(ownInstances, text).filter(isNew).slice(0, shownInstances) },
    ...kindsFound.map((kind) => ({
      title: t(kindWords[kind]),
      options: rows
        .filter((row) => row.kind === kind)
        .flatMap(optionOf)
        .filter(isNew),
    })),
    { title: t('Related pages'), options: foundPages.filter((page) => !isNamed(page) && isNew(page)) },
    {
      title: t('Actions'),
      options: [
        ...matching(actions, text),
        ...(text === '' ? [] : [...matching(instanceActions(), text), ...starts]),
      ].slice(0, shownActions),
    },
  ].filter(({ options }) => options.length > 0)
}
