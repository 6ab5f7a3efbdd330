import { addDays, daysBetween, localDateOf, minuteMs, type LocalDate, type Span } from '@gridmast/contract/time.ts'
import { balancing } from './balancing.ts'
import type { Dataset, Row, Source } from './dataset.ts'
import { priceList } from './price-list.ts'
import { reserves } from './reserves.ts'
import { spot } from './spot.ts'

export const datasets: Dataset[] = [...spot, ...reserves, ...balancing, priceList]

const later = (a: LocalDate, b: LocalDate) => (a > b ? a : b)

export const rowsWithin = (
  dataset: Dataset,
  source: Source,
  span: Span,
  wanted: (area: string) => boolean,
  atMs: number,
): Row[] => {
  const [first, last] = dataset.days(atMs)
  const from = Number.isFinite(span.fromMs) ? later(first, localDateOf(span.fromMs)) : first
  const lastAsked = Number.isFinite(span.toMs) ? localDateOf(span.toMs - minuteMs) : last
  const to = lastAsked < last ? lastAsked : last
  const areas = dataset.areas?.filter(wanted) ?? ['']
  const rows: Row[] = []
  for (let back = 0; back <= daysBetween(from, to); back++) {
    const date = addDays(to, -back)
    const ofDay = areas.flatMap((area) => dataset.rows(source, area, date))
    rows.push(
      ...ofDay
        .filter((row) => {
          const rowMs = Date.parse(`${row[dataset.timeColumn]}Z`)
          return rowMs >= span.fromMs && rowMs < span.toMs && (dataset.isPublished?.(row, atMs) ?? true)
        })
        .toSorted((a, b) => compareCells(b[dataset.timeColumn], a[dataset.timeColumn])),
    )
  }
  return rows
}

export const compareCells = (a: Row[string] | undefined, b: Row[string] | undefined): number => {
  if (a === b) return 0
  if (a === null || a === undefined) return -1
  if (b === null || b === undefined) return 1
  return a < b ? -1 : 1
}
