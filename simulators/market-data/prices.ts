import { slots } from '@gridmast/contract/slots.ts'
import { addDays, hourMs, type LocalDate } from '@gridmast/contract/time.ts'
import { bell, seedOf } from '../noise.ts'
import type { Price, Recorded, RecordedDay } from './recorded.ts'

export const areas = ['DE', 'DK1', 'DK2', 'NO2', 'SE3', 'SE4'] as const
const swedishNorth = ['SE1', 'SE2'] as const
export type Area = (typeof areas)[number] | (typeof swedishNorth)[number]

export type QuarterPrice = Price & { fromMs: number }

/** Areas without an open recording follow a recorded one: times a factor, plus noise of `noiseEur` per hour. */
const derived: Partial<Record<Area, { from: Area; factor: number; noiseEur: number }>> = {
  DE: { from: 'DK1', factor: 1.06, noiseEur: 6 },
  NO2: { from: 'DK1', factor: 0.9, noiseEur: 4 },
  SE1: { from: 'DK2', factor: 0.38, noiseEur: 3 },
  SE2: { from: 'DK2', factor: 0.4, noiseEur: 3 },
  SE3: { from: 'DK2', factor: 0.72, noiseEur: 4 },
  SE4: { from: 'DK2', factor: 0.95, noiseEur: 3 },
}

const dkkPerEur = 7.46038

/** The recorded day for a date: as few years earlier as possible, moved by whole weeks so that weekdays match. */
export const standIn = (
  recorded: Recorded,
  area: Area,
  date: LocalDate,
): { date: LocalDate; day: RecordedDay } | null => {
  for (let years = 0; years <= 60; years++) {
    const moved = addDays(date, -7 * Math.round((years * 365.2425) / 7))
    const day = recorded.get(area)?.get(moved)
    if (day) return { date: moved, day }
  }
  return null
}

/**
 * Labels under which a recorded day may have the price of a slot, best first. The repeated hour of a 25-hour day uses the single recorded hour twice;
 * a day of 24 hours recorded with 23 uses the hour before the skipped one.
 */
const labelsFor = (label: string): string[] => {
  const plain = label.replace(/[AB]/, '')
  const first = plain.includes('–') ? plain.replace('–', 'A–') : `${plain}A`
  return [label, plain, first, plain.replace(/^02/, '01').replace('–03', '–02')]
}

const priceAt = (day: RecordedDay, label: string): Price => {
  for (const one of labelsFor(label)) {
    const price = day.prices.get(one)
    if (price) return price
  }
  throw new Error(`no recorded price for ${label}`)
}

const round = (value: number, decimals: number) => Number(value.toFixed(decimals))

export const dayPrices = (recorded: Recorded, area: Area, date: LocalDate): QuarterPrice[] | null => {
  const rule = derived[area]
  if (rule) return dayPrices(recorded, rule.from, date)?.map((quarter) => follow(area, rule, quarter)) ?? null
  const found = standIn(recorded, area, date)
  if (!found) return null
  const hours = slots('hour', date)
  return slots('quarter', date).map(({ fromMs, label, index }) => ({
    fromMs,
    ...priceAt(found.day, found.day.kind === 'quarter' ? label : (hours[Math.floor(index / 4)]?.label ?? '')),
  }))
}

const follow = (area: Area, rule: { factor: number; noiseEur: number }, quarter: QuarterPrice): QuarterPrice => {
  const hour = Math.floor(quarter.fromMs / hourMs)
  const eur = round(quarter.eur * rule.factor + bell(seedOf(`price ${area}`), hour) * rule.noiseEur, 2)
  return { fromMs: quarter.fromMs, eur, dkk: round(eur * dkkPerEur, 6) }
}
