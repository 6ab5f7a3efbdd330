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
import { IconRosetteDiscountCheck } from '@tabler/icons-react'
import { type ReactNode, useMemo, useState } from 'react'
import * as column from '#ui/columns.tsx'
import { digits, percentOfShare } from '#lib/format.ts'
import { t } from '#lib/i18n.ts'
import type { ChartModel, ChartSeries, Gap } from '#ui/Chart/model.ts'
import { findGaps } from '#ui/Chart/shape.ts'
import { downloadCall, fileOf } from '#lib/download.ts'
import { useCall } from '#lib/query.ts'
import { ChartPanel } from '#ui/Chart/ChartPanel.tsx'
import { LocalZoom } from '#ui/Chart/LocalZoom.tsx'
import { type Columns, DataTable } from '#ui/DataTable.tsx'
import { Dialog } from '#ui/Dialog.tsx'
import { DownloadButton, ExportButton } from '#ui/ExportButton.tsx'
import { Figure, TextFigure } from '#ui/Figure.tsx'
import { DialogFoot, Note, Row, Stack, SubSection, Text } from '#ui/Layout.tsx'
import { Segments } from '#ui/Segments.tsx'
import classes from './events.module.css'
import { clockOf, Consumption, Direction, Remarks, Score } from './cells.tsx'
import { ScoreStrip } from './ScoreStrip.tsx'

export type EventLog = Data<typeof eventDataLog>
export type PowerView = 'delivery' | 'power'

/** Longest known time between two samples; a long activation has a point for several seconds. */
const knownGapMs = 5000
const pointsOfCurve = 1500

