import pg from 'pg'

const asText = (value: string) => value
const asNumber = (value: string) => Number(value)

// pg_type.oid of the array types.
const numericList = 1231
const dateList = 1182

/** Parses a PostgreSQL array of unquoted values such as '{1.50,NULL}'. */
const textsOf = (list: string): (string | null)[] =>
  list === '{}'
    ? []
    : list
        .slice(1, -1)
        .split(',')
        .map((item) => (item === 'NULL' ? null : item))

/** Numeric and date as text (never a float or a local day), alone and in arrays; int8 as number. */
const parsers = new Map<number, (value: string) => unknown>([
  [pg.types.builtins.NUMERIC, asText],
  [pg.types.builtins.DATE, asText],
  [pg.types.builtins.INT8, asNumber],
  [numericList, textsOf],
  [dateList, textsOf],
])

/** Longer than any regular wait; without a limit a fault elsewhere would block silently. */
const connectionTimeoutMillis = 30_000

/** `settings`: statements that run first on each new connection. */
export const openPool = (config: pg.PoolConfig, settings?: string) => {
  const pool = new pg.Pool({
    connectionTimeoutMillis,
    ...config,
    ...(settings ? { onConnect: async (client: pg.ClientBase) => void (await client.query(settings)) } : {}),
    types: { getTypeParser: (oid, format) => parsers.get(oid) ?? pg.types.getTypeParser(oid, format) },
  })
  // Pending queries of a lost connection fail by themselves, and the next query opens another; without a listener the
  // process would end.
  pool.on('error', () => {})
  pool.on('connect', (client) => void client.on('error', () => {}))
  return pool
}
