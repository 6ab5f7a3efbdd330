import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { slots, type SlotKind } from '@gridmast/contract/slots.ts'
import { addDays, dayMs, type LocalDate } from '@gridmast/contract/time.ts'

export type Cells = ReadonlyMap<string, number | null>

export type RecordedDays = ReadonlyMap<LocalDate, readonly Cells[]>

const files = {
  fcrDk2: 'eds_fcrreservesdk2_FCR-N_FCR-D_hourly_DK2_2021-01-01_2021-08-31',
  mfrrDk1: 'eds_mFRR_capacity_hourly_DK1_2021-01-01_2021-08-31',
  mfrrDk2: 'eds_mFRR_capacity_hourly_DK2_2021-01-01_2021-08-31',
  ffr: 'eds_ffrpurchaseddk2_FFR_hourly_DK2_2021-12-31_2022-05-02',
  afrrDk2: 'eds_AfrrReservesNordic_hourly_DK2_2024-10-03_2024-10-23',
  balancingDk1: 'eds_realtimemarket_imbalance_hourly_DK1_2021-01-01_2021-08-31',
  balancingDk2: 'eds_realtimemarket_imbalance_hourly_DK2_2021-01-01_2021-08-31',
  co2Dk1: 'eds_CO2EmisProg_5min_DK1_DK2_2019-11-14',
  co2Dk2: 'eds_CO2EmisProg_5min_DK1_DK2_2019-11-14',
} as const

export type RecordedSet = keyof typeof files
export type RecordedHours = Readonly<Record<RecordedSet, RecordedDays>>

const areaOf: Partial<Record<RecordedSet, string>> = { co2Dk1: 'DK1', co2Dk2: 'DK2' }

const readDays = (path: string, area: string | undefined): RecordedDays => {
  const text = gunzipSync(readFileSync(path)).toString('utf8').replace('\ufeff', '').trim()
  const [head = '', ...rest] = text.split(/\r?\n/)
  const separator = head.includes(';') ? ';' : ','
  const columns = head.split(separator)
  const areaAt = columns.indexOf('PriceArea')
  const lines = rest
    .map((line) => line.split(separator))
    .filter((cells) => area === undefined || cells[areaAt] === area)
    .toSorted((a, b) => ((a[0] ?? '') < (b[0] ?? '') ? -1 : 1))
  const byDate = Map.groupBy(lines, (cells) => (cells[1] ?? '').slice(0, 10))
  return new Map(
    [...byDate].map(([date, ofDay]) => [
      date,
      ofDay.map((cells) => new Map(columns.map((column, i) => [column, numberOf(cells[i] ?? '')]))),
    ]),
  )
}

const numberOf = (cell: string): number | null => {
  const number = Number(cell.replace(',', '.'))
  return cell === '' || Number.isNaN(number) ? null : number
}

export const readRecordedHours = (folder: string): RecordedHours => {
  const sets = Object.entries(files) as [RecordedSet, string][] // Object.entries loses what the keys of a literal are
  return Object.fromEntries(
    sets.map(([set, file]) => [set, readDays(join(folder, `${file}.csv.gz`), areaOf[set])]),
  ) as RecordedHours // one entry for each key of `files`
}

/** The recorded day for a date, moved by whole weeks: the same season where recorded, else half a year off, else any day of that weekday. */
export const standInDay = (days: RecordedDays, date: LocalDate): readonly Cells[] | null => {
  for (const offWeeks of [0, 26])
    for (let years = 0; years <= 20; years++) {
      const found = days.get(addDays(date, -7 * (Math.round((years * 365.2425) / 7) + offWeeks)))
      if (found) return found
    }
  const weeks = [...days.keys()]
  const [first] = weeks
  if (first === undefined) return null
  const period = Math.floor(weeks.length / 7) * 7 || weeks.length
  const since = Math.round((Date.parse(date) - Date.parse(first)) / dayMs)
  return days.get(weeks[((since % period) + period) % period] ?? '') ?? null
}

export type Interval = { fromMs: number; index: number; cells: Cells | null }

export const intervals = (
  days: RecordedDays,
  kind: Extract<SlotKind, 'hour' | 'quarter'>,
  date: LocalDate,
): Interval[] => {
  const lines = standInDay(days, date)
  const perLine = kind === 'hour' ? 1 : 4
  return slots(kind, date).map(({ fromMs, index }) => ({
    fromMs,
    index,
    cells: lines?.[Math.min(Math.floor(index / perLine), lines.length - 1)] ?? null,
  }))
}
