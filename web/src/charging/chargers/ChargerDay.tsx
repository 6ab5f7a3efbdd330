import { chargerOverview, type Charger } from '@gridmast/contract/charging/ev-charging.ts'
import type { Data } from '@gridmast/contract/call.ts'
import type { Series } from '@gridmast/contract/series.ts'
import { consumptionStep } from '@gridmast/contract/grid/capacity.ts'
import { limits } from '@gridmast/contract/limits.ts'
import {
  dayBounds,
  hourMs,
  type LocalDate,
  localDateOf,
  minuteMs,
  quarterMs,
  type Span,
  today,
} from '@gridmast/contract/time.ts'
import { isOneDay, valueAxis } from '#ui/Chart/shape.ts'
import type { ChartModel, PaletteIndex } from '#ui/Chart/model.ts'
import { useMemo } from 'react'
import { useNow } from '#lib/clock.ts'
import { fileOf } from '#lib/download.ts'
import { t, translateText } from '#lib/i18n.ts'
import { useCall } from '#lib/query.ts'
import { MarkedChart } from '#grid/annotations/MarkedChart.tsx'
import { ChartPanel } from '#ui/Chart/ChartPanel.tsx'
import { SharedRangeContext } from '#ui/Chart/shared-range.ts'
import { useDayOrRange } from '#ui/Chart/RangePicker.tsx'
import { DateField } from '#ui/date/DateField.tsx'
import { DaySteps } from '#ui/DaySteps.tsx'
import { Figure } from '#ui/Figure.tsx'
import { FilterRow } from '#ui/FilterRow.tsx'
import { Grid, Note } from '#ui/Layout.tsx'
import { Segments } from '#ui/Segments.tsx'

type Overview = Data<typeof chargerOverview>

/** A charger measures at least this often while a car is plugged in, and not between sessions. */
const maxGapMs = 16 * minuteMs

/** A gap between two sessions interrupts the line. */
const withGaps = ({ x, y, ...series }: Series, gapMs: number): Series => {
  const parts = x.flatMap((ms, i): [number, number | null][] => {
    const before = x[i - 1]
    const point: [number, number | null] = [ms, y[i] ?? null]
    return before !== undefined && ms - before > gapMs ? [[before + 1, null], point] : [point]
  })
  return { ...series, x: parts.map(([ms]) => ms), y: parts.map(([, value]) => value) }
}

const colours: readonly PaletteIndex[] = [1, 2, 4, 3]

type Window = { span: Span; isRunning: boolean }

/** In a long window a point covers many minutes, so a gap is several points. */
const gapOf = ({ fromMs, toMs }: Span) => Math.max(maxGapMs, (4 * (toMs - fromMs)) / limits.defaultPoints)

const powerModel = (
  { powerData }: Overview,
  { span, isRunning, limit }: Window & { limit: { name: string; kw: number } },
): ChartModel => ({
  span,
  unit: 'kW',
  decimals: 1,
  low: 0,
  // Room for the limit and its name.
  high: valueAxis([limit.kw * 1.05], { fromZero: true }).max,
  series: powerData.map((one, i) => ({
    ...withGaps(one, gapOf(span)),
    // The total first, then its phases.
    colour: colours[i] ?? 6,
    ...(one.kind === 'step' ? { slotMs: consumptionStep(span) === 'hour' ? quarterMs : hourMs } : {}),
  })),
  thresholds: [{ name: limit.name, value: limit.kw, plate: 'above' }],
  ...(isRunning ? { liveEnd: 'dot' } : {}),
})

const consumptionModel = ({ consumptionData }: Overview, span: Span): ChartModel => ({
  span,
  unit: 'kWh',
  decimals: 2,
  fromZero: true,
  series: consumptionData.map((one) => ({
    ...one,
    colour: 1,
    ...(consumptionStep(span) === 'day'
      ? { ends: one.x.map((ms) => dayBounds(localDateOf(ms)).toMs) }
      : { slotMs: hourMs }),
  })),
  ...(isOneDay(span) ? { timeLabels: 'hour' as const } : {}),
})

const socModel = ({ SocData }: Overview, { span, isRunning }: Window): ChartModel => ({
  span,
  unit: '%',
  decimals: 0,
  low: 0,
  high: 100,
  series: SocData.map((one) => ({ ...withGaps(one, gapOf(span)), colour: 3 })),
  ...(isRunning ? { liveEnd: 'dot' } : {}),
})

