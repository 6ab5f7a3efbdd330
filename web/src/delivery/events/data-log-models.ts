import type { Data } from '@gridmast/contract/call.ts'
import type { eventDataLog } from '@gridmast/contract/delivery/events.ts'
import type { Series } from '@gridmast/contract/series.ts'
import type { Span } from '@gridmast/contract/time.ts'
import { t } from '#lib/i18n.ts'
import type { ChartModel, ChartSeries, Gap } from '#ui/Chart/model.ts'
import { findGaps } from '#ui/Chart/shape.ts'

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
