import { addDays, weekday, type LocalDate } from '@gridmast/contract/time.ts'

/** How the people of the demo's company bid, week by week (simulators/world.md says what their equipment has ready). */
export type Habit = {
  instance: string
  market: string
  mw: readonly number[]
  /** Of the mean price of the week before: what they ask for, and never less than `leastEur`. */
  share: number
  leastEur?: number
  excluded: (monday: LocalDate) => { date: LocalDate; reason: string }[]
  note: string
}

const hours = (mw: (hour: number) => number) => Array.from({ length: 24 }, (_, hour) => mw(hour))
const between = (hour: number, from: number, to: number) => hour >= from && hour < to
const none = () => []

/** Every eighth week, a Wednesday. */
const service: Habit['excluded'] = (monday) => {
  const wednesday = addDays(monday, 2)
  const week = Math.round(Date.parse(monday) / (7 * 86_400_000))
  return week % 8 === 0 ? [{ date: wednesday, reason: 'Serviceeftersyn' }] : []
}
const daysOff =
  (reason: string, first: number): Habit['excluded'] =>
  (monday) =>
    Array.from({ length: 8 - first }, (_, i) => ({ date: addDays(monday, first - 1 + i), reason }))

/**
 * Most weeks go well. The charging park sells the hour before the vans come home, and its weekend, when most of them are away: so something
 * sold is nearly always at risk.
 */
export const habits: readonly Habit[] = [
  {
    instance: 'koel-1',
    market: 'FCR-D-INC',
    share: 0.9,
    excluded: service,
    mw: hours((hour) => (between(hour, 7, 19) ? 0.4 : 0.3)),
    note: 'Køl 1: 0,4 MW om dagen, 0,3 om natten',
  },
  {
    instance: 'ladepark',
    market: 'FCR-D-INC',
    share: 0.6,
    excluded: daysOff('Ingen varebiler', 7),
    mw: hours((hour) => (between(hour, 15, 21) ? 0.1 : 0)),
    note: 'Varebilerne lader fra eftermiddagen',
  },
  {
    instance: 'koel-2',
    market: 'FCR-D-DEC',
    share: 1,
    excluded: service,
    mw: hours((hour) => (between(hour, 8, 20) ? 0 : 0.1)),
    note: 'Kun når kompressorerne har plads op',
  },
  {
    instance: 'batteri',
    market: 'FFR',
    share: 0.8,
    leastEur: 2,
    excluded: none,
    mw: hours((hour) => (between(hour, 0, 7) ? 1 : 0)),
    note: 'Batteriet om natten: FFR købes mest fra maj til september',
  },
  {
    instance: 'batteri',
    market: 'FCR-D-INC',
    share: 0.8,
    excluded: none,
    mw: hours((hour) => (between(hour, 7, 24) ? 0.5 : 0)),
    note: 'Halvdelen af batteriet, når det ikke står til FFR',
  },
  {
    instance: 'fryselager',
    market: 'FCR',
    share: 0.95,
    excluded: none,
    mw: [0.3, 0.2, 0.1, 0.2, 0.2, 0.2],
    note: 'Blokke efter kølebehovet',
  },
  {
    instance: 'varmepumpe',
    market: 'aFRR',
    share: 0.7,
    excluded: daysOff('Bygningen er lukket', 6),
    mw: hours((hour) => (between(hour, 0, 4) || hour === 23 ? 0.1 : 0)),
    note: 'Nattetimer, når bygningen er tom',
  },
]

/** The Monday of a day's week. */
export const mondayOf = (day: LocalDate): LocalDate => addDays(day, 1 - weekday(day))
