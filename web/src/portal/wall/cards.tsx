import { energyStaleMs, simulatedEnergy } from '@gridmast/contract/grid/energy-now.ts'
import { frequencySeries } from '@gridmast/contract/grid/frequency.ts'
import { powerCost } from '@gridmast/contract/grid/prices.ts'
import { findFaults, type Fault } from '@gridmast/contract/notifications/faults.ts'
import { formatNumber, unknownText } from '@gridmast/contract/numbers.ts'
import { findSoldRisks, type SoldRisks } from '@gridmast/contract/trading/penalty-guard.ts'
import { simulatedOf, type SimulatedSum } from '@gridmast/contract/source.ts'
import { addDays, formatDate, formatTime, hourMs, localTime, minuteMs, today } from '@gridmast/contract/time.ts'
import { IconAlertTriangle, IconArrowLeft, IconArrowRight, IconCircleCheck } from '@tabler/icons-react'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { keyOf, useFaultText } from '#delivery/alerts/FaultsCard.tsx'
import { frequencyRequest } from '#grid/card-requests.ts'
import type { ApiError } from '#lib/api.ts'
import { useNow } from '#lib/clock.ts'
import { digits, format, simulatedWords } from '#lib/format.ts'
import { t, translateText } from '#lib/i18n.ts'
import { useLive, useLiveAlerts, useLiveResume } from '#lib/live.ts'
import { useCall } from '#lib/query.ts'
import { useUser } from '#lib/user.tsx'
import type { WallCard } from '#people/security/wall-cards.ts'
import { looks, stateOf, useEnergy } from '#portal/home/EnergyCard.tsx'
import { useFeed, useNewest, useStale } from '#ui/Chart/feed.ts'
import { ageText, StatusDot } from '#ui/Tag.tsx'
import classes from './wall.module.css'

type Query<T> = Pick<UseQueryResult<T, ApiError>, 'data' | 'error' | 'dataUpdatedAt'>
/** `of`: id of its signal. */
type Shown = { shown: boolean; of?: string | undefined }
type CardProps<T> = {
  title: string
  shown: boolean
  query: Query<T>
  simulated?: SimulatedSum | undefined
  children: (data: T) => ReactNode
}

/** A card keeps its data while another one is shown. */
const Card = <T,>({ title, shown, query, simulated, children }: CardProps<T>) => {
  const { data, error, dataUpdatedAt } = query
  return (
    <section className={classes.card} hidden={!shown} aria-label={title}>
      <h2 className={classes.title}>
        {title}
        {simulated && <span className={classes.simulated}>{simulatedWords(simulated)}</span>}
      </h2>
      {data === undefined ? (
        <p className={classes.state} role={error ? 'alert' : 'status'}>
          {error ? translateText(error.message) : t('Loading')}
        </p>
      ) : (
        <>
          <div className={classes.content} data-stale={error !== null || undefined}>
            {children(data)}
          </div>
          {error && (
            <p className={classes.warning} role="alert">
              {t('Not updated since {{time}}', { time: formatTime(dataUpdatedAt) })}
            </p>
          )}
        </>
      )}
    </section>
  )
}

type FigureProps = {
  label?: ReactNode
  value: string
  unit: string
  size?: 'large' | 'middle'
  stale?: boolean | undefined
  icon?: ReactNode
  children?: ReactNode
}

const Figure = ({ label, value, unit, size = 'middle', stale, icon, children }: FigureProps) => (
  <div className={classes.figure} data-size={size} data-stale={stale || undefined}>
    {label && <span className={classes.label}>{label}</span>}
    <span className={classes.digits}>
      {icon}
      {value}
      {value !== unknownText && <small>{unit}</small>}
    </span>
    {children && <span className={classes.words}>{children}</span>}
  </div>
)

const kwText = (kw: number | null) =>
  kw !== null && Math.abs(kw) >= 100 ? digits.wholeKw(Math.abs(kw)) : digits.kw(kw === null ? null : Math.abs(kw))

