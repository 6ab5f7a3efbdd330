import type { Data } from '@gridmast/contract/call.ts'
import type { PriceSignal, PriceType } from '@gridmast/contract/grid/price-signals.ts'
import { pricing } from '@gridmast/contract/grid/prices.ts'
import { type Span, formatDate, localDateOf } from '@gridmast/contract/time.ts'
import { useMemo } from 'react'
import { t, translateText } from '#lib/i18n.ts'
import { useAgeOver, useNow } from '#lib/clock.ts'
import { fileOf } from '#lib/download.ts'
import { usePhone } from '#lib/phone.ts'
import { useCall } from '#lib/query.ts'
import { exchangeWords } from '#lib/format.ts'
import { ChartPanel } from '#ui/Chart/ChartPanel.tsx'
import type { ChartModel } from '#ui/Chart/model.ts'
import type { useDayOrRange } from '#ui/Chart/RangePicker.tsx'
import { isOneDay, slotLabel } from '#ui/Chart/shape.ts'
import { Figure } from '#ui/Figure.tsx'
import { Tag } from '#ui/Tag.tsx'
import { type PriceSlot, missingSpans, slotFigures, slotsOf } from './day-ahead.ts'
import { canBeStale, inBlocks, silentMs } from './price-figures.ts'

type Pricing = Data<typeof pricing>

type Props = { market: string; signal: PriceSignal; priceType: PriceType; range: ReturnType<typeof useDayOrRange> }

const numberOf = (decimal: string | null) => (decimal === null ? null : Number(decimal)) // drawn, never calculated with

/** The auction was published without demand: its zeros are no prices. */
const isNotBought = ({ prices }: Pick<Pricing, 'prices'>): boolean =>
  prices.length > 0 &&
  prices.every(({ price, volumeMw }) => Number(price) === 0 && volumeMw !== null && Number(volumeMw) === 0)

const pricingModel = (data: Pricing, span: Span, nowMs: number): ChartModel => {
  const { prices } = data
  const unit = translateText(data.unit)
  const column = {
    kind: 'column',
    colour: 1,
    x: prices.map(({ start_time }) => Date.parse(start_time)),
    ends: prices.map(({ end_time }) => Date.parse(end_time)),
  } as const
  const undrawn = (name: string, unit: string, y: (number | null)[]) =>
    y.some((value) => value !== null) ? [{ ...column, name, unit, drawn: false as const, y }] : []
  return {
    series: [
      {
        ...column,
        name: 'Price',
        unit,
        y: prices.map(({ price }) => (isNotBought(data) ? null : Number(price))),
      },
      ...undrawn(
        'Price in euro',
        'EUR/MW',
        prices.map(({ priceEur }) => numberOf(priceEur)),
      ),
      ...undrawn(
        'Volume',
        'MW',
        prices.map(({ volumeMw }) => numberOf(volumeMw)),
      ),
    ],
    span,
    unit,
    decimals: 2,
    extremes: true,
    gaps:
      prices.length === 0 || isNotBought(data)
        ? []
        : missingSpans(span, slotsOf(prices)).map((gap) => ({
            ...gap,
            words: [t('No price'), isOneDay(span) && slotLabel(gap.fromMs, gap.toMs)].filter(Boolean).join(' '),
          })),
    ...(!isNotBought(data) && nowMs >= span.fromMs && nowMs < span.toMs ? { nowMs } : {}),
  }
}

/** Published capacity prices of a local day or a range. */
export const PricingCard = ({ market, signal, priceType, range }: Props) => {
  const now = useNow(60_000)
  const phone = usePhone()
  const sent = { params: { id: signal._id }, query: { ...range.window, priceType } }
  const query = useCall(pricing, { sent, keepWhile: `${signal._id} ${priceType} ${range.kept}` })
  const { fromMs, toMs } = range.shared.span
  const data = useMemo(() => {
    if (!query.data) return undefined
    const prices = inBlocks(query.data, { fromMs, toMs })
    const isShown = ({ start_time, end_time }: (typeof prices)[number]) =>
      Date.parse(end_time) > fromMs && Date.parse(start_time) < toMs
    return { ...query.data, prices: prices.filter(isShown) }
  }, [query.data, fromMs, toMs])
  const reportedMs = data?.lastReported ? Date.parse(data.lastReported) : null
  const mayBeStale = canBeStale(localDateOf(toMs - 1), now)
  const age = useAgeOver(() => reportedMs, silentMs)
  const model = useMemo(() => (data ? pricingModel(data, { fromMs, toMs }, now) : null), [data, fromMs, toMs, now])
  const isDerived = data?.basis === 'derived'
  const hasNoDemand = data !== undefined && isNotBought(data)
  const figures = useMemo(() => (data && !isNotBought(data) ? slotFigures(slotsOf(data.prices)) : null), [data])
  const withSlot = (label: string, slot: PriceSlot | undefined) =>
    [
      label,
      slot && !isOneDay({ fromMs, toMs }) && formatDate(slot.fromMs).slice(0, 6),
      slot && slotLabel(slot.fromMs, slot.toMs).replace('–', '–\u2060'),
    ]
      .filter(Boolean)
      .join(' ')
  return (
    <ChartPanel
      title={t('{{market}} Pricing', { market })}
      help="reservePrice"
      note={`(DKK/MW) ${range.words ?? formatDate(range.first)}`}
      badge={
        <>
          <Tag>{signal.name}</Tag>
          {/* Its place is kept on a phone, so that the chart does not move when the prices arrive. */}
          {(phone || isDerived) && (
            <span style={{ visibility: isDerived ? undefined : 'hidden' }}>
              <Tag>{t('Converted from EUR')}</Tag>
            </span>
          )}
        </>
      }
      figures={
        <>
          <Figure label={t('Average')} value={figures?.average} />
          <Figure label={withSlot(t('Lowest'), figures?.lowest)} value={figures?.lowest.price} />
          <Figure label={withSlot(t('Highest'), figures?.highest)} value={figures?.highest.price} />
        </>
      }
      height={300}
      query={query}
      model={model}
      failed={t('Prices could not be loaded.')}
      empty={hasNoDemand ? t('{{market}} was not bought in this period', { market }) : t('No prices in this period')}
      hint={
        hasNoDemand
          ? t('The grid operator published no demand, so there is no price.')
          : t('Prices appear here when the auction is published.')
      }
      staleAge={mayBeStale ? age : null}
      reported={{ staleAfterMs: mayBeStale ? silentMs : undefined }}
      source={data?.source}
      footRight={data && exchangeWords(data.exchange)}
      onDownload={fileOf(pricing, sent)}
    />
  )
}
