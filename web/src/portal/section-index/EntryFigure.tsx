import { powerCapacitySum } from '@gridmast/contract/grid/capacity.ts'
import { carbonEmission } from '@gridmast/contract/grid/carbon.ts'
import { fleetDashboard } from '@gridmast/contract/charging/charge-fleet.ts'
import { findMeterGroups } from '@gridmast/contract/meters/data-hub.ts'
import { findPlans } from '@gridmast/contract/planning/load-shifting.ts'
import { isMarket } from '@gridmast/contract/markets.ts'
import { powerCost } from '@gridmast/contract/grid/prices.ts'
import type { capabilities } from '@gridmast/contract/roles.ts'
import { findScopeReports } from '@gridmast/contract/meters/scope-2.ts'
import { findSupportNotes } from '@gridmast/contract/people/support-notes.ts'
import { formatDate, minuteMs, today } from '@gridmast/contract/time.ts'
import { findVersions } from '@gridmast/contract/people/versions.ts'
import type { ComponentType } from 'react'
import { useNow } from '#lib/clock.ts'
import { t } from '#lib/i18n.ts'
import { useCall } from '#lib/query.ts'
import { useCan, useUser } from '#lib/user.tsx'
import type { NavEntry } from '#shell/nav.ts'
import { Figure, Margin, TextFigure } from '#ui/Figure.tsx'
import classes from './SectionIndex.module.css'

const newestOnly = { query: { limit: 1 } }

const PriceNow = () => {
  const now = useNow(60_000)
  const { data } = useCall(powerCost, { sent: { query: { date: today(now), resolution: 'quarter' } } })
  const price = data?.prices.find((slot) => Date.parse(slot.start_time) <= now && now < Date.parse(slot.end_time))
  return data && <Figure label={`${t('Now')} · ${data.area}`} value={price?.price} unit="DKK/MWh" />
}

const EmissionToday = () => {
  const now = useNow(60_000)
  const [area = 'DK2'] = useUser().customerId.areas
  const { data } = useCall(carbonEmission, { sent: { query: { date: today(now), area, type: 'past' } } })
  return data && <Figure label={`${t('Today')} · ${area}`} value={data.mean} decimals={0} unit="g/kWh" />
}

const Meters = () => {
  const { data } = useCall(findMeterGroups, {})
  const count = data?.groups.reduce((sum, { meterIdData }) => sum + meterIdData.length, 0)
  return data && <Figure label={t('Meters')} value={count} decimals={0} />
}

const Reports = () => {
  const { data } = useCall(findScopeReports, { sent: newestOnly })
  return data && <Figure label={t('Reports')} value={data.totalCount} decimals={0} />
}

const Plans = () => {
  const { data } = useCall(findPlans, { sent: { query: { limit: 1, accepted: 'yes' } } })
  return data && <Figure label={t('Accepted plans')} value={data.totalCount} decimals={0} />
}

const Notes = () => {
  const { data } = useCall(findSupportNotes, { sent: newestOnly })
  return data && <Figure label={t('Notes')} value={data.totalCount} decimals={0} />
}

const NewestVersion = () => {
  const { data } = useCall(findVersions, { sent: newestOnly })
  const newest = data?.versions[0]
  return newest && <TextFigure short label={t('Newest')} value={formatDate(newest.released)} />
}

const ChargingNow = () => {
  const { data } = useCall(fleetDashboard, { sent: { query: { days: 1 } } })
  return data && <Figure label={t('Charging now')} value={data.running} decimals={0} />
}

/** Available and sold capacity of all instances of a market. */
const MarketFigure = ({ market }: { market: string }) => {
  const { data } = useCall(powerCapacitySum, { sent: { query: { market } }, refetchIntervalMs: minuteMs })
  if (!data) return null
  const alive = data.instances.flatMap(({ kw }) => kw ?? [])
  const availableKw = alive.length === 0 ? null : alive.reduce((sum, kw) => sum + kw, 0)
  return (
    <>
      <Figure value={availableKw} decimals={1} unit="kW" />
      {data.soldKw !== null && <Margin availableKw={availableKw} soldKw={data.soldKw} />}
    </>
  )
}

const figures: Record<string, { may: keyof typeof capabilities; Of: ComponentType }> = {
  '/insights/dayahead': { may: 'prices.read', Of: PriceNow },
  '/insights/carbonemission': { may: 'carbon.read', Of: EmissionToday },
  '/insights/dataHub': { may: 'data-hub.read', Of: Meters },
  '/insights/scope2': { may: 'scope-2.read', Of: Reports },
  '/insights/loadShifting': { may: 'load-shifting.read', Of: Plans },
  '/insights/supportNotes': { may: 'support-note.read', Of: Notes },
  '/insights/versionhistory': { may: 'version.read', Of: NewestVersion },
  '/e3-App/evCharging': { may: 'charge-fleet.read', Of: ChargingNow },
  '/e3-App/CFM': { may: 'charge-fleet.read', Of: ChargingNow },
  '/cfmdashboard': { may: 'charge-fleet.read', Of: ChargingNow },
  '/e3-App/dataHub': { may: 'data-hub.read', Of: Meters },
  '/e3-App/loadShifting': { may: 'load-shifting.read', Of: Plans },
}

export const EntryFigure = ({ entry: { key, title } }: { entry: NavEntry }) => {
  const { instances } = useUser().customerId
  const mayReadCapacity = useCan('capacity.read')
  const figure = figures[key]
  const may = useCan(figure?.may ?? 'session.use')
  if (figure)
    return (
      may && (
        <div className={classes.figure}>
          <figure.Of />
        </div>
      )
    )
  const isMeasured = isMarket(title) && instances.some(({ market }) => market.includes(title))
  return (
    mayReadCapacity &&
    isMeasured && (
      <div className={classes.figure} data-market>
        <MarketFigure market={title} />
      </div>
    )
  )
}
