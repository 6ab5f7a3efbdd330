import {
  dayBounds,
  hourMs,
  localTime,
  quarterMs,
  weekday,
  type LocalDate,
  addDays,
  atLocalTime,
} from '@gridmast/contract/time.ts'
import { bell, seedOf } from '../noise.ts'

/** Metering points of the demo's companies; area 000 of their ids does not exist, and a reading is a function of the meter and the quarter. */
export type Fault = 'hourly' | 'gap' | 'late' | 'corrected'

export type SimulatedMeter = {
  id: string
  cvr: string
  name: string
  street: string
  postcode: string
  city: string
  grid: { name: string; gln: string }
  /** Mean load in kW, and its share at night. */
  kw: number
  night: number
  fault?: Fault
}

/** 18 digits, the last one by GS1's modulus 10 with weights 3 1 3 1. */
const gsrn = (no: number): string => {
  const digits = `571313000${String(no).padStart(8, '0')}`
  const sum = Array.from(digits).reduce((all, digit, i) => all + Number(digit) * (i % 2 === 0 ? 3 : 1), 0)
  return `${digits}${(10 - (sum % 10)) % 10}`
}

const radius = { name: 'Radius Elnet A/S', gln: '5790000705689' }
const n1 = { name: 'N1 A/S', gln: '5790001089030' }

/** CVR numbers of the demo: valid check digits, from a range far from any assigned number. */
export const demoCvrs = {
  nordhavn: '99000007',
  nordhavnLogistics: '99000015',
  /** Has a power of attorney and is not added yet. */
  free: '99000023',
  /** Has no power of attorney. */
  refused: '99000031',
  vestkyst: '99000058',
} as const

type Given = [name: string, street: string, kw: number, night: number, fault?: Fault]

const at = (cvr: string, first: number, place: Pick<SimulatedMeter, 'postcode' | 'city' | 'grid'>, meters: Given[]) =>
  meters.map(([name, street, kw, night, fault], i): SimulatedMeter => ({
    id: gsrn(first + i),
    cvr,
    name,
    street,
    ...place,
    kw,
    night,
    ...(fault ? { fault } : {}),
  }))

const copenhagen = { postcode: '2150', city: 'Nordhavn', grid: radius }
const esbjerg = { postcode: '6700', city: 'Esbjerg', grid: n1 }
const hvideSande = { postcode: '6960', city: 'Hvide Sande', grid: n1 }

export const simulatedMeters: SimulatedMeter[] = [
  ...at(demoCvrs.nordhavn, 1, copenhagen, [
    ['Fryserum 1', 'Sundkrogsgade 11', 420, 0.92],
    ['Fryserum 2', 'Sundkrogsgade 13', 310, 0.9],
    ['Pakkehal', 'Sundkrogsgade 15', 95, 0.25],
    ['Isvandsanlæg', 'Sundkrogsgade 17', 160, 0.7, 'corrected'],
    ['Ladepark', 'Orientkaj 4', 70, 0.5],
    ['Kontor', 'Orientkaj 6', 24, 0.3, 'hourly'],
    ['Værksted', 'Orientkaj 8', 38, 0.2, 'gap'],
    ['Kantine', 'Orientkaj 10', 15, 0.15],
  ]),
  ...at(demoCvrs.nordhavnLogistics, 101, esbjerg, [
    ['Højlager', 'Dokvej 2', 600, 0.95],
    ['Varmepumpe', 'Dokvej 4', 180, 0.8],
    ['Kajbelysning', 'Dokvej 6', 12, 1.6, 'late'],
    ['Portvagt', 'Dokvej 8', 4, 0.6],
  ]),
  ...at(demoCvrs.free, 201, copenhagen, [
    ['Terminal', 'Færgehavnsvej 20', 55, 0.4],
    ['Kran', 'Færgehavnsvej 22', 130, 0.1],
  ]),
  ...at(demoCvrs.vestkyst, 301, hvideSande, [
    ['Fiskehal', 'Toldbodgade 1', 210, 0.6],
    ['Isværk', 'Toldbodgade 3', 140, 0.85],
    ['Auktionshal', 'Toldbodgade 5', 30, 0.2, 'hourly'],
  ]),
]

