import { ratioOfDecimals } from '@gridmast/contract/numbers.ts'
import { formatDateTime, quarterMs } from '@gridmast/contract/time.ts'
import type { Customer } from '@gridmast/contract/people/user.ts'
import type { UseQueryResult } from '@tanstack/react-query'
import { IconInfoCircle } from '@tabler/icons-react'
import { type ReactNode, useMemo } from 'react'
import { useNow } from '#lib/clock.ts'
import { digits } from '#lib/format.ts'
import { t } from '#lib/i18n.ts'
import { ChartPanel, type LegendKeys } from '#ui/Chart/ChartPanel.tsx'
import { Figure, TextFigure } from '#ui/Figure.tsx'
import { Note, Row } from '#ui/Layout.tsx'
import { Segments } from '#ui/Segments.tsx'
import { StatusDot, Tag } from '#ui/Tag.tsx'
import { Amount } from './ReadingsTable.tsx'
import { comparedWords, coverageWords, isPriced, isWhole, leftOutWords, type Period, statusOf } from './meter-words.ts'
import { type MeterData, meterModel, type ChartQuantity } from './meter-model.ts'
import classes from './data-hub.module.css'

type Props = {
  /** The meter of the list, until its figures are loaded. */
  meter: MeterData['meter']
  query: UseQueryResult<MeterData>
  period: Period
  quantity: ChartQuantity
  onQuantity: (quantity: ChartQuantity) => void
  signals: Customer['powerCost']
  /** Price signal and tax of the figures: the meter's, or a preview's. */
  prices: { priceSignal: string | null; taxValue: number | string | null }
  banner?: ReactNode
  tools?: ReactNode
  onExplain: () => void
}

export const MeterChart = (props: Props) => {
  const { meter, query, period, quantity, onQuantity, signals, prices, banner, tools, onExplain } = props
  const { data } = query
  const nowMs = useNow(60_000)
  const model = useMemo(
    () => (data ? meterModel(data, { period, quantity, nowMs, words: { missing: t('No reading') } }) : null),
    [data, period, quantity, nowMs],
  )
  const totals = data?.totals
  const coverage = totals?.coverage
  const isPartial = coverage && coverage.intervals > 0 && coverage.read > 0 && !isWhole(coverage)
  const average =
    totals?.dkk && totals.kwh && coverage && isPriced(coverage)
      ? ratioOfDecimals(totals.dkk.total, totals.kwh, 3)
      : null
  const isCorrected = data?.versions?.some(({ change }) => change === 'corrected')
  const dkk = digits.dkk(totals?.dkk?.total)
  return (
    <ChartPanel
      title={meter.dataHub.name}
      help="meterCost"
      note={period.words}
      simulated={data?.sources.readings.simulated}
      badge={
        (isPartial || isCorrected || (coverage?.estimated ?? 0) > 0) && (
          <>
            {isPartial && <Tag kind="warn">{t('Incomplete')}</Tag>}
            {coverage && coverage.estimated > 0 && <Tag kind="warn">{t('Estimated')}</Tag>}
            {isCorrected && <Tag kind="outline">{t('Corrected later')}</Tag>}
          </>
        )
      }
      controls={
        <>
          {tools}
          <Segments
            label={t('Columns')}
            value={quantity}
            onChange={onQuantity}
            data={[
              { value: 'consumption', label: t('Consumption (kWh)') },
              { value: 'co2', label: t('Emission (kg CO₂)') },
            ]}
          />
        </>
      }
      figures={
        <>
          <Note size="body" wholeLine data-broad>
            {[meter.meteringPointId, meter.dataHub.address, meter.area, meter.gridCompany?.name]
              .filter(Boolean)
              .join(' · ')}
          </Note>
          <Figure label={t('Consumption')} value={totals?.kwh} decimals={1} unit="kWh" />
          <Figure
            label={
              <Amount label={t('How the cost is calculated: {{dkk}} DKK', { dkk })} onOpen={onExplain}>
                {t('Cost')} <IconInfoCircle size={12} stroke={1.8} aria-hidden />
              </Amount>
            }
            value={totals?.dkk?.total}
            unit="DKK"
          />
          <Figure label={t('Average price')} value={average} decimals={3} unit="DKK/kWh" />
          <Figure label={t('Emission')} value={totals?.kgCo2} decimals={1} unit="kg CO₂" />
          <TextFigure label={t('Price signal')} value={signals.find(({ _id }) => _id === prices.priceSignal)?.name} />
          <Figure label={t('Tax value')} value={prices.taxValue} decimals={0} unit="Kr/mwh" spare />
          {coverage &&
            leftOutWords(coverage).map((words) => (
              <Note key={words} ink="warn" size="body" wholeLine>
                {words}
              </Note>
            ))}
          {data?.before && totals && 'view' in period.sent && (
            <Note size="body" wholeLine className="gm-num">
              {comparedWords(totals, data.before, period.sent.view)}
            </Note>
          )}
        </>
      }
      legend={legendOf(model)}
      height={380}
      query={query}
      model={model}
      failed={t('The readings could not be loaded.')}
      banner={banner}
      empty={t('No readings in this period')}
      hint={t('Eloverblik delivers readings the next day, sometimes later.')}
      foot={<LastRead meter={meter} at={data ? data.lastRead : meter.lastRead} />}
      footRight={
        coverage && coverageWords(coverage, { isDay: period.by === 'day', resolution: resolutionOf(data, meter) })
      }
    />
  )
}

/** Resolution of the day on screen; a meter's resolution may change later. */
const resolutionOf = (data: MeterData | undefined, { resolution }: MeterData['meter']): 'quarter' | 'hour' => {
  const [first] = data?.readings ?? []
  if (!first) return resolution ?? 'hour'
  return Date.parse(first.to) - Date.parse(first.from) === quarterMs ? 'quarter' : 'hour'
}

const legendOf = (model: ReturnType<typeof meterModel> | null): LegendKeys => {
  const has = (name: string) => model?.series.some((series) => series.name === name && series.drawn !== false)
  return [
    has('Emission') && { name: t('Emission'), colour: 4 },
    has('Consumption') && { name: t('Consumption'), colour: 1 },
    has('Consumption before') && { name: t('Consumption before'), colour: 6, alpha: '66' },
    has('Average profile') && { name: t('Average profile'), colour: 6, alpha: '66' },
    has('Cost') && { name: t('Cost'), colour: 2, line: true },
  ]
}

const LastRead = ({ meter, at }: { meter: MeterData['meter']; at: string | null }) => {
  const status = statusOf({ ...meter, lastRead: at }, useNow(60_000))
  return (
    <Row as="span" inline gap={8}>
      <StatusDot status={status} />
      <span className="gm-num">
        {t('Last read:')} {at === null ? '–' : formatDateTime(Date.parse(at))}
      </span>
      <span className={classes.delivers}>{t('Eloverblik delivers the day after')}</span>
    </Row>
  )
}
