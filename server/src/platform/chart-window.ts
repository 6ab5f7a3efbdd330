import { limits } from '@gridmast/contract/limits.ts'
import { dayBounds, instantOf, today, type Span } from '@gridmast/contract/time.ts'
import { invalid } from './errors.ts'

export type WindowQuery = { date?: string | undefined; start?: string | undefined; end?: string | undefined }

const bad = (field: string) =>
  invalid({ [field]: 'Must be an instant such as 2026-11-20T10:00:00Z, or a time such as 18:05' })

/**
 * The span that a chart call asks for: a whole local day (`date`), a part of it, instants, or `otherwise` when nothing is said.
 * Throws the 400 that names the field: not a time, end not after start, or longer than an export may be.
 */
export const readWindow = (query: WindowQuery, nowMs: number, otherwise: Span): Span => {
  if (!query.date && !query.start && !query.end) return otherwise
  const date = query.date ?? today(nowMs)
  const day = dayBounds(date)
  const read = (field: 'start' | 'end', fallback: number) => {
    const text = query[field]
    if (!text) return fallback
    const found = instantOf(text, date, field)
    if (found === null) throw bad(field)
    return found
  }
  const fromMs = read('start', day.fromMs)
  const toMs = read('end', query.date ? day.toMs : nowMs)
  if (toMs <= fromMs) throw invalid({ end: 'Must be after the start' })
  if (toMs - fromMs > limits.exportDays * 86_400_000) throw invalid({ end: `At most ${limits.exportDays} days` })
  return { fromMs, toMs }
}
