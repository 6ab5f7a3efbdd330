import { Suspense, useState } from 'react'
import { InstanceCard } from '#delivery/instances/InstanceCard.tsx'
import { CapacityCard } from '#grid/capacity/CapacityCard.tsx'
import { FrequencyCard } from '#grid/frequency/FrequencyCard.tsx'
import { PowerCostCard } from '#grid/prices/PowerCostCard.tsx'
import { t, withWords } from '#lib/i18n.ts'
import { part } from '#lib/part.tsx'
import { usePhone } from '#lib/phone.ts'
import { useUser } from '#lib/user.tsx'
import { RevenueCard } from '#settlement/economics/RevenueCard.tsx'
import { ChartSkeleton, Empty } from '#ui/Loaded.tsx'
import { Panel } from '#ui/Panel.tsx'
import { type Cell, capacityOf, signalOf, type HomeSearch } from './layout.ts'

/** A user's temporary view; the company's settings are in the cell. */
type CellView = Partial<Pick<HomeSearch, 'day' | 'resolution' | 'view' | 'capacity' | 'instance'>>
type Props = { cell: Cell; view: CellView; onView: (change: CellView) => void }

// Outside of the first load.
const EnergyCard = part(async () => (await withWords(import('./EnergyCard.tsx'), 'energy')).EnergyCard)
// Outside of the first load: few dashboards have it.
const DataHubCard = part(
  async () => (await withWords(import('#meters/data-hub/DataHubCard.tsx'), 'meters')).DataHubCard,
)

/** Height of the energy picture, so that nothing below moves. */
const energyHeight = 232

/** The first available item replaces one that no longer exists. */
export const CellCard = ({ cell, view, onView }: Props) => {
  const phone = usePhone()
  const { customerId: customer } = useUser()
  const { powerCost, instances } = customer
  switch (cell.card) {
    case 'frequency': {
      const signal = signalOf(cell, customer)
      if (signal) return <FrequencyCard key={signal._id} customer={customer} signal={signal} />
      return (
        <Panel title={t('Frequency')} note="(Hz)">
          <Empty title={t('No frequency signal')}>
            {t('Your company has no frequency signal. Ask the operator to add one.')}
          </Empty>
        </Panel>
      )
    }
    case 'capacity': {
      const { market, defaultInstance } = capacityOf(cell)
      return (
        <CapacityCard
          key={market}
          market={market}
          instances={instances}
          chosen={view.capacity ?? defaultInstance}
          onChoose={(capacity) => onView({ capacity: capacity === defaultInstance ? undefined : capacity })}
        />
      )
    }
    case 'powerCost':
      return (
        <PowerCostCard
          priceSignal={(powerCost.find(({ _id }) => _id === cell.priceSignalId) ?? powerCost[0])?._id}
          day={view.day ?? 'today'}
          resolution={view.resolution ?? 'hour'}
          onDay={(day) => onView({ day: day === 'today' ? undefined : day })}
          onResolution={(resolution) => onView({ resolution: resolution === 'hour' ? undefined : resolution })}
        />
      )
    case 'instance': {
      const instanceOf = (id: string | undefined) => instances.find(({ _id }) => _id === id)
      const instance = instanceOf(view.instance) ?? instanceOf(cell.groupId) ?? instances[0]
      if (instance)
        return (
          <InstanceCard
            key={instance._id}
            instances={instances}
            instanceId={instance._id}
            onInstance={(next) => onView({ instance: next })}
            view={view.view ?? 'power'}
            onView={(next) => onView({ view: next === 'power' ? undefined : next })}
          />
        )
      return (
        <Panel title={t('Power (kW)')}>
          <Empty title={t('No instance')}>{t('Ask the operator to add one.')}</Empty>
        </Panel>
      )
    }
    case 'dataHub':
      return (
        <Suspense
          fallback={
            <Panel title="Data Hub" label="Data Hub">
              <ChartSkeleton height={190} />
            </Panel>
          }
        >
          <DataHubCard />
        </Suspense>
      )
    case 'energy':
      return (
        <Suspense
          fallback={
            <Panel title={t('Energy now')} label={t('Energy now')}>
              <div style={{ minHeight: phone ? 424 : energyHeight }} />
            </Panel>
          }
        >
          <EnergyCard />
        </Suspense>
      )
    case 'revenue':
      return <RevenueCard />
  }
}

/** The URL belongs to the first card of a kind; a second one has its own state. */
export const LocalCellCard = ({ cell }: { cell: Cell }) => {
  const [view, setView] = useState<CellView>({})
  return <CellCard cell={cell} view={view} onView={(change) => setView((before) => ({ ...before, ...change }))} />
}
