import { detectDelimiter } from 'hucre'

const [lineFeed, carriageReturn, space, quote] = [10, 13, 32, 34]

const isLineEnd = (code: number) => code === lineFeed || code === carriageReturn

/** Length of the sample for delimiter detection, which reads ten lines; limits a file without line breaks. */
const sampleLength = 100_000

const delimiterOf = (text: string): string => {
  let from = 0
  while (isLineEnd(text.charCodeAt(from))) from++
  return detectDelimiter(text.slice(from, from + sampleLength))
}

const endOf = (text: string, delimiter: number): number => {
  let end = text.length
  for (; end > 0; end--) {
    const code = text.charCodeAt(end - 1)
    if (code !== delimiter && code !== space && !isLineEnd(code)) break
  }
  while (end > 0 && end < text.length && !isLineEnd(text.charCodeAt(end))) end++
  return end
}

/** Reading stops after `rows` + 1 rows; the extra row shows that the file has more. */
type CsvLimits = { rows: number; columns: number; cellLength: number }

/** Rows of a csv (RFC 4180), only as many cells as `limits` allows: hucre creates all of them, 6 s for 8 MB of line breaks (measured). */
export const readCsv = (text: string, limits: CsvLimits): { delimiter: string; rows: string[][] } => {
  const separator = delimiterOf(text)
  const delimiter = separator.charCodeAt(0)
  const end = endOf(text, delimiter)
  const rows: string[][] = []
  let row: string[] = []
  let at = 0
  const readQuoted = (): string => {
    const from = at + 1
    let close = text.indexOf('"', from)
    while (close >= 0 && text.charCodeAt(close + 1) === quote) close = text.indexOf('"', close + 2)
    if (close < 0) close = text.length
    at = Math.min(close + 1, end)
    return text.slice(from, Math.min(close, from + 2 * limits.cellLength)).replaceAll('""', '"')
  }
  while (at < end && rows.length <= limits.rows) {
    const quoted = text.charCodeAt(at) === quote ? readQuoted() : ''
    const from = at
    let code = text.charCodeAt(at)
    while (at < end && code !== delimiter && !isLineEnd(code)) code = text.charCodeAt(++at)
    if (row.length < limits.columns)
      row.push((quoted + text.slice(from, Math.min(at, from + limits.cellLength))).slice(0, limits.cellLength))
    if (at < end && code === delimiter) {
      at++
      if (at < end) continue
      if (row.length < limits.columns) row.push('')
    }
    rows.push(row)
    row = []
    at += code === carriageReturn && text.charCodeAt(at + 1) === lineFeed ? 2 : 1
  }
  return { delimiter: separator, rows }
}