const gapsOf = ({ x, y }: Series, { fromMs, toMs }: Span): Gap[] => {
  const longestMs = Math.max(knownGapMs, (4 * (toMs - fromMs)) / pointsOfCurve)
  const ends = { x: [fromMs, ...x, toMs], y: [0, ...y, 0] }
  return findGaps(ends.x, ends.y, longestMs).map((gap) => ({
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

/** The trigger: the frequency with its activation threshold, or the set point. */
export const triggerModel = (log: EventLog): ChartModel => {
  const { trigger, activationFrom } = log
  return {
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

/** Required and delivered kW in the required direction, or the measured power. */
export const powerModel = (log: EventLog, view: PowerView): ChartModel => {
  if (view === 'power')
    return { ...common(log, log.power, t('Activation')), series: [{ ...log.power, colour: 1 }], decimals: 1 }
  const colours = new Map<string, Pick<ChartSeries, 'colour'>>([
    ['Required', { colour: 6 }],
    ['Delivered', { colour: 1 }],
  ])
  const both = common(log, log.power, t('Activation'))
  const isInside = (gap: Gap) => !both.gaps.some(({ fromMs, toMs }) => fromMs <= gap.toMs && toMs >= gap.fromMs)
  return {
    ...both,
    // Without the trigger the required power is unknown.
    gaps: [...both.gaps, ...common(log, log.trigger, '').gaps.filter(isInside)],
    // The limits are in the table of the chart only.
    series: log.delivery.map((one) => ({ ...one, ...(colours.get(one.name) ?? { colour: 4, drawn: false }) })),
    // A set point may be followed over minutes, so the shortfall counts from the least power.
    shortfall: { required: log.score?.method === 'set point' ? 'Least' : 'Required', delivered: 'Delivered' },
    decimals: 1,
    fromZero: true,
  }
}

/** Leaves a plot of 120 pixels between the axes. */
const phoneHeight = 176

const rereadMs = 5000

export const DataLog = ({ event, onClose }: { event: ActivationEvent | null; onClose: () => void }) => (
  <Dialog opened={event !== null} onClose={onClose} size={940} large title={t('Data Log')}>
    {event && <Log key={event._id} initial={event} onClose={onClose} />}
  </Dialog>
)

const emptyWords = ({ source }: ActivationEvent) =>
  source === 'edge'
    ? { empty: t('No telemetry'), hint: t('Reported by the edge, without measurements.') }
    : { empty: t('No measurements for this activation.') }

const Log = ({ initial, onClose }: { initial: ActivationEvent; onClose: () => void }) => {
  const [view, setView] = useState<PowerView>('delivery')
  const sent = { params: { id: initial._id }, query: {} }
  const query = useCall(eventDataLog, { sent, ...(initial.endTime === null ? { refetchIntervalMs: rereadMs } : {}) })
  const { data } = query
  const event = data?.event ?? initial
  const startMs = Date.parse(event.startTime)
  const trigger = useMemo(() => data && triggerModel(data), [data])
  const power = useMemo(() => data && powerModel(data, view), [data, view])
  const bySetPoint = data?.trigger.unit === '%'
  const common = {
    query,
    simulated: event.simulated,
    compact: true,
    failed: t('The data log could not be loaded.'),
    ...emptyWords(event),
  }
  return (
    <>
      <Row gap={16} rowGap={4} below={12}>
        <Note grow={200} size="small">
          {[event.instanceName, event.market, `${formatDateTime(startMs)} ${zoneLabel(startMs)}`].join(' · ')}{' '}
          <Remarks event={event} />
        </Note>
        <DownloadButton
          icon={<IconRosetteDiscountCheck size={16} stroke={1.8} />}
          disabled={event.endTime === null}
          onDownload={() => downloadCall(eventRecord, sent)}
        >
          {t('Flight record')}
        </DownloadButton>
        <ExportButton onExport={fileOf(eventExport, { ...sent, query: {} })} />
      </Row>
      <ScoreStrip event={event} score={data?.score ?? null} />
      <Row gap={32} rowGap={8} below={14} className={classes.facts}>
        <Fact label={t('Direction')} value={<Direction direction={event.direction} />} />
        <Figure label={t('Delta Load')} value={event.deltaLoad} decimals={1} unit="%" />
        <Figure label={t('Delivered')} value={event.processedDeltaLoad} decimals={1} unit="%" />
        {bySetPoint ? (
          <Figure label={t('Max Setpoint')} value={event.maxSetPoint} decimals={1} unit="%" />
        ) : (
          <Figure label={t('Max frequency')} value={event.maxFrequency} decimals={3} unit="Hz" />
        )}
        <Fact label={t('Duration')} value={clockOf(event.duration)} />
        <Fact label={t('Consumption (kWh)')} value={<Consumption {...event} />} />
      </Row>
      <LocalZoom span={trigger?.span ?? { fromMs: startMs, toMs: startMs }}>
        <Stack gap={12} flat>
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
            help="response"
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
        </Stack>
      </LocalZoom>
      {data && data.windows.length > 0 && <WindowTable windows={data.windows} />}
      <DialogFoot>
        {data && (
          <Note grow={200} ink="ink2" size="small">
            {t('Capacity {{kw}} kW, {{source}}', {
              kw: digits.kw(event.capacityKw),
              source: event.capacitySource === 'sold' ? t('as sold') : t('registered as flexible'),
            })}
          </Note>
        )}
        <Button variant="default" onClick={onClose}>
          {t('Close')}
        </Button>
      </DialogFoot>
    </>
  )
}

const Fact = ({ label, value }: { label: string; value: ReactNode }) => (
  <TextFigure short label={<Text ink="ink2">{label}</Text>} value={value} />
)

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
  column.figure('inside', t('Inside the band (%)'), ({ parts }) => percentOfShare(parts.insideShare)),
  column.number('slope', t('Slope'), ({ parts }) => parts.slope, { decimals: 2 }),
  column.number('bias', t('Bias (kWh)'), ({ parts }) => parts.biasKwh, { decimals: 2 }),
  column.figure('missing', t('Missing (%)'), ({ missingShare }) => percentOfShare(missingShare)),
]

/** FCR and FCR-N are judged by quarters of an hour. */
const WindowTable = ({ windows }: { windows: readonly DeliveryWindow[] }) => {
  const title = t('Quarters of an hour')
  return (
    <SubSection title={title} above={16} gap={4}>
      <DataTable label={title} dense rows={windows} rowKey={({ from }) => from} columns={useColumns()} />
    </SubSection>
  )
}
