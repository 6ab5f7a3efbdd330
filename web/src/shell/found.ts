import { foundRow } from '@gridmast/contract/search.ts'
import { formatDate, formatDateTime, hourMs } from '@gridmast/contract/time.ts'
import {
  type Icon,
  IconBell,
  IconBolt,
  IconBuildingFactory2,
  IconChargingPile,
  IconCoinEuro,
  IconGauge,
  IconMail,
  IconMapPin,
  IconNote,
  IconNotes,
  IconReportMoney,
  IconTag,
  IconUser,
} from '@tabler/icons-react'
import type { Sentence } from '#i18n/da.ts'
import '#lib/zod.ts'
import { z } from 'zod'
import type { Address, NavEntry } from './nav.ts'

/** An instance is found in the profile of the user, all other rows by the server. */
const foundInstance = z.object({ kind: z.literal('instance'), id: z.string(), name: z.string(), detail: z.string() })
export const found = z.union([foundInstance, foundRow])
export type Found = z.infer<typeof found>

export const kindWords = {
  instance: 'Instances',
  charger: 'Chargers',
  site: 'Charging sites',
  tag: 'Tags',
  session: 'Charging sessions',
  meter: 'Meters',
  alert: 'Alerts',
  'bid-request': 'Bid requests',
  settlement: 'Settlements',
  note: 'Support Notes',
  'chart-note': 'Notes on charts',
  person: 'People',
  recipient: 'Recipients of emails',
} as const satisfies Record<Found['kind'], Sentence>

export const kindIcons: Record<Found['kind'], Icon> = {
  instance: IconBuildingFactory2,
  charger: IconChargingPile,
  site: IconMapPin,
  tag: IconTag,
  session: IconBolt,
  meter: IconGauge,
  alert: IconBell,
  'bid-request': IconReportMoney,
  settlement: IconCoinEuro,
  note: IconNote,
  'chart-note': IconNotes,
  person: IconUser,
  recipient: IconMail,
}

/** Name and detail of a row, as its list shows them. */
export const textsOf = (row: Found): [name: string, detail: string] => {
  switch (row.kind) {
    case 'instance':
      return [row.name, row.detail]
    case 'charger':
      return [row.name, row.connectorId === null ? row.identity : `${row.identity} · ${row.connectorId}`]
    case 'site':
      return [row.name, '']
    case 'tag':
      return [row.name, row.tag]
    case 'session':
      return [row.chargerName, [formatDateTime(Date.parse(row.startTime)), row.tagName].filter(Boolean).join(' · ')]
    case 'meter':
      return [row.name, [row.meteringPoint, row.address].filter(Boolean).join(' · ')]
    case 'alert':
      return [row.name, row.instanceName]
    case 'bid-request': {
      const days = [...new Set([row.startDate, row.endDate])].map(formatDate)
      return [row.instanceName, `${row.market} · ${days.join('–')}`]
    }
    case 'settlement':
      return [row.instanceName, `${formatDate(row.day)} · ${row.product}`]
    case 'note':
      return [row.title, '']
    case 'chart-note':
      return [
        row.text,
        [formatDateTime(Date.parse(row.from)).slice(0, 16), row.instanceName].filter(Boolean).join(' · '),
      ]
    case 'person':
      return [row.name, row.email]
    case 'recipient':
      return [row.email, '']
  }
}

export const keyOf = (row: Found): string => {
  if (row.kind === 'recipient') return `recipient ${row.email}`
  if (row.kind === 'settlement') return `settlement ${row.instanceId} ${row.day} ${row.product}`
  return `${row.kind} ${row.id}`
}

export type Places = {
  pages: readonly NavEntry[]
  instances: readonly { _id: string; licenseId: string }[]
}

const appOf = (licenceId: string, { pages }: Places) =>
  pages.flatMap(({ address }) =>
    address.to === '/e3-App/$name' && address.search?.licenseTypeId === licenceId ? address : [],
  )[0]

const aroundMs = 6 * hourMs
/** The time of a note with six hours on each side, as the charts have it in the URL. */
const rangeAround = ({ from, to }: { from: string; to: string }): string =>
  [Date.parse(from) - aroundMs, Date.parse(to) + aroundMs]
    .map((ms) => `${new Date(ms).toISOString().slice(0, 19)}Z`)
    .join('/')

/** An instance opens in its licence's app, or on home for users without that app. */
export const instanceAddress = (instanceId: string, places: Places, range?: string): Address | null => {
  const instance = places.instances.find(({ _id }) => _id === instanceId)
  const app = instance && appOf(instance.licenseId, places)
  if (app) return { ...app, search: { ...app.search, instance: instanceId, range } }
  return instance && places.pages.some(({ key }) => key === '/')
    ? { to: '/', params: {}, search: { instance: instanceId } }
    : null
}

/** Null where the page of the row is not in the menus of the user. */
export const addressOf = (row: Found, places: Places): Address | null => {
  const has = (key: string) => places.pages.some((page) => page.key === key)
  const evCharging = has('/e3-App/evCharging')
  switch (row.kind) {
    case 'instance':
      return instanceAddress(row.id, places)
    case 'charger':
      if (!evCharging) return has('/cfm/tools') ? { to: '/cfm/tools' } : null
      return { to: '/e3-App/evCharging', search: { chargerId: row.id, connectorId: row.connectorId ?? undefined } }
    case 'site':
      return has('/cfm/tools') ? { to: '/cfm/tools', search: { tab: 'sites', siteId: row.id } } : null
    case 'tag':
      return evCharging ? { to: '/e3-App/evCharging', search: { tab: 'tag', search: row.tag } } : null
    case 'session':
      return evCharging ? { to: '/e3-App/evCharging', search: { tab: 'transactions', session: row.id } } : null
    case 'meter':
      return has('/insights/dataHub') ? { to: '/insights/dataHub', search: { device: row.id } } : null
    case 'alert': {
      const app = appOf(row.licenceId, places)
      return app ? { ...app, search: { ...app.search, tab: 'alerts' } } : null
    }
    case 'bid-request': {
      const params = { market: row.market }
      if (!has(`/demandResponse/${encodeURIComponent(row.market)}`)) return null
      return { to: '/demandResponse/$market', params, search: { tab: 'requestBid', request: row.id } }
    }
    case 'settlement': {
      const search = { instanceId: row.instanceId, startDate: row.day, endDate: row.day }
      return has('/eConomics') ? { to: '/eConomics', search } : null
    }
    case 'note':
      return has('/insights/supportNotes') ? { to: '/insights/supportNotes' } : null
    case 'chart-note': {
      const instanceId = row.instanceId ?? places.instances[0]?._id
      return instanceId === undefined ? null : instanceAddress(instanceId, places, rangeAround(row))
    }
    case 'person':
      return has('/audit') ? { to: '/audit', search: { who: row.email } } : null
    case 'recipient':
      return has('/emailSubscriptions') ? { to: '/emailSubscriptions', search: { filter: row.email } } : null
  }
}
