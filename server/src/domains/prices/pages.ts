/** Rows a page: what the process holds of a file at a time. */
export const pageRows = 2000

/**
 * The rows of a file page by page, each page a query of its own that goes on after the last start: memory stays the same however long
 * the file is, and no transaction stays open while a slow reader takes it.
 */
export async function* inPages<Row extends { starts_at: Date }>(
  fromMs: number,
  read: (fromMs: number, rows: number) => Promise<Row[]>,
): AsyncGenerator<Row> {
  for (let nextMs = fromMs; ;) {
    const page = await read(nextMs, pageRows)
    yield* page
    const last = page.at(-1)
    if (!last || page.length < pageRows) return
    nextMs = last.starts_at.getTime() + 1
  }
}
