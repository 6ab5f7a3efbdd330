import { atLocalTime, localDate } from '@gridmast/contract/time.ts'
import { findColumns } from '#platform/files/read-table.ts'

/** What files of the grid operator and of those who bid have in common: which column holds what, days and starts as people write them. */

/** The name of the column of each field that there is. */
type Columns<F extends string> = { [K in F]?: string | undefined }

/** What was given, else as in the last file where such columns are, else by their names. */
export const columnsFor = <F extends string>(
  names: readonly string[],
  headings: Record<F, readonly string[]>,
  { given, last }: { given: Columns<F> | undefined; last: Columns<F> },
): Columns<F> => {
  if (given) return given
  const guessed = findColumns(names, headings)
  const fields = Object.keys(headings) as F[] // the keys of `headings`
  const found = fields.flatMap((field): [F, string][] => {
    const before = last[field]
    const name = before !== undefined && names.includes(before) ? before : names[guessed[field]]
    return name === undefined ? [] : [[field, name]]
  })
  return Object.fromEntries(found) as Columns<F> // as above
}

/** `24.12.2026` as `2026-12-24`; what is no date stays as it is, to be refused. */
export const dateOf = (text: string): string => {
  const [, day = '', month = '', year = ''] = /^(\d{1,2})[./-](\d{1,2})[./-](20\d\d)$/.exec(text) ?? []
  return year === '' ? text : `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
}

/** `2026-11-21T09:00:00Z`, or a wall clock: of UTC, or of Berlin and then both passes of a repeated hour. Empty where it is no instant. */
export const startsOf = (text: string, isUtc: boolean): number[] => {
  if (/^20\d\d-\d\d-\d\d[T ]\d\d:\d\d.*(Z|[+-]\d\d:?\d\d)$/.test(text)) {
    const ms = Date.parse(text.replace(' ', 'T'))
    return Number.isNaN(ms) ? [] : [ms]
  }
  const [date = '', clock = '00:00'] = text.split(/[T ]/)
  const [day, time] = [dateOf(date), /^(\d{1,2}):(\d\d)(:00)?$/.exec(clock)]
  if (!localDate.safeParse(day).success || !time || Number(time[1]) > 23 || Number(time[2]) > 59) return []
  const at = `${time[1]?.padStart(2, '0')}:${time[2]}`
  if (isUtc) return [Date.parse(`${day}T${at}:00Z`)]
  return [...new Set([atLocalTime(day, at, 'start'), atLocalTime(day, at, 'end')])]
}
