import type { Sentence } from '#i18n/da.ts'
import { shownMarkets } from '@gridmast/contract/screens.ts'
import type { User } from '@gridmast/contract/people/user.ts'
import {
  type Icon,
  IconActivity,
  IconBolt,
  IconChargingPile,
  IconChartArrowsVertical,
  IconDatabase,
  IconWaveSine,
} from '@tabler/icons-react'
import { subjectOf, licenceTitle } from '#lib/user.tsx'
import type { Address, NavEntry } from '#shell/nav.ts'
import { licenceOf, type Place } from '#shell/gate.ts'

const namesOf = (instances: User['customerId']['instances']) => instances.map(({ name }) => name).join(', ')

/** Descriptions of apps; a reserve market lists its instances instead. */
const appWords = new Map<string, Sentence>(
  Object.entries({
    dataHub: 'Meters by CVR key, their consumption and cost, and their export.',
    CFM: 'The whole charge fleet: revenue, utilisation, and chargers that need attention.',
    evCharging: 'Charging sessions, their energy and cost.',
    loadShifting: 'A plan that moves consumption to cheaper and cleaner hours, against the baseline.',
  }),
)

const appIcons = new Map<string, Icon>(
  Object.entries({
    wave: IconWaveSine,
    bolt: IconBolt,
    database: IconDatabase,
    'charging-pile': IconChargingPile,
    'chart-bar': IconChartArrowsVertical,
  }),
)

const enabledLicences = (user: User, entryOf: (id: string, type: string) => { key: string; address: Address }) =>
  Object.entries(user.customerId.enabledLicense).flatMap(([id, { licenseType, enabled }]): NavEntry[] => {
    const title = licenceTitle(licenseType.name)
    const own = user.customerId.instances.filter(({ licenseId }) => licenseId === id)
    const words = appWords.get(licenseType.name) ?? namesOf(own)
    const icon = appIcons.get(licenseType.icon) ?? IconBolt
    return enabled ? [{ ...entryOf(id, licenseType.name), title, short: title, icon, words, children: [] }] : []
  })

export const apps = (user: User): NavEntry[] =>
  enabledLicences(user, (id, name) => ({
    key: `/e3-App/${encodeURIComponent(name)}`,
    address: { to: '/e3-App/$name', params: { name }, search: { licenseTypeId: id } },
  }))

export const legacyLicences = (user: User): NavEntry[] =>
  enabledLicences(user, (id) => ({
    key: `/e3/${id}`,
    address: { to: '/e3/$licenseId', params: { licenseId: id } },
  }))

export const markets = (user: User): NavEntry[] =>
  shownMarkets(subjectOf(user)).map((market) => ({
    key: `/demandResponse/${encodeURIComponent(market)}`,
    address: { to: '/demandResponse/$market', params: { market } },
    title: market,
    short: market,
    icon: IconActivity,
    words: namesOf(user.customerId.instances.filter((instance) => instance.market.includes(market))),
    children: [],
  }))

export const licenceName = (user: User, place: Place): string | undefined => {
  const licence = licenceOf(user, place)
  return licence && licenceTitle(licence.licenseType.name)
}
