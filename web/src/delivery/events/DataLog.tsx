import type { Data } from '@gridmast/contract/call.ts'
import {
  eventDataLog,
  type ActivationEvent,
  type DeliveryWindow,
  eventExport,
  eventRecord,
} from '@gridmast/contract/delivery/events.ts'
import type { Series } from '@gridmast/contract/series.ts'
import { type Span, formatDateTime, localTime, zoneLabel } from '@gridmast/contract/time.ts'
import { Button } from '@mantine/core'
import { formatNumber } from '@gridmast/contract/numbers.ts'
import { IconRosetteDiscountCheck } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import * as column from '#ui/columns.tsx'
import { t } from '#lib/i18n.ts'
import type { ChartModel, ChartSeries, Gap } from '#ui/Chart/model.ts'
import { findGaps } from '#ui/Chart/shape.ts'
import { downloadCall } from '#lib/download.ts'
import { useCall } from '#lib/query.ts'
import { ChartPanel } from '#ui/Chart/ChartPanel.tsx'
import { type Columns, DataTable } from '#ui/DataTable.tsx'
import { Dialog } from '#ui/Dialog.tsx'
import { DownloadButton, ExportButton } from '#ui/ExportButton.tsx'
import { Figure } from '#ui/Figure.tsx'
import { Segments } from '#ui/Segments.tsx'
import classes from './events.module.css'
import { clockOf, Consumption, Direction, Remarks, Score } from './cells.tsx'
import { ScoreStrip } from './ScoreStrip.tsx'

export type EventLog = Data<typeof eventDataLog>
export type PowerView = 'delivery' | 'power'

/** Two samples at most 5 s apart speak for the time between them; a long activation has a point for several seconds. */
const speaksMs = 5000
const pointsOfCurve = 1500

/** Where nothing is known of a curve, from one end of the chart to the other. */
const gapsOf = ({ x, y }: Series, { fromMs, toMs }: Span): Gap[] => {
  const most = Math.max(speaksMs, (4 * (toMs - fromMs)) / pointsOfCurve)
  const ends = { x: [fromMs, ...x, toMs], y: [0, ...y, 0] }
  return findGaps(ends.x, ends.y, most).map((gap) => ({
    ...gap,
    words: t('No telemetry {{n}} s', { n: Math.round((gap.toMs - gap.fromMs) / 1000) }),
  }))
}

const spanOf = ({ event, trigger, power }: EventLog): Span => {
  const [start, end] = [event.startTime, event.endTime ?? event.startTime].map((text) => Date.parse(text))
  const ends = [trigger, power].flatMap(({ x }) => [x[0], x.at(-1)]).filter((ms) => ms !== undefined)
  return { fromMs: Math.min(start ?? 0, ...ends), toMs: Math.max((end ?? 0) + 1000, ...ends) }
}

const common = (log: EventLog, series: Series, words: string) => {
  const span = spanOf(log)
  const { startTime, endTime } = log.event
  const from = Date.parse(startTime)
  return {
    span,
    windows: [{ fromMs: from, toMs: endTime ? Date.parse(endTime) : span.toMs, words }],
    gaps: gapsOf(series, span),
    unit: series.unit,
  }
}

/** What called: the frequency with the line from which it calls, or the set point. */
export const triggerModel = (log: EventLog): ChartModel => {
  const { trigger, activationFrom } = log
  return {
    // Where a line is named so already, the span needs no name.
    ...common(log, trigger, activationFrom === null ? t('Activation') : ''),
    series: [{ ...trigger, colour: 1 }],
    decimals: trigger.unit === 'Hz' ? 3 : 1,
    fromZero: trigger.unit !== 'Hz',
    thresholds:
      activationFrom === null
        ? []
        : [{ name: t('Activation'), value: activationFrom, plate: activationFrom < 50 ? 'above' : 'below' }],
  }
}

/** Required against delivered, in kW of the direction asked for; or the power as it was measured. */
export const powerModel = (log: EventLog, view: PowerView): ChartModel => {
  if (view === 'power')
    return { ...common(log, log.power, t('Activation')), series: [{ ...log.power, colour: 1 }], decimals: 1 }
  const known = new Map<string, Pick<ChartSeries, 'colour'>>([
    ['Required', { colour: 6 }],
    ['Delivered', { colour: 1 }],
  ])
  const both = common(log, log.power, t('Activation'))
  const isInside = (gap: Gap) => !both.gaps.some(({ fromMs, toMs }) => fromMs <= gap.toMs && toMs >= gap.fromMs)
  return {
    ...both,
    // Without what called nothing is known of what was required.
    gaps: [...both.gaps, ...common(log, log.trigger, '').gaps.filter(isInside)],
    // What may be too little or too much is a matter of the table.
    series: log.delivery.map((one) => ({ ...one, ...(known.get(one.name) ?? { colour: 4, drawn: false }) })),
    // A set point is followed over minutes: nothing is missing before it was due.
    shortfall: { required: log.score?.method === 'set point' ? 'Least' : 'Required', delivered: 'Delivered' },
    decimals: 1,
    fromZero: true,
  }
}

/** Leaves a plot of 120 pixels between the axes. */
const phoneHeight = 176

/** A running one goes on. */
const rereadMs = 5000

/** One activation second by second: what called, what was required, what was delivered, and how that is judged. */
export const DataLog = ({ event, onClose }: { event: ActivationEvent | null; onClose: () => void }) => (
  <Dialog opened={event !== null} onClose={onClose} size={940} large title={t('Data Log')}>
    {event && <Log key={event._id} listed={event} onClose={onClose} />}
  </Dialog>
)

