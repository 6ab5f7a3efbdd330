import { limits } from '@gridmast/contract/limits.ts'
import { m } from '@gridmast/contract/messages.ts'
import { dayBounds, dayMs, instantOf, isSkipped, offsetMs, type Span, today } from '@gridmast/contract/time.ts'
import { invalid } from './errors.ts'

export type WindowQuery = { date?: string | undefined; start?: string | undefined; end?: string | undefined }

const bad = (field: string) => invalid({ [field]: m.instantOrTime })

/**
 * The requested span: a whole local day (`date`), a part of it, instants, or `otherwise`. Throws a 400 with the field for an invalid time, an
 * end not after the start, or a span longer than `mostDays` local days or days of 24 hours.
 */
export const readWindow = (
  query: WindowQuery,
  nowMs: number,
  otherwise: Span,
  mostDays: number = limits.exportDays,
): Span => {
  if (!query.date && !query.start && !query.end) return otherwise
  const date = query.date ?? today(nowMs)
  const day = dayBounds(date)
  const read = (field: 'start' | 'end', fallback: number) => {
    const text = query[field]
    if (!text) return fallback
    const instantMs = instantOf(text, date, field)
    if (instantMs === null) throw bad(field)
    return instantMs
  }
  const fromMs = read('start', day.fromMs)
  const toMs = read('end', query.date ? day.toMs : nowMs)
  if (toMs <= fromMs) {
    const skipped = (['start', 'end'] as const).find((field) => query[field] && isSkipped(query[field], date))
    throw invalid(skipped ? { [skipped]: m.skippedHour } : { end: m.afterStart })
  }
  const extraHourMs = Math.max(0, offsetMs(fromMs) - offsetMs(toMs)) // local days over the change in October
  if (toMs - fromMs > mostDays * dayMs + extraHourMs) throw invalid({ end: m.tooManyDays(mostDays) })
  return { fromMs, toMs }
}
