import {
  atLocalTime,
  dayBounds,
  dayMs,
  hourMs,
  localDateOf,
  localMonthOf,
  minuteMs,
  monthBounds,
  type Span,
} from '@gridmast/contract/time.ts'
import type { Dataset, Row } from './dataset.ts'
import { compareCells } from './datasets.ts'

export class BadRequest extends Error {}

export type Query = {
  span: Span
  filter: Map<string, Set<string>>
  filterText: string
  sort: { column: string; descending: boolean }[]
  columns: string[]
  /** 0: all. */
  limit: number
  offset: number
}

const relative =
  /^(now|utcnow|StartOfDay|StartOfMonth|StartOfYear)(?:([+\- ])P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?)?)?$/i

/** An instant of `start` or `end`: a date, a minute, or relative to now; Danish local time unless the query states UTC. */
const instant = (text: string, utc: boolean, nowMs: number): number => {
  const words = relative.exec(text)
  if (words) {
    const [, anchor = '', sign, days = '0', hours = '0', minutes = '0'] = words
    const length = Number(days) * dayMs + Number(hours) * hourMs + Number(minutes) * minuteMs
    return anchorMs(anchor.toLowerCase(), nowMs) + (sign === '-' ? -length : length) // '+' arrives as a space
  }
  const parts = /^(\d{4})(-\d\d)?(-\d\d)?(?:T(\d\d:\d\d)(?::\d\d)?)?$/.exec(text)
  if (!parts) throw new BadRequest(`not a date: ${text}`)
  const [, year, month = '-01', day = '-01', time = '00:00'] = parts
  try {
    if (!utc) return atLocalTime(`${year}${month}${day}`, time)
    const ms = Date.parse(`${year}${month}${day}T${time}:00Z`)
    if (Number.isNaN(ms)) throw new RangeError()
    return ms
  } catch {
    throw new BadRequest(`not a date: ${text}`)
  }
}

const anchorMs = (anchor: string, nowMs: number): number => {
  if (anchor === 'startofday') return dayBounds(localDateOf(nowMs)).fromMs
  if (anchor === 'startofmonth') return monthBounds(localMonthOf(nowMs)).fromMs
  if (anchor === 'startofyear') return dayBounds(`${localDateOf(nowMs).slice(0, 4)}-01-01`).fromMs
  return nowMs
}

const wholeNumber = (text: string | null, otherwise: number, name: string): number => {
  if (text === null) return otherwise
  if (!/^\d{1,9}$/.test(text)) throw new BadRequest(`${name} is not a whole number`)
  return Number(text)
}

/** Parameters of Energi Data Service: keys and column names in any case, a filter of lists or single values. */
export const readQuery = (params: URLSearchParams, dataset: Dataset, nowMs: number): Query => {
  const given = new Map([...params].map(([key, value]) => [key.toLowerCase(), value]))
  const get = (key: string) => given.get(key) ?? null
  const named = (name: string): string => {
    const found = dataset.columns.find((one) => one.dbColumn.toLowerCase() === name.trim().toLowerCase())
    if (!found) throw new BadRequest(`no column ${name}`)
    return found.dbColumn
  }
  const utc = get('timezone')?.toLowerCase() === 'utc'
  const [start, end] = [get('start'), get('end')]
  const filterText = get('filter') ?? ''
  return {
    span: {
      fromMs: start ? instant(start, utc, nowMs) : -Infinity,
      toMs: end ? instant(end, utc, nowMs) : Infinity,
    },
    filter: readFilter(filterText, named),
    filterText,
    sort: (get('sort') ?? '')
      .split(',')
      .filter(Boolean)
      .map((term) => {
        const [column = '', direction = 'asc'] = term.trim().split(/\s+/)
        return { column: named(column), descending: direction.toLowerCase() === 'desc' }
      }),
    columns: get('columns')?.split(',').map(named) ?? dataset.columns.map((one) => one.dbColumn),
    limit: wholeNumber(get('limit'), start || end ? 0 : 100, 'limit'),
    offset: wholeNumber(get('offset'), 0, 'offset'),
  }
}

const readFilter = (text: string, named: (name: string) => string): Query['filter'] => {
  if (!text) return new Map()
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch {
    throw new BadRequest('filter is not JSON')
  }
  if (typeof parsed !== 'object' || parsed === null) throw new BadRequest('filter is not an object')
  return new Map(
    Object.entries(parsed).map(([name, values]) => [
      named(name),
      new Set([values].flat().map((value) => String(value))),
    ]),
  )
}

export const answer = (rows: Row[], query: Query): { total: number; records: Row[] } => {
  const kept = rows.filter((row) => [...query.filter].every(([column, values]) => values.has(String(row[column]))))
  const sorted =
    query.sort.length === 0
      ? kept
      : kept.toSorted((a, b) => {
          for (const { column, descending } of query.sort) {
            const order = compareCells(a[column], b[column])
            if (order !== 0) return descending ? -order : order
          }
          return 0
        })
  const page = sorted.slice(query.offset, query.limit === 0 ? undefined : query.offset + query.limit)
  const all = page[0] && query.columns.length === Object.keys(page[0]).length
  const cut = (row: Row): Row => Object.fromEntries(query.columns.map((column) => [column, row[column] ?? null]))
  return { total: kept.length, records: all ? page : page.map(cut) }
}
