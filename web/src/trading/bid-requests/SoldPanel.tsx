import { type SoldCapacity, soldCapacity } from '@gridmast/contract/trading/bid-basis.ts'
import { powerCapacity, powerCapacitySum } from '@gridmast/contract/grid/capacity.ts'
import { limits } from '@gridmast/contract/limits.ts'
import { isMarket } from '@gridmast/contract/markets.ts'
import { findSoldRisks, type SoldRisks } from '@gridmast/contract/trading/penalty-guard.ts'
import { dayBounds, formatDate, minuteMs, type Span, today } from '@gridmast/contract/time.ts'
import { type ReactNode, useMemo } from 'react'
import { useAgeOver } from '#lib/clock.ts'
import type { useAnnotations } from '#grid/annotations/useAnnotations.tsx'
import { fileOf } from '#lib/download.ts'
import { t } from '#lib/i18n.ts'
import { useLiveAlerts } from '#lib/live.ts'
import { useCall } from '#lib/query.ts'
import { ChartPanel } from '#ui/Chart/ChartPanel.tsx'
import { type ChartModel, type ChartSeries, isDrawn } from '#ui/Chart/model.ts'
import type { useDayOrRange } from '#ui/Chart/RangePicker.tsx'
import { isOneDay } from '#ui/Chart/shape.ts'
import { Figure, Margin } from '#ui/Figure.tsx'
import classes from './bid-requests.module.css'

const staleMs = 15 * 60_000

type Of = { market: string; instanceId?: string | undefined }

export const useSoldRisks = ({ market, instanceId }: Of) => {
  const query = { market, ...(instanceId ? { instanceId } : {}) }
  const read = useCall(findSoldRisks, { sent: { query }, refetchIntervalMs: 60_000 })
  useLiveAlerts(() => void read.refetch())
  return read
}

const windowsOf = (risks: SoldRisks['risks']): NonNullable<ChartModel['windows']> =>
  risks.reduce<NonNullable<ChartModel['windows']>>((spans, { start, end, state }) => {
    const [fromMs, toMs] = [Date.parse(start), Date.parse(end)]
    const words = state === 'short' ? t('At risk') : t('Unknown')
    const last = spans.at(-1)
    if (last?.words === words && last.toMs >= fromMs)
      return [...spans.slice(0, -1), { ...last, toMs: Math.max(last.toMs, toMs) }]
    return [...spans, { fromMs, toMs, words }]
  }, [])

const soldModel = (
  market: string,
  { slots }: Pick<SoldCapacity, 'slots'>,
  { span, nowMs, risks }: { span: Span; nowMs: number; risks: SoldRisks['risks'] },
): ChartModel => {
  const x = slots.map(({ start }) => Date.parse(start))
  const ends = slots.map(({ end }) => Date.parse(end))
  const products = [...new Set(slots.flatMap(({ sold }) => sold.map(({ product }) => product)))]
  const sold = products.map((product, i): ChartSeries => ({
    name: product === market ? t('Sold') : `${t('Sold')} ${product}`,
    unit: 'kW',
    kind: 'column',
    x,
    ends,
    colour: i === 0 ? 1 : 4,
    y: slots.map((slot) => slot.sold.find((one) => one.product === product)?.kw ?? 0),
  }))
  const available: ChartSeries = {
    name: t('Available kW'),
    unit: 'kW',
    kind: 'step',
    x,
    // The rest of the current slot has no measurements yet.
    ends: ends.map((end) => Math.min(end, nowMs)),
    colour: 5,
    y: slots.map(({ availableKw }, i) => ((x[i] ?? 0) < nowMs ? availableKw : null)),
  }
  const expected: ChartSeries = {
    name: t('Expected kW'),
    unit: 'kW',
    kind: 'step',
    x,
    ends,
    colour: 5,
    estimated: [{ fromMs: x[0] ?? span.fromMs, toMs: ends.at(-1) ?? span.toMs }],
    y: slots.map(({ expectedKw }) => expectedKw),
  }
  const isExpected = slots.some(({ expectedKw }) => expectedKw !== null)
  const shown = risks.filter(({ start, end }) => Date.parse(end) > span.fromMs && Date.parse(start) < span.toMs)
  return {
    series: [...sold, available, ...(isExpected ? [expected] : [])],
    span,
    unit: 'kW',
    decimals: 1,
    fromZero: true,
    windows: windowsOf(shown),
    nowMs,
    ...(isOneDay(span) ? { timeLabels: 'hour' as const } : {}),
  }
}

