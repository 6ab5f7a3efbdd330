import {
  addDays,
  addMonths,
  atLocalTime,
  clockTimePattern,
  formatDate,
  localTime,
  monthBounds,
  localDateOf,
} from '@gridmast/contract/time.ts'
import type { Sentence } from '#i18n/da.ts'

const two = (text: string) => text.padStart(2, '0')

const real = (iso: string): string | null => {
  try {
    formatDate(iso)
    return iso
  } catch {
    return null // a day such as 31.02. does not exist
  }
}

/** `20.11.2026`, `20.11.26`, `20-11-2026` or `2026-11-20` as an ISO date; null for other text. */
export const parseDate = (typed: string): string | null => {
  const text = typed.trim()
  const iso = /^(20\d\d)-(\d\d)-(\d\d)$/.exec(text)
  if (iso) return real(text)
  const [, day, month, year] = /^(\d{1,2})[./-](\d{1,2})[./-]((?:20)?\d\d)$/.exec(text) ?? []
  if (!day || !month || !year) return null
  return real(`${year.length === 2 ? `20${year}` : year}-${two(month)}-${two(day)}`)
}

/** `11.2026` or `2026-11` as `2026-11`; null for other text. */
export const parseMonth = (typed: string): string | null => {
  const text = typed.trim()
  if (/^20\d\d-(0[1-9]|1[0-2])$/.test(text)) return text
  const [, month, year] = /^(\d{1,2})[./-](20\d\d)$/.exec(text) ?? []
  if (!month || !year || Number(month) < 1 || Number(month) > 12) return null
  return `${year}-${two(month)}`
}

export const formatMonth = (month: string): string => `${month.slice(5)}.${month.slice(0, 4)}`

export type DateRange = { start: string; end: string }
export type Preset = { name: Sentence; range: DateRange }

/** Counted from the local day. */
export const presets = (today: string): Preset[] => {
  const month = today.slice(0, 7)
  const last = addMonths(month, -1)
  const lastDay = localDateOf(monthBounds(last).toMs - 1)
  return [
    { name: 'Today', range: { start: today, end: today } },
    { name: 'Last 7 days', range: { start: addDays(today, -6), end: today } },
    { name: 'This month', range: { start: `${month}-01`, end: today } },
    { name: 'Last month', range: { start: `${last}-01`, end: lastDay } },
  ]
}

/** `8:05`, `08.05` or `0805` as `08:05`; null for other text. */
export const parseTime = (typed: string): string | null => {
  const [, hour, minute] = /^(\d{1,2})[:.]?(\d\d)$/.exec(typed.trim()) ?? []
  if (!hour || !minute) return null
  const time = `${two(hour)}:${minute}`
  return clockTimePattern.test(time) ? time : null
}

export const momentOf = (ms: number) => `${formatDate(ms)} ${localTime(ms)}`

/** `20.11.2026 10:00`; a day alone begins or ends with it. Null for other text. */
export const parseMoment = (typed: string, edge: 'start' | 'end'): number | null => {
  const [day = '', clock = edge === 'start' ? '00:00' : '24:00', ...more] = typed.trim().split(/\s+/)
  const [date, time] = [parseDate(day), parseTime(clock)]
  return date && time && more.length === 0 ? atLocalTime(date, time, edge) : null
}