export const [laterMeter] = at(demoCvrs.nordhavn, 9, copenhagen, [['Fryserum 3', 'Sundkrogsgade 19', 120, 0.85]])

const shape = (hour: number, night: number, isWeekend: boolean): number => {
  const day = Math.max(0, Math.sin(((hour - 5) / 15) * Math.PI))
  return night + (1 - night) * day * (isWeekend ? 0.35 : 1)
}

const quarterWh = ({ id, kw, night }: SimulatedMeter, atMs: number): number => {
  const date = localDateOfQuarter(atMs)
  const load = kw * shape(Number(localTime(atMs).slice(0, 2)) + 0.5, night, weekday(date) > 5)
  const noise = 1 + 0.06 * bell(seedOf(id), Math.floor(atMs / quarterMs))
  return Math.max(0, Math.round(load * noise * 250))
}

let last: { fromMs: number; toMs: number; date: LocalDate } = { fromMs: 1, toMs: 0, date: '' }
const localDateOfQuarter = (atMs: number): LocalDate => {
  if (atMs < last.fromMs || atMs >= last.toMs) {
    const guess = new Date(atMs + hourMs).toISOString().slice(0, 10)
    const date = [guess, addDays(guess, 1)].find((one) => atMs < dayBounds(one).toMs) ?? guess
    last = { ...dayBounds(date), date }
  }
  return last.date
}

/** `quality` in the source's own codes. */
export type Reading = { wh: number | null; quality: 'A02' | 'A03' | 'A04' }

/** Publication of a day's readings: the next morning, five days later for the late meter. */
const readableMs = ({ fault }: SimulatedMeter, date: LocalDate): number =>
  atLocalTime(addDays(date, fault === 'late' ? 5 : 1), '06:00')

/** Two hours are missing on the 10th and the 20th of each month, and the following hour is an estimate. */
const gapAt = (date: LocalDate, atMs: number): Reading['quality'] => {
  if (!/-(10|20)$/.test(date)) return 'A04'
  const hour = Number(localTime(atMs).slice(0, 2))
  return hour === 8 || hour === 9 ? 'A02' : hour === 10 ? 'A03' : 'A04'
}

/** For the first four days a reading is an estimate, 8 % too low. */
const estimateDays = 4

/** Readings of a local day in the meter's own resolution; null before publication. `corrected`: a fault that doubles 10 to 11. */
export const readingsOf = (
  meter: SimulatedMeter,
  date: LocalDate,
  nowMs: number,
  corrected = false,
): { resolution: 'PT15M' | 'PT1H'; readings: Reading[] } | null => {
  if (nowMs < readableMs(meter, date)) return null
  const isHourly = meter.fault === 'hourly'
  const { fromMs, toMs } = dayBounds(date)
  const stepMs = isHourly ? hourMs : quarterMs
  const isEstimate = meter.fault === 'corrected' && nowMs < atLocalTime(addDays(date, estimateDays), '06:00')
  const readings = Array.from({ length: (toMs - fromMs) / stepMs }, (_, i): Reading => {
    const atMs = fromMs + i * stepMs
    const quality = meter.fault === 'gap' ? gapAt(date, atMs) : isEstimate ? 'A03' : 'A04'
    if (quality === 'A02') return { wh: null, quality }
    const quarters = Array.from({ length: stepMs / quarterMs }, (_, q) => quarterWh(meter, atMs + q * quarterMs))
    const wh = quarters.reduce((sum, one) => sum + one, 0)
    const doubled = corrected && localTime(atMs).startsWith('10') ? wh * 2 : wh
    return { wh: isEstimate ? Math.round(doubled * 0.92) : doubled, quality }
  })
  return { resolution: isHourly ? 'PT1H' : 'PT15M', readings }
}
