import { Button } from '@mantine/core'
import { IconLayoutDashboard } from '@tabler/icons-react'
import { Suspense, useDeferredValue } from 'react'
import { EventsCard } from '#delivery/events/EventsCard.tsx'
import { t, withWords } from '#lib/i18n.ts'
import { part } from '#lib/part.tsx'
import { usePhone } from '#lib/phone.ts'
import { useUrlState } from '#lib/url-state.ts'
import { useCan, useUser } from '#lib/user.tsx'
import { useFirstSteps } from '#people/first-steps/useFirstSteps.ts'
import { ChartSkeleton, Waiting } from '#ui/Loaded.tsx'
import { Panel } from '#ui/Panel.tsx'
import { CellCard, LocalCellCard } from './CellCard.tsx'
import classes from './Home.module.css'
import { isOn, visibleRows, soldCellsOf, widthOf, homeSearch } from './layout.ts'
import { Row } from '#ui/Layout.tsx'

// Outside of the first load: below the fold, and only a sudoer arranges.
const SoldCard = part(async () => (await withWords(import('#trading/bid-requests/SoldCard.tsx'))).SoldCard)
const ActivationBanner = part(async () => (await import('#delivery/events/ActivationBanner.tsx')).ActivationBanner)
const FaultsCard = part(async () => (await withWords(import('#delivery/alerts/FaultsCard.tsx'), 'faults')).FaultsCard)
const FirstStepsCard = part(async () => (await withWords(import('./FirstStepsCard.tsx'), 'first-steps')).FirstStepsCard)
const VisitStrip = part(async () => (await withWords(import('./VisitStrip.tsx'), 'energy')).VisitStrip)
const SendDashboard = part(async () => (await withWords(import('#ui/SendDashboard.tsx'), 'people-reports')).default)
const HomeEditor = part(
  async () => (await withWords(import('#portal/home/HomeEditor.tsx'), 'home-editor', 'faults')).default,
)

const Home = () => {
  const user = useUser()
  const { e3DashboardConfig: config, biddingMarkets } = user.customerId
  const [search, change] = useUrlState(homeSearch)
  const phone = usePhone()
  const mayReadAlerts = useCan('alert.read')
  const mayReadEvents = useCan('event.read')
  const maySeeBids = useCan('bid-request.read')
  const mayArrange = useCan('dashboard.edit')
  const firstSteps = useFirstSteps()
  // The first row is rendered, and its calls are sent, before the rows below.
  const isBelowDue = useDeferredValue(true, false)
  if (search.edit && mayArrange)
    return (
      <main>
        <Suspense>
          <HomeEditor config={config} onClose={() => change({ edit: undefined })} />
        </Suspense>
      </main>
    )
  const cellRows = visibleRows(user)
  const firstOf = new Map(
    cellRows
      .flat()
      .toReversed()
      .map(({ card, name }) => [card, name]),
  )
  return (
    <main>
      {mayReadEvents && (
        <Suspense>
          <ActivationBanner />
        </Suspense>
      )}
      {firstSteps.isOpen && !firstSteps.hidden && (
        <div data-print="no" style={{ marginBottom: phone ? 8 : 16 }}>
          {/* The fallback is as high as the card. */}
          <Suspense
            fallback={
              <div className={classes.grid} style={{ rowGap: 0, padding: '46px 0 12px' }}>
                {firstSteps.steps.map((step) => (
                  <div key={step} className={classes.quarter} data-arranged style={{ minHeight: 60 }} />
                ))}
              </div>
            }
          >
            <FirstStepsCard />
          </Suspense>
        </div>
      )}
      <div className={classes.visit}>
        {isBelowDue && (
          <Suspense>
            <VisitStrip />
          </Suspense>
        )}
      </div>
      <div className={classes.grid}>
        {(isBelowDue ? cellRows : cellRows.slice(0, 2)).map((cells) =>
          cells.map((cell) => (
            <div key={cell.name} className={classes[widthOf(cell, cells)]}>
              {firstOf.get(cell.card) === cell.name ? (
                <CellCard cell={cell} view={search} onView={change} />
              ) : (
                <LocalCellCard cell={cell} />
              )}
            </div>
          )),
        )}
        {isBelowDue &&
          maySeeBids &&
          soldCellsOf(config, biddingMarkets).map(({ name, market, groupId }) => (
            <div key={name} className={`${classes.half} ${classes.sold}`}>
              <Suspense
                fallback={
                  <Panel title={t('Sold Capacity (kW)')} label={`${t('Sold Capacity (kW)')} ${market}`}>
                    <ChartSkeleton height={190} />
                  </Panel>
                }
              >
                <SoldCard market={market} instanceId={groupId} />
              </Suspense>
            </div>
          ))}
        {isBelowDue && isOn(config, 'enableEventFaultRow') && (
          <>
            <div className={classes.events}>
              <EventsCard eventType={search.events} onEventType={(events) => change({ events })} />
            </div>
            <div className={classes.faults}>
              <Suspense
                fallback={
                  mayReadAlerts && (
                    <Panel title={t('Faults and alerts')} label={t('Faults and alerts')}>
                      <Waiting height={180} />
                    </Panel>
                  )
                }
              >
                <FaultsCard />
              </Suspense>
            </div>
          </>
        )}
      </div>
      {isBelowDue && !phone && (
        <Row justify="end" gap={8} above={8}>
          <Suspense>
            <SendDashboard />
          </Suspense>
          {mayArrange && (
            <Button
              variant="subtle"
              leftSection={<IconLayoutDashboard stroke={1.8} aria-hidden />}
              onClick={() => change({ edit: true })}
            >
              {t('Arrange dashboard')}
            </Button>
          )}
        </Row>
      )}
    </main>
  )
}

export default Home
