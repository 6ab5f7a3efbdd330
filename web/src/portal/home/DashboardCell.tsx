import { lazy, Suspense, useState } from 'react'
import { t } from '#lib/i18n.ts'
import { CapacityCard } from '#grid/capacity/CapacityCard.tsx'
import { RevenueCard } from '#settlement/economics/RevenueCard.tsx'
import { FrequencyCard } from '#grid/frequency/FrequencyCard.tsx'
import { InstanceCard } from '#delivery/instances/InstanceCard.tsx'
import { PowerCostCard } from '#grid/prices/PowerCostCard.tsx'
import { useUser } from '#lib/user.tsx'
import { ChartSkeleton, Empty } from '#ui/Loaded.tsx'
import { Panel } from '#ui/Panel.tsx'
import { type Cell, capacityOf, signalOf, type HomeSearch } from './layout.ts'

/** A user's temporary view; the company's settings are in the cell. */
type Shown = Partial<Pick<HomeSearch, 'day' | 'resolution' | 'view' | 'capacity' | 'instance'>>
type Props = { cell: Cell; shown: Shown; onShow: (change: Shown) => void }

// Outside of the first load: few dashboards have it.
const DataHubCard = lazy(() =>
  import('#meters/data-hub/DataHubCard.tsx').then((module) => ({ default: module.DataHubCard })),
)

/** The first available item replaces one that no longer exists. */
export const DashboardCell = ({ cell, shown, onShow }: Props) => {
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
      const { market, usual } = capacityOf(cell)
      return (
        <CapacityCard
          key={market}
          market={market}
          instances={instances}
          chosen={shown.capacity ?? usual}
          onChoose={(capacity) => onShow({ capacity: capacity === usual ? undefined : capacity })}
        />
      )
    }
    case 'powerCost':
      return (
        <PowerCostCard
          priceSignal={(powerCost.find(({ _id }) => _id === cell.priceSignalId) ?? powerCost[0])?._id}
          day={shown.day ?? 'today'}
          resolution={shown.resolution ?? 'hour'}
          onDay={(day) => onShow({ day: day === 'today' ? undefined : day })}
          onResolution={(resolution) => onShow({ resolution: resolution === 'hour' ? undefined : resolution })}
        />
      )
    case 'instance': {
      const named = (id: string | undefined) => instances.find(({ _id }) => _id === id)
      const instance = named(shown.instance) ?? named(cell.groupId) ?? instances[0]
      if (instance)
        return (
          <InstanceCard
            key={instance._id}
            instances={instances}
            instanceId={instance._id}
            onInstance={(next) => onShow({ instance: next })}
            view={shown.view ?? 'power'}
            onView={(view) => onShow({ view: view === 'power' ? undefined : view })}
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
    case 'revenue':
      return <RevenueCard />
  }
}

/** The URL belongs to the first card of a kind; a second one has its own state. */
export const SecondCell = ({ cell }: { cell: Cell }) => {
  const [shown, setShown] = useState<Shown>({})
  return (
    <DashboardCell cell={cell} shown={shown} onShow={(change) => setShown((before) => ({ ...before, ...change }))} />
  )
}