/** kWh of the window; null without a reading. */
const totalOf = ({ consumptionData }: Overview): number | null => {
  const values = (consumptionData[0]?.y ?? []).filter((one) => one !== null)
  return values.length === 0 ? null : values.reduce((sum, one) => sum + one, 0)
}

const rereadMs = 60_000

type Props = {
  charger: Charger
  connectorId: number
  date: LocalDate
  onConnector: (connectorId: number) => void
  onDate: (date: LocalDate) => void
}

/** A day of one connector: power, consumption and state of charge, each with its file. */
export const ChargerDay = ({ charger, connectorId, date, onConnector, onDate }: Props) => {
  const newestDay = today(useNow(60_000))
  const { shared, window, isRunning, words, kept, picker } = useDayOrRange(date, limits.chargerDays)
  const { fromMs, toMs } = shared.span
  const of = { chargerId: charger._id, connectorId, ...window }
  const query = useCall(chargerOverview, {
    sent: { query: of },
    keepWhile: `${charger._id} ${connectorId} ${kept}`,
    ...(isRunning ? { refetchIntervalMs: rereadMs } : {}),
  })
  const { data } = query
  const { maxKw } = charger.meta
  const models = useMemo(() => {
    const span = { fromMs, toMs }
    return (
      data && {
        power: powerModel(data, { span, isRunning, limit: { name: t('Limit'), kw: maxKw } }),
        consumption: consumptionModel(data, span),
        soc: socModel(data, { span, isRunning }),
      }
    )
  }, [data, fromMs, toMs, isRunning, maxKw])
  const common = {
    query,
    reported: {},
    failed: t('The data of this connector could not be loaded.'),
    empty: words ? t('No sessions in this period') : t('No sessions on this day'),
    hint: words ? t('Choose another period or connector.') : t('Choose another day or connector.'),
  }
  const save = (chart: 'power' | 'consumption' | 'soc') => fileOf(chargerOverview, { query: { ...of, chart } })
  return (
    <SharedRangeContext value={shared}>
      <FilterRow label={t('Connector and day')} onSubmit={() => {}}>
        {charger.connectors.length > 1 && (
          <Segments
            label={t('Connector')}
            value={String(connectorId)}
            onChange={(next) => onConnector(Number(next))}
            data={charger.connectors.map((one) => ({
              value: String(one.connectorId),
              label: t('Connector {{n}}', { n: one.connectorId }),
            }))}
          />
        )}
        <DaySteps value={date} max={newestDay} onChange={onDate}>
          <DateField label={t('Date')} value={date} max={newestDay} onChange={onDate} />
        </DaySteps>
        {picker}
      </FilterRow>
      <MarkedChart
        marked={{ kind: 'charger', _id: charger._id, name: charger.name }}
        span={shared.span}
        title={t('Power')}
        note={['(kW)', words].filter(Boolean).join(' ')}
        height={240}
        {...common}
        model={models?.power ?? null}
        legend={
          models &&
          models.power.series.length > 1 &&
          models.power.series.map(({ name, colour }) => ({ name: translateText(name), colour, line: true }))
        }
        footRight={
          data?.powerData.some(({ kind, y }) => kind === 'step' && y.some((kw) => kw !== null)) &&
          (consumptionStep(shared.span) === 'hour'
            ? t('From the energy register, by quarter of an hour')
            : t('From the energy register, by hour'))
        }
        onDownload={save('power')}
      />
      <Grid fit={340} gap={16}>
        <ChartPanel
          title={t('Consumption')}
          help="sessionEnergy"
          note="(kWh)"
          height={170}
          {...common}
          model={models?.consumption ?? null}
          figures={<Figure label={words ?? t('On this day')} value={data ? totalOf(data) : null} unit="kWh" />}
          onDownload={save('consumption')}
        />
        <ChartPanel
          title={t('State of charge')}
          note="(%)"
          height={170}
          {...common}
          model={models?.soc ?? null}
          figures={
            data?.SocData.length === 0 ? (
              <Note size="body" wholeLine>
                {t('Not reported')}
              </Note>
            ) : (
              <Figure
                label={t('Latest')}
                value={data?.SocData[0]?.y.findLast((one) => one !== null)}
                decimals={0}
                unit="%"
              />
            )
          }
          empty={t('Not reported')}
          hint={t('This charger does not report the state of charge.')}
          onDownload={save('soc')}
        />
      </Grid>
    </SharedRangeContext>
  )
}