const Energy = ({ shown }: { shown: boolean }) => {
  const { query, now, picture, listeners } = useEnergy()
  const words = (part: keyof typeof looks, kw: number | null, ageMs: number) =>
    [stateOf(part, kw), kw !== null && ageMs > energyStaleMs && `${t('Stale')}, ${ageText(ageMs)}`]
      .filter(Boolean)
      .join(' · ')
  return (
    <Card title={t('Energy now')} shown={shown} query={query} simulated={now && simulatedEnergy(now)}>
      {() =>
        picture && (
          <>
            {listeners}
            {picture.nodes.length === 0 ? (
              <p className={classes.state}>{t('No power reported yet')}</p>
            ) : (
              <>
                <Figure
                  size="large"
                  label={looks.grid.title()}
                  value={kwText(picture.gridKw)}
                  unit="kW"
                  stale={picture.ageMs > energyStaleMs}
                  icon={
                    picture.gridKw !== null &&
                    (picture.gridKw >= 0 ? <IconArrowRight aria-hidden /> : <IconArrowLeft aria-hidden />)
                  }
                >
                  {words('grid', picture.gridKw, picture.ageMs)}
                  {picture.silent > 0 && ` · ${t('Incomplete')}`}
                </Figure>
                <div className={classes.row}>
                  {picture.nodes.map(({ part, kw, ageMs }) => (
                    <Figure
                      key={part}
                      label={looks[part].title()}
                      value={kwText(kw)}
                      unit="kW"
                      stale={kw !== null && ageMs > energyStaleMs}
                    >
                      {words(part, kw, ageMs)}
                    </Figure>
                  ))}
                </div>
              </>
            )}
          </>
        )
      }
    </Card>
  )
}

const nominalHz = 50
/** Half the width of the scale: FCR-D is fully active at 0.5 Hz, the Nordic normal band is 0.1 Hz. */
const scaleHz = 0.2
const windowMs = 30 * minuteMs
const hertz = (hz: number | null) => formatNumber(hz, { decimals: 3 })

const Frequency = ({ shown, of }: Shown) => {
  const signal = useUser().customerId.frequency.find(({ _id }) => _id === of)
  const sent = frequencyRequest(signal?._id ?? '')
  const query = useCall(frequencySeries, { sent, enabled: signal !== undefined, refetchIntervalMs: 5 * minuteMs })
  const feed = useFeed(windowMs, query.data?.graph[0])
  useLive(signal?.instanceId, 'frequency', feed.push)
  const newest = useNewest(feed)
  const age = useStale(feed, minuteMs)
  const now = useNow(10_000)
  const { x, y } = feed.state.get()
  const values = y.flatMap((hz, i) => (hz !== null && (x[i] ?? 0) >= now - windowMs ? hz : []))
  const source = query.data?.source
  const hz = newest?.value ?? null
  const mhz = hz === null ? null : Math.round((hz - nominalHz) * 1000)
  const share = hz === null ? 0.5 : Math.min(1, Math.max(0, (hz - nominalHz + scaleHz) / (2 * scaleHz)))
  const bound = (pick: (...all: number[]) => number) =>
    hertz(values.length === 0 ? null : values.reduce((best, one) => pick(best, one)))
  return (
    <Card
      title={`${t('Frequency')} · ${signal?.name ?? ''}`}
      shown={shown}
      query={query}
      simulated={simulatedOf(query.data ? [query.data.simulated] : [])}
    >
      {() => (
        <>
          <Figure size="large" value={hertz(hz)} unit="Hz" stale={age !== null}>
            {age === null ? (newest ? formatTime(newest.ms) : t('No telemetry')) : `${t('Stale')}, ${ageText(age)}`}
          </Figure>
          <div className={classes.scale} aria-hidden>
            <i className={classes.band} />
            {hz !== null && <i className={classes.needle} style={{ left: `${share * 100}%` }} />}
            <span>{formatNumber(nominalHz - scaleHz, { decimals: 1 })}</span>
            <span>{formatNumber(nominalHz, { decimals: 1 })}</span>
            <span>{formatNumber(nominalHz + scaleHz, { decimals: 1 })}</span>
          </div>
          <div className={classes.row}>
            <Figure
              label={t('Deviation from 50 Hz')}
              value={mhz === null ? unknownText : `${mhz > 0 ? '+' : ''}${formatNumber(mhz, { decimals: 0 })}`}
              unit="mHz"
              stale={age !== null}
            />
            <Figure label={`${t('Lowest')}, 30 min`} value={bound(Math.min)} unit="Hz" stale={age !== null} />
            <Figure label={`${t('Highest')}, 30 min`} value={bound(Math.max)} unit="Hz" stale={age !== null} />
          </div>
          {source && (
            <p className={classes.words}>
              {t('Public measurement, {{area}}: {{source}}', {
                area: source.area,
                source: `${source.name}, ${source.dataset}`,
              })}
            </p>
          )}
        </>
      )}
    </Card>
  )
}

