/** Rows a page: what the process holds of a file at a time. */
export const pageRows = 1000

type Page<Row> = { limit: number; after: Row | undefined; skip: number }

/**
 * The rows of a file page by page, each page a query of its own: memory stays the same however long the file is, and no transaction stays open
 * while a slow reader takes it. A page goes on after the last row of the one before; `skip` is for an order in which that row is no key.
 */
export async function* rowPages<Row>(read: (page: Page<Row>) => Promise<readonly Row[]>): AsyncGenerator<Row> {
  let after: Row | undefined
  for (let skip = 0; ; skip += pageRows) {
    const page = await read({ limit: pageRows, after, skip })
    yield* page
    if (page.length < pageRows) return
    after = page.at(-1)
  }
}
