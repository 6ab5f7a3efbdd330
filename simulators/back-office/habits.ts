import { addDays, dayMs, type LocalDate } from '@gridmast/contract/time.ts'

/** Weekly bids of Nordhavn; simulators/world.md describes the available capacity of its equipment. */
export type Habit = {
  /** Key of the provisioning file, and the name in the portal. */
  instance: string
  name: string
  area: string
  market: string
  mw: readonly number[]
  /** Of the mean price of the week before. */
  share: number
  minEur?: number
  excluded: (monday: LocalDate) => { date: LocalDate; reason: string }[]
  note: string
}

const hours = (mw: (hour: number) => number) => Array.from({ length: 24 }, (_, hour) => mw(hour))
const between = (hour: number, from: number, to: number) => hour >= from && hour < to
const none = () => []

const service: Habit['excluded'] = (monday) => {
  const wednesday = addDays(monday, 2)
  const week = Math.round(Date.parse(monday) / (7 * dayMs))
  return week % 8 === 0 ? [{ date: wednesday, reason: 'Serviceeftersyn' }] : []
}
const daysOff =
  (reason: string, first: number): Habit['excluded'] =>
  (monday) =>
    Array.from({ length: 8 - first }, (_, i) => ({ date: addDays(monday, first - 1 + i), reason }))

/**
 * Equipment sells all of its flexible power, so that a past without sold capacity is scored by the same capacity. The charging park sells the
 * hour before the vans return, and its Saturday, when most of them are away: so some sold capacity is nearly always at risk.
 */
export const habits: readonly Habit[] = [
  {
    instance: 'koel-1',
    name: 'Nordhavn Køl 1',
    area: 'DK2',
    market: 'FCR-D-INC',
    share: 0.7,
    excluded: service,
    mw: hours(() => 0.4),
    note: 'Køl 1: 0,4 MW hele døgnet',
  },
  {
    instance: 'ladepark',
    name: 'Nordhavn Ladepark',
    area: 'DK2',
    market: 'FCR-D-INC',
    share: 0.6,
    excluded: daysOff('Ingen varebiler', 7),
    mw: hours((hour) => (between(hour, 5, 15) ? 0 : 0.1)),
    note: 'Varebilerne lader fra eftermiddagen og natten over',
  },
  {
    instance: 'koel-2',
    name: 'Nordhavn Køl 2',
    area: 'DK2',
    market: 'FCR-D-DEC',
    share: 0.7,
    excluded: service,
    // Its on/off plan needs hours in which it may run at full power.
    mw: hours((hour) => (between(hour, 8, 16) ? 0 : 0.3)),
    note: 'Køl 2: uden for dagtimerne, hvor varer køles ind',
  },
  {
    instance: 'batteri',
    name: 'Nordhavn Batteri',
    area: 'DK2',
    market: 'FFR',
    share: 0.8,
    minEur: 2,
    excluded: none,
    mw: hours((hour) => (between(hour, 0, 7) ? 1 : 0)),
    note: 'Batteriet om natten: FFR købes mest fra maj til september',
  },
  {
    instance: 'batteri',
    name: 'Nordhavn Batteri',
    area: 'DK2',
    market: 'FCR-D-INC',
    share: 0.6,
    excluded: none,
    mw: hours((hour) => (between(hour, 7, 24) ? 1 : 0)),
    note: 'Hele batteriet, når det ikke står til FFR',
  },
  {
    instance: 'fryselager',
    name: 'Esbjerg Fryselager',
    area: 'DK1',
    market: 'FCR',
    share: 0.8,
    excluded: none,
    mw: [0.6, 0.6, 0.6, 0.6, 0.6, 0.6],
    note: 'Fryselageret: alle blokke',
  },
  {
    instance: 'varmepumpe',
    name: 'Esbjerg Varmepumpe',
    area: 'DK1',
    market: 'aFRR',
    share: 0.7,
    excluded: daysOff('Bygningen er lukket', 6),
    mw: hours(() => 0.2),
    note: 'Varmepumpe og elkedel på hverdage',
  },
]