const maxLines = 3

const RiskCounts = ({ risks, soldCount, unknownCount }: SoldRisks) => {
  const forecastCount = soldCount - unknownCount
  return (
    <>
      {risks.length > 0 ? (
        <p className={classes.words}>
          <IconAlertTriangle aria-hidden />{' '}
          {t('{{n}} of {{count}} sold slots at risk', { n: risks.length, count: soldCount })}
        </p>
      ) : (
        (forecastCount > 0 || unknownCount === 0) && (
          <p className={classes.words}>
            {unknownCount === 0 && <IconCircleCheck aria-hidden />}{' '}
            {t('{{count}} sold slots ahead, none at risk', { count: forecastCount })}
          </p>
        )
      )}
      {unknownCount > 0 && (
        <p className={classes.words}>{t('Sold slots without a forecast: {{n}}', { n: unknownCount })}</p>
      )}
    </>
  )
}

const Reserve = ({ shown }: { shown: boolean }) => {
  const { query, now } = useEnergy()
  const risks = useCall(findSoldRisks, { sent: { query: {} }, refetchIntervalMs: minuteMs })
  useLiveAlerts(() => void risks.refetch())
  const reserve = now?.reserve ?? []
  return (
    <Card title={t('Reserve now')} shown={shown} query={query} simulated={now && simulatedEnergy(now)}>
      {() => (
        <>
          {reserve.length === 0 && <p className={classes.state}>{t('Nothing is sold in this slot.')}</p>}
          <div className={classes.row}>
            {reserve.map(({ direction, soldKw, heldKw, silent }) => (
              <Figure
                key={direction}
                size="large"
                label={direction === 'up' ? t('Up-regulation') : t('Down-regulation')}
                value={kwText(heldKw)}
                unit="kW"
              >
                {t('of {{kw}} sold', { kw: format.kw(soldKw) })}
                {silent > 0 && ` · ${t('{{count}} instances without a report', { count: silent })}`}
              </Figure>
            ))}
          </div>
          {risks.data && (
            <div className={classes.list}>
              <RiskCounts {...risks.data} />
              <ul>
                {risks.data.risks.slice(0, maxLines).map(({ groupId, groupName, product, start, end, shortKw }) => (
                  <li key={`${groupId} ${product} ${start}`}>
                    <b>
                      {formatDate(Date.parse(start)).slice(0, 6)} {localTime(Date.parse(start))}–
                      {localTime(Date.parse(end))}
                    </b>
                    <span>
                      {product} · {groupName}
                    </span>
                    <em>
                      {shortKw === null
                        ? t('Expected capacity unknown')
                        : t('Short {{kw}}', { kw: format.kw(shortKw) })}
                    </em>
                  </li>
                ))}
              </ul>
            </div>
          )}
          {risks.error && <p className={classes.warning}>{translateText(risks.error.message)}</p>}
        </>
      )}
    </Card>
  )
}