export const SoldNow = ({ market, instanceId, brief }: Of & { brief?: boolean }) => {
  const hasCapacity = isMarket(market)
  const one = useCall(powerCapacity, {
    sent: { query: { market, instanceId } },
    enabled: hasCapacity && instanceId !== undefined,
    refetchIntervalMs: minuteMs,
  })
  const all = useCall(powerCapacitySum, {
    sent: { query: { market } },
    enabled: hasCapacity && instanceId === undefined,
    refetchIntervalMs: minuteMs,
  })
  const data = instanceId === undefined ? all.data : one.data
  const lastMs = data?.lastReported ? Date.parse(data.lastReported) : null
  const isSilent = useAgeOver(() => lastMs, limits.edgeAliveMs) !== null
  if (!data || data.soldKw === null) return null
  const availableKw = isSilent ? null : (data.graph[0]?.y.findLast((value) => value !== null) ?? null)
  return (
    <>
      {!brief && <Figure label={t('Available now')} value={availableKw} decimals={1} unit="kW" />}
      <div className={brief ? undefined : classes.margin}>
        <Margin availableKw={availableKw} soldKw={data.soldKw} />
      </div>
    </>
  )
}

export type SoldPanelProps = Of & {
  date: string
  /** In place of the day. */
  range?: Pick<ReturnType<typeof useDayOrRange>, 'shared' | 'window' | 'words' | 'isRunning' | 'kept'>
  nowMs: number
  title: string
  height: number
  risks: SoldRisks['risks']
  note?: ReactNode
  /** Of the instance, where one is chosen. */
  annotations?: Pick<ReturnType<typeof useAnnotations>, 'marks' | 'legend' | 'renderMark' | 'action' | 'note'>
}

export const SoldPanel = ({
  market,
  instanceId,
  date,
  range,
  nowMs,
  title,
  height,
  risks,
  note,
  annotations,
}: SoldPanelProps) => {
  const query = { market, ...(range?.window ?? { date }), ...(instanceId ? { instanceId } : {}) }
  const read = useCall(soldCapacity, {
    sent: { query },
    refetchIntervalMs: 60_000,
    keepWhile: `${market} ${instanceId} ${range?.kept ?? date}`,
  })
  const { data } = read
  const { fromMs, toMs } = range?.shared.span ?? dayBounds(date)
  const marks = annotations?.marks
  const model = useMemo(
    () => data && { ...soldModel(market, data, { span: { fromMs, toMs }, nowMs, risks }), ...(marks ? { marks } : {}) },
    [data, market, fromMs, toMs, nowMs, risks, marks],
  )
  const isRunning = range?.isRunning ?? date === today(nowMs)
  const isSold = data?.slots.some(({ sold }) => sold.length > 0)
  const isEmpty = data?.slots.every(
    ({ sold, availableKw, expectedKw }) => sold.length === 0 && availableKw === null && expectedKw === null,
  )
  return (
    <ChartPanel
      simulatedInFoot
      help="soldCapacity"
      title={title}
      note={[market, instanceId ? '' : t('All instances'), range?.words ?? formatDate(date)]
        .filter(Boolean)
        .join(' · ')}
      height={height}
      figures={isRunning && <SoldNow market={market} instanceId={instanceId} />}
      legend={
        model && [
          ...model.series.filter(isDrawn).map(({ name, colour, kind, estimated }) => ({
            name,
            colour,
            line: kind !== 'column',
            dashed: estimated !== undefined,
          })),
          ...(annotations?.legend ?? []),
        ]
      }
      renderMark={annotations?.renderMark}
      actions={annotations?.action}
      query={read}
      model={model ?? null}
      failed={t('The sold capacity could not be loaded.')}
      empty={t('Nothing is sold')}
      hint={
        data?.slots.length === 0
          ? t('No bids can be placed in this market.')
          : t('Won bids are listed here when the results of the auction are published.')
      }
      footRight={data && !isSold && !isEmpty ? t('Nothing is sold') : (annotations?.note ?? note)}
      reported={{ staleAfterMs: staleMs }}
      onDownload={fileOf(soldCapacity, { query })}
    />
  )
}
