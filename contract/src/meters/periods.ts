import { z } from 'zod'
import { consumptionStep } from '#grid/capacity.ts'
import { windowQuery } from '#grid/frequency.ts'
import { m } from '#messages.ts'
import { type Span, dayBounds, hourMs, localDate, localDateOf } from '#time.ts'

/** Columns of a range: hours, over more than 7 days local days. The span consists of complete columns. */
export const meterColumns = ({ fromMs, toMs }: Span): { by: 'hours' | 'days'; span: Span } => {
  const hours = { fromMs: Math.floor(fromMs / hourMs) * hourMs, toMs: Math.ceil(toMs / hourMs) * hourMs }
  if (consumptionStep({ fromMs, toMs }) === 'hour') return { by: 'hours', span: hours }
  return {
    by: 'days',
    span: { fromMs: dayBounds(localDateOf(fromMs)).fromMs, toMs: dayBounds(localDateOf(toMs - 1)).toMs },
  }
}

const view = z.enum(['day', 'month', 'year'])

/** Query of a day, month or year, or of a range in its place. */
export const period = {
  date: localDate.optional(),
  view: view.optional(),
  start: windowQuery.start,
  end: windowQuery.end,
}

type Query = { view?: unknown; compare?: unknown; start?: unknown; end?: unknown }
const isOnePeriod = ({ view, compare, start, end }: Query) =>
  (view === undefined && compare === undefined) || (start === undefined && end === undefined)
export const onePeriod: [typeof isOnePeriod, { path: string[]; error: string }] = [
  isOnePeriod,
  { path: ['start'], error: m.viewOrRange },
]
