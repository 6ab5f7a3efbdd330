import type { RelativeRange } from '@gridmast/contract/choices.ts'
import { type Span, formatDate, localDateOf } from '@gridmast/contract/time.ts'
import { t } from '#lib/i18n.ts'
import { isRelative, parseInterval } from './range.ts'
import { clockLabel, endLabel } from './shape.ts'

export const relativeName = (range: RelativeRange): string =>
  ({
    '1h': t('Last hour'),
    '6h': t('Last 6 hours'),
    '24h': t('Last 24 hours'),
    '7d': t('Last 7 days'),
    '30d': t('Last 30 days'),
    month: t('This month'),
  })[range]

/** `20.11.2026 10:00–12:00`, over days `20.11.2026 10:00 – 21.11.2026 12:00`. */
export const spanWords = ({ fromMs, toMs }: Span): string => {
  const [from, to] = [localDateOf(fromMs), localDateOf(toMs - 1)]
  const start = `${formatDate(from)} ${clockLabel(fromMs)}`
  return from === to ? `${start}–${endLabel(toMs)}` : `${start} – ${formatDate(to)} ${endLabel(toMs)}`
}

export const rangeWords = (range: string): string => {
  if (isRelative(range)) return relativeName(range)
  const span = parseInterval(range)
  return span ? spanWords(span) : ''
}

export const momentWords = (fromMs: number, toMs: number | null): string =>
  toMs === null ? `${formatDate(fromMs)} ${clockLabel(fromMs)}` : spanWords({ fromMs, toMs })
