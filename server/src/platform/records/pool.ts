import pg from 'pg'

const asText = (value: string) => value
const asNumber = (value: string) => Number(value)

// pg_type.oid of lists.
const numericList = 1231
const dateList = 1182

/** '{1.50,NULL}' as PostgreSQL writes a list of what needs no quotes. */
const textsOf = (list: string): (string | null)[] =>
  list === '{}'
    ? []
    : list
        .slice(1, -1)
        .split(',')
        .map((item) => (item === 'NULL' ? null : item))

/** Numeric and date as text (never a float, never a local day), alone and in lists; int8 as number. */
const parsers = new Map<number, (value: string) => unknown>([
  [pg.types.builtins.NUMERIC, asText],
  [pg.types.builtins.DATE, asText],
  [pg.types.builtins.INT8, asNumber],
  [numericList, textsOf],
  [dateList, textsOf],
])

/** Longer than anything here waits for its turn; without an end a fault elsewhere would become a standstill without a word. */
const connectionTimeoutMillis = 30_000

/** `settings`: statements that each new connection runs before any other. */
export const openPool = (config: pg.PoolConfig, settings?: string) => {
  const pool = new pg.Pool({
    connectionTimeoutMillis,
    ...config,
    ...(settings ? { onConnect: async (client: pg.ClientBase) => void (await client.query(settings)) } : {}),
    types: { getTypeParser: (oid, format) => parsers.get(oid) ?? pg.types.getTypeParser(oid, format) },
  })
  // A connection died. Whoever waits for an answer on it is told; the next query opens another. Without a listener the process would end.
  pool.on('error', () => {})
  pool.on('connect', (client) => void client.on('error', () => {}))
  return pool
}
