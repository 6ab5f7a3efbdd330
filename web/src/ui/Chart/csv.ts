import { localText, zone } from '@gridmast/contract/time.ts'
import type { ChartModel } from './model.ts'
import { tableRows } from './shape.ts'

/** Quotes what needs it; a text that a spreadsheet would run as a formula gets an apostrophe. */
const cell = (text: string) => {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[;"\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

const number = (value: number | null) => (value === null ? '' : String(value).replace('.', ','))

/** The figures on screen as a file, for charts whose call has no file of its own. Danish: semicolons, decimal commas. */
export const csvOf = (model: ChartModel): Blob => {
  const head = [`Time (${zone})`, 'Time (UTC)', ...model.series.map((s) => `${s.name} (${s.unit})`)].map(cell)
  const rows = tableRows(model).map(({ ms, values }) => [
    localText(ms),
    new Date(ms).toISOString(),
    ...values.map(number),
  ])
  return new Blob([`\u{feff}${[head, ...rows].map((row) => row.join(';')).join('\r\n')}\r\n`], { type: 'text/csv' })
}
