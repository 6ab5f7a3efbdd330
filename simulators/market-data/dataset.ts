import { addDays, type LocalDate, localDateOf, offsetMs } from '@gridmast/contract/time.ts'
import { bell, seedOf } from '../noise.ts'
import { readRecorded, type Recorded } from './recorded.ts'
import { readRecordedHours, type RecordedHours } from './recorded-hours.ts'

export type Row = Record<string, string | number | null>

type Column = { dbColumn: string; dataType: 'datetime' | 'string' | 'number'; unit: string; displayName: string }

export type Source = { prices: Recorded; hours: RecordedHours }

export type Dataset = {
  name: string
  title: string
  resolution: string
  timeColumn: string
  areas: readonly string[] | null
  columns: Column[]
  /** First and last local day that exist at an instant; a fault that delays publication moves the instant back. */
  days: (atMs: number) => [first: LocalDate, last: LocalDate]
  rows: (source: Source, area: string, date: LocalDate) => Row[]
  isPublished?: (row: Row, atMs: number) => boolean
}

export const historyDays = 400
const dkkPerEur = 7.46038

export const stamp = (ms: number) => new Date(ms).toISOString().slice(0, 19)
export const localStamp = (ms: number) => stamp(ms + offsetMs(ms))
export const round = (value: number, decimals: number) => Number(value.toFixed(decimals))
export const inDkk = (eur: number | null) => (eur === null ? null : round(eur * dkkPerEur, 6))

export const columns = (...names: string[]): Column[] =>
  names.map((text) => {
    const [dbColumn = '', unit = ''] = text.split(':')
    const isTime = /(UTC|DK|From|To)$/.test(dbColumn) && unit === ''
    const dataType = isTime ? 'datetime' : unit === '' ? 'string' : 'number'
    return { dbColumn, dataType, unit, displayName: dbColumn }
  })

export const noiseAt = (series: string, fromMs: number, stepMs: number) =>
  bell(seedOf(series), Math.floor(fromMs / stepMs))

export const until =
  (lastDay: (atMs: number) => LocalDate) =>
  (atMs: number): [LocalDate, LocalDate] => {
    const last = lastDay(atMs)
    return [addDays(last, -historyDays), last]
  }

export const todayAt = (atMs: number): LocalDate => localDateOf(atMs)

export const readSource = (folder: string): Source => ({
  prices: readRecorded(folder),
  hours: readRecordedHours(folder),
})