const FaultLine = ({ fault }: { fault: Fault }) => {
  const { status, title, about } = useFaultText(fault)
  return (
    <li>
      <b>
        <StatusDot status={status} /> {title}
      </b>
      <span>{about}</span>
      <em>{fault.since === null ? '' : localTime(Date.parse(fault.since))}</em>
    </li>
  )
}

const Alerts = ({ shown }: { shown: boolean }) => {
  const query = useCall(findFaults, { sent: { query: {} }, refetchIntervalMs: minuteMs })
  useLiveAlerts(() => void query.refetch())
  useLiveResume(() => void query.refetch())
  return (
    <Card title={t('Faults and alerts')} shown={shown} query={query}>
      {({ faults }) => {
        const open = faults.filter((fault) => fault.kind !== 'alert' || !fault.isAcknowledged)
        return open.length === 0 ? (
          <div className={classes.figure} data-size="large">
            <span className={classes.digits}>
              <IconCircleCheck aria-hidden />0
            </span>
            <span className={classes.words}>{t('Nothing is open')}</span>
          </div>
        ) : (
          <>
            <Figure size="large" value={String(open.length)} unit="" icon={<IconAlertTriangle aria-hidden />}>
              {t('Requires action')}
            </Figure>
            <ul className={classes.list}>
              {open.slice(0, maxLines).map((fault) => (
                <FaultLine key={keyOf(fault)} fault={fault} />
              ))}
            </ul>
            {open.length > maxLines && (
              <p className={classes.words}>{t('and {{n}} more', { n: open.length - maxLines })}</p>
            )}
          </>
        )
      }}
    </Card>
  )
}

const hoursAhead = 12

const Price = ({ shown, of }: Shown) => {
  const signal = useUser().customerId.powerCost.find(({ _id }) => _id === of)
  const nowMs = useNow(60_000)
  const day = today(nowMs)
  const sentOf = (date: string) => ({ query: { date, priceSignal: signal?._id, resolution: 'hour' as const } })
  const query = useCall(powerCost, { sent: sentOf(day), refetchIntervalMs: 10 * minuteMs })
  const next = useCall(powerCost, { sent: sentOf(addDays(day, 1)), refetchIntervalMs: 10 * minuteMs })
  const ahead = [...(query.data?.prices ?? []), ...(next.data?.prices ?? [])]
    .map(({ start_time, end_time, price }) => ({ fromMs: Date.parse(start_time), toMs: Date.parse(end_time), price }))
    .filter(({ fromMs, toMs }) => toMs > nowMs && fromMs < nowMs + hoursAhead * hourMs)
  const current = ahead.find(({ fromMs }) => fromMs <= nowMs)
  const most = Math.max(1, ...ahead.map(({ price }) => Math.abs(Number(price))))
  return (
    <Card
      title={`${t('Power cost')} · ${signal?.name ?? ''}`}
      shown={shown}
      query={query}
      simulated={simulatedOf(query.data ? [query.data.source.simulated] : [])}
    >
      {({ unit }) => (
        <>
          <Figure size="large" value={digits.price(current?.price)} unit={unit}>
            {current ? t('excl. tax') : t('No price for this hour')}
          </Figure>
          <ol className={classes.hours} aria-label={t('Next hours')}>
            {ahead.map(({ fromMs, price }) => (
              <li key={fromMs} data-now={fromMs <= nowMs || undefined} data-negative={Number(price) < 0 || undefined}>
                <b>{formatNumber(price, { decimals: 0 })}</b>
                <i style={{ height: `calc((100% - 2.6em) * ${Math.max(0.02, Math.abs(Number(price)) / most)})` }} />
                <span>{localTime(fromMs).slice(0, 2)}</span>
              </li>
            ))}
          </ol>
        </>
      )}
    </Card>
  )
}

export const cards: Record<WallCard, (props: Shown) => ReactNode> = {
  energy: Energy,
  frequency: Frequency,
  reserve: Reserve,
  alerts: Alerts,
  price: Price,
}
