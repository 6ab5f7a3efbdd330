import { useTranslation } from '#lib/i18n.ts'
import { CapacityCard, together } from '#features/capacity/CapacityCard.tsx'
import { ActivationBanner } from '#features/events/ActivationBanner.tsx'
import { EventsCard } from '#features/events/EventsCard.tsx'
import { FaultsCard } from '#features/alerts/FaultsCard.tsx'
import { FrequencyCard } from '#features/frequency/FrequencyCard.tsx'
import { InstanceCard } from '#features/instances/InstanceCard.tsx'
import { PowerCostCard } from '#features/prices/PowerCostCard.tsx'
import { RevenueCard } from '#features/economics/RevenueCard.tsx'
import { useUrlState } from '#lib/url-state.ts'
import { useCan, useUser } from '#lib/user.tsx'
import { Empty } from '#ui/Empty.tsx'
import { Panel } from '#ui/Panel.tsx'
import classes from './Home.module.css'
import { homeSearch } from './search.ts'

const defaultMarket = 'FCR-D-INC'

/** The home dashboard; rows and cells come from the customer's `e3DashboardConfig`. A row is shown unless it is switched off. */
const Home = () => {
  const { t } = useTranslation()
  const { customerId: customer } = useUser()
  const [search, change] = useUrlState(homeSearch)
  const mayReadEvents = useCan('event.read')
  const maySeePrices = useCan('prices.read')
  const config = customer.e3DashboardConfig
  const signal = customer.frequency.find(({ _id }) => _id === config.r1c1?.frequencyId) ?? customer.frequency[0]
  const market = config.r1c2?.value ?? defaultMarket
  const usualCapacity = config.r1c2?.groupId ?? together
  const instanceId = search.instance ?? config.r2c2?.groupId ?? customer.instances[0]?._id
  return (
    <main>
      {mayReadEvents && <ActivationBanner />}
      <div className={classes.grid}>
        {config.enableFirstRow !== false && (
          <>
            <div className={classes.half}>
              {signal ? (
                <FrequencyCard key={signal._id} customer={customer} signal={signal} />
              ) : (
                <Panel title={t('Frequency')} note="(Hz)">
                  <Empty title={t('No frequency signal')}>
                    {t('Your company has no frequency signal. Ask the operator to add one.')}
                  </Empty>
                </Panel>
              )}
            </div>
            <div className={classes.quarter}>
              <CapacityCard
                key={market}
                market={market}
                instances={customer.instances}
                chosen={search.capacity ?? usualCapacity}
                onChoose={(capacity) => change({ capacity: capacity === usualCapacity ? undefined : capacity })}
              />
            </div>
            <div className={classes.quarter}>
              <RevenueCard />
            </div>
          </>
        )}
        {config.enableSecondRow !== false && (
          <>
            {maySeePrices && (
              <div className={classes.half}>
                <PowerCostCard
                  priceSignal={config.r2c1?.priceSignalId ?? customer.powerCost[0]?._id}
                  day={search.day ?? 'today'}
                  resolution={search.resolution ?? 'hour'}
                  onDay={(day) => change({ day: day === 'today' ? undefined : day })}
                  onResolution={(resolution) => change({ resolution: resolution === 'hour' ? undefined : resolution })}
                />
              </div>
            )}
            {instanceId && (
              <div className={maySeePrices ? classes.half : classes.whole}>
                <InstanceCard
                  key={instanceId}
                  instances={customer.instances}
                  instanceId={instanceId}
                  onInstance={(instance) => change({ instance })}
                  view={search.view ?? 'power'}
                  onView={(view) => change({ view: view === 'power' ? undefined : view })}
                />
              </div>
            )}
          </>
        )}
        {config.enableEventFaultRow !== false && (
          <>
            <div className={classes.events}>
              <EventsCard eventType={search.events} onEventType={(events) => change({ events })} />
            </div>
            <div className={classes.faults}>
              <FaultsCard />
            </div>
          </>
        )}
      </div>
    </main>
  )
}

export default Home
