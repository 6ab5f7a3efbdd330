import { hourMs, dayMs } from '@gridmast/contract/time.ts'
import type { ClickHouseClient } from '@clickhouse/client'
import { instant, int, ints, rows, tsMs } from './sql.ts'

export type ExportQuery = { signalNos: readonly number[]; fromMs: number; toMs: number }

/** One instant with a value per requested series, in that order. */
export type ExportRow = { tMs: number; values: (number | null)[] }

/** Also the memory limit of the store, because the query sorts with a limit. */
const pageSamples = 50_000

/** All samples of a span in order of time, page by page in constant memory. */
export async function* exportRows(client: ClickHouseClient, query: ExportQuery): AsyncGenerator<ExportRow> {
  const { signalNos, fromMs, toMs } = query
  const column = new Map(signalNos.map((signalNo, i) => [signalNo, i]))
  if (column.size === 0) return
  let cursorMs = fromMs
  let stepMs = 6 * hourMs
  while (cursorMs < toMs) {
    const endMs = Math.min(cursorMs + stepMs, toMs)
    const page = await rows<[number, number, number]>(
      client,
      `select ${tsMs} as at, signal_no, value from gridmast.samples final
       where signal_no in (${ints(column.keys())}) and ts >= ${instant(cursorMs)} and ts < ${instant(endMs)}
       order by ts limit ${int(pageSamples + column.size)}`,
    )
    // A full page may end within an instant, which then starts the next page.
    const isFull = page.length === pageSamples + column.size
    const nextMs = isFull ? (page.at(-1)?.[0] ?? endMs) : endMs
    let row: ExportRow | undefined
    for (const [tMs, signalNo, value] of page) {
      if (tMs >= nextMs) break
      if (row?.tMs !== tMs) {
        if (row) yield row
        row = { tMs, values: signalNos.map(() => null) }
      }
      row.values[column.get(signalNo) ?? 0] = value
    }
    if (row) yield row
    cursorMs = nextMs
    if (isFull) stepMs = Math.max(hourMs / 60, stepMs / 2)
    else if (page.length < pageSamples / 4) stepMs = Math.min(400 * dayMs, stepMs * 2)
  }
}
