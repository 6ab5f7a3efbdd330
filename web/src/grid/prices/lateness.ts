import {
  type LocalDate,
  addDays,
  atLocalTime,
  formatDate,
  hourMs,
  localDateOf,
  minuteMs,
} from '@gridmast/contract/time.ts'
import { t } from '#lib/i18n.ts'

/** Prices of a day are published about 12:55 on the day before (SDAC publication, CET/CEST). */
export const publishedAt = '12:55'
const graceMs = 30 * minuteMs

/** A day's prices may be a day and a half old when it ends; older ones of a day that is not over mean a silent source. */
export const silentMs = 36 * hourMs

export const isLate = (date: LocalDate, nowMs: number): boolean =>
  nowMs > atLocalTime(addDays(date, -1), publishedAt) + graceMs

/** Why a day has no prices at all: not published yet, late, or past. */
export const missingWords = (date: LocalDate, nowMs: number): string => {
  if (date < localDateOf(nowMs)) return t('No prices for this day')
  const values = { date: formatDate(addDays(date, -1)), time: publishedAt }
  return isLate(date, nowMs)
    ? t('Late, expected {{date}} around {{time}}', values)
    : t('Not published yet, expected {{date}} around {{time}}', values)
}

/** Only days that are not over can be stale: the prices of a past day are final. */
export const canBeStale = (date: LocalDate, nowMs: number): boolean => date >= localDateOf(nowMs)