const emptyWords = ({ source }: ActivationEvent) =>
  source === 'edge'
    ? { empty: t('No telemetry'), hint: t('The edge reported it, but nothing was measured.') }
    : { empty: t('Nothing was measured.') }

const Log = ({ listed, onClose }: { listed: ActivationEvent; onClose: () => void }) => {
  const [view, setView] = useState<PowerView>('delivery')
  const sent = { params: { id: listed._id }, query: {} }
  const read = useCall(eventDataLog, { sent, ...(listed.endTime === null ? { refetchIntervalMs: rereadMs } : {}) })
  const { data } = read
  const event = data?.event ?? listed
  const startMs = Date.parse(event.startTime)
  const trigger = useMemo(() => data && triggerModel(data), [data])
  const power = useMemo(() => data && powerModel(data, view), [data, view])
  const bySetPoint = data?.trigger.unit === '%'
  const common = {
    query: read,
    simulated: event.simulated,
    compact: true,
    failed: t('The data log could not be loaded.'),
    ...emptyWords(event),
  }
  return (
    <>
      <div className={classes.logHead}>
        <p>
          {[event.instanceName, event.market, `${formatDateTime(startMs)} ${zoneLabel(startMs)}`].join(' · ')}{' '}
          <Remarks event={event} />
        </p>
        <DownloadButton
          icon={<IconRosetteDiscountCheck size={16} stroke={1.8} />}
          disabled={event.endTime === null}
          onDownload={() => downloadCall(eventRecord, sent, `Flight record ${event.market} ${event._id}.jsonl`)}
        >
          {t('Flight record')}
        </DownloadButton>
        <ExportButton
          onExport={(format) =>
            downloadCall(
              eventExport,
              { ...sent, query: { format } },
              `${event.market} ${event.instanceName} ${formatDateTime(startMs)}.${format}`,
            )
          }
        />
      </div>
      <ScoreStrip event={event} score={data?.score ?? null} />
      <div className={classes.facts}>
        <span>
          {t('Direction')}
          <b>
            <Direction direction={event.direction} />
          </b>
        </span>
        <Figure label={t('Delta Load')} value={event.deltaLoad} decimals={1} unit="%" />
        <Figure label={t('Delivered')} value={event.processedDeltaLoad} decimals={1} unit="%" />
        {bySetPoint ? (
          <Figure label={t('Max Setpoint')} value={event.maxSetPoint} decimals={1} unit="%" />
        ) : (
          <Figure label={t('Max frequency')} value={event.maxFrequency} decimals={3} unit="Hz" />
        )}
        <span>
          {t('Duration')}
          <b className="gm-num">{clockOf(event.duration)}</b>
        </span>
        <span>
          {t('Consumption (kWh)')}
          <b className="gm-num">
            <Consumption {...event} />
          </b>
        </span>
      </div>
      <div className={classes.charts}>
        <ChartPanel
          {...common}
          title={bySetPoint ? t('Set Point') : t('Frequency')}
          note={bySetPoint ? '(%)' : '(Hz)'}
          height={140}
          phoneHeight={phoneHeight}
          model={trigger ?? null}
        />
        <ChartPanel
          {...common}
          title={view === 'delivery' ? t('Required and delivered') : t('Power')}
          note="(kW)"
          controls={
            <Segments
              label={t('View')}
              value={view}
              onChange={setView}
              data={[
                { value: 'delivery', label: t('Required and delivered') },
                { value: 'power', label: t('Measured power') },
              ]}
            />
          }
          legend={
            view === 'delivery' && [
              { name: t('Required'), colour: 6, line: true, dashed: true },
              { name: t('Delivered'), colour: 1, line: true },
              { name: t('Shortfall'), colour: 2, alpha: '47' },
            ]
          }
          height={165}
          phoneHeight={phoneHeight}
          model={power ?? null}
        />
      </div>
      {data && data.windows.length > 0 && <WindowTable windows={data.windows} />}
      <div className={classes.dialogFoot}>
        {data && (
          <p>
            {t('Capacity {{kw}} kW, {{source}}', {
              kw: formatNumber(event.capacityKw, { decimals: 1 }),
              source: event.capacitySource === 'sold' ? t('as sold') : t('registered as flexible'),
            })}
          </p>
        )}
        <Button variant="default" onClick={onClose}>
          {t('Close')}
        </Button>
      </div>
    </>
  )
}

const percent = (share: number | null) => formatNumber(share === null ? null : share * 100, { decimals: 1 })

const useColumns = (): Columns<DeliveryWindow> => [
  column.text(
    'time',
    t('Time (CET/CEST)'),
    ({ from, to }) => `${localTime(Date.parse(from))}–${localTime(Date.parse(to))}`,
    { card: 'lead' },
  ),
  column.cell(
    'score',
    t('Score'),
    ({ score, verdict, parts }) => <Score score={score} verdict={verdict} slope={parts.slope} />,
    { card: 'corner' },
  ),
  column.figure('inside', t('Inside the band (%)'), ({ parts }) => percent(parts.insideShare)),
  column.number('slope', t('Slope'), ({ parts }) => parts.slope, { decimals: 2 }),
  column.number('bias', t('Bias (kWh)'), ({ parts }) => parts.biasKwh, { decimals: 2 }),
  column.figure('missing', t('Missing (%)'), ({ missingShare }) => percent(missingShare)),
]

/** FCR and FCR-N are judged by quarters of an hour. */
const WindowTable = ({ windows }: { windows: readonly DeliveryWindow[] }) => {
  const title = t('Quarters of an hour')
  return (
    <section className={classes.windows} aria-label={title}>
      <h3>{title}</h3>
      <DataTable label={title} dense rows={windows} rowKey={({ from }) => from} columns={useColumns()} />
    </section>
  )
}
