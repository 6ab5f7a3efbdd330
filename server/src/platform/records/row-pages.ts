/** Rows per page, the part of a file in memory. */
export const pageRows = 1000

type Page<Row> = { limit: number; after: Row | undefined; skip: number }

/**
 * Rows of a file, one query per page: constant memory, and no transaction is open while a slow client reads. A page
 * continues after the last row of the previous page; `skip` is for an order without a key.
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
