import pg from 'pg'
import type { PostgresPool, PostgresPoolClient } from 'kysely'

const address = /^(postgres(?:ql)?:\/\/(?:[^@/?#]*@)?)([^/?#]*)([^?#]*)(?:\?(.*))?$/
/** Values of target_session_attrs that lead to a writable server. */
const sessions = ['any', 'read-write', 'primary']

/** One address per host. Throws for an invalid address, or one that requires a read-only host. */
export const addressesOf = (url: string): string[] => {
  const [, start, hosts = '', database = '', query = ''] = address.exec(url) ?? []
  if (start === undefined) throw new Error('expected a URL beginning with postgres:// or postgresql://')
  const parameters = new URLSearchParams(query)
  const session = parameters.get('target_session_attrs')
  if (session && !sessions.includes(session))
    throw new Error(`target_session_attrs=${session}: expected ${sessions.join(', ')}`)
  parameters.delete('target_session_attrs')
  const rest = `${database}${parameters.size > 0 ? `?${parameters}` : ''}`
  const all = hosts.split(',').map((host) => `${start}${host}${rest}`)
  const wrong = all.find((one) => !URL.canParse(one))
  if (wrong !== undefined) throw new Error('expected hosts as postgres://name:port,name:port/database')
  return all
}

const probeMs = 3000
const validMs = 1000

const probe = async (connectionString: string): Promise<string | null> => {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: probeMs, query_timeout: probeMs })
  client.on('error', () => {})
  try {
    await client.connect()
    const { rows } = await client.query<{ mode: string }>(
      "select case when pg_is_in_recovery() then 'a standby' when current_setting('transaction_read_only') = 'on' then 'read only' end as mode",
    )
    return rows[0]?.mode ?? null
  } catch (error) {
    return error instanceof Error
      ? error.message || String(Object.getOwnPropertyDescriptor(error, 'code')?.value)
      : String(error)
  } finally {
    client.end().catch(() => {}) // it may never have connected
  }
}

const openHosts = (addresses: readonly string[]) => {
  let latest: { atMs: number; writable: Promise<string> } | undefined
  const find = async () => {
    const troubles = await Promise.all(addresses.map(probe))
    const writable = addresses[troubles.indexOf(null)]
    if (writable !== undefined) return writable
    const each = addresses.map((one, i) => `${new URL(one).host}: ${troubles[i]}`)
    throw Object.assign(new Error(`No host of DATABASE_URL accepts writes (${each.join('; ')})`), { code: '25006' })
  }
  return (): Promise<string> => {
    if (!latest || Date.now() - latest.atMs > validMs) latest = { atMs: Date.now(), writable: find() }
    return latest.writable
  }
}

type Connected = ((error: Error) => void) | ((error: null, client: pg.Client) => void)

export type Server = { connectionString: string; Client?: typeof pg.Client }

/** Connection settings for a pool or client: of several hosts, each new connection goes to the writable one. */
export const serverOf = (url: string): Server => {
  const addresses = addressesOf(url)
  const [first = url] = addresses
  if (addresses.length === 1) return { connectionString: first }
  const writable = openHosts(addresses)
  return {
    connectionString: first,
    Client: class extends pg.Client {
      override connect(): Promise<pg.Client>
      override connect(callback: Connected): void
      override connect(callback?: Connected): Promise<pg.Client> | undefined {
        const connecting = writable().then((host) => {
          const { hostname, port } = new URL(host)
          this.host = hostname.replace(/^\[(.*)\]$/, '$1')
          this.port = Number(port || 5432)
          return super.connect()
        })
        if (!callback) return connecting
        const answer = callback as (error: Error | null, client?: pg.Client) => void // both forms of the callback
        connecting.then((client) => answer(null, client), answer)
        return undefined
      }
    },
  }
}

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

/** Without an answer for this time a server is lost, however long its connections stay open. */
export const longestQueryMs = 30_000

const isWithoutAnswer = (error: unknown) => error instanceof Error && error.message === 'Query read timeout'

export const openPool = (config: pg.PoolConfig, settings?: string) => {
  const limited = { query_timeout: connectionTimeoutMillis }
  const pool = new pg.Pool({
    connectionTimeoutMillis,
    ...config,
    ...(settings
      ? { onConnect: async (client: pg.ClientBase) => void (await client.query({ text: settings, ...limited })) }
      : {}),
    types: { getTypeParser: (oid, format) => parsers.get(oid) ?? pg.types.getTypeParser(oid, format) },
  })
  // Pending queries of a lost connection fail by themselves, and the next query opens another; without a listener the process would end.
  pool.on('error', () => {})
  pool.on('connect', (client) => void client.on('error', () => {}))
  return pool
}

/** Prepared statements per connection, least recently used dropped first; one takes about 30 kB of the store. */
const maxPrepared = 400

/** Longer statements contain lists whose length rarely repeats. */
const longestText = 8000

/** PostgreSQL's 'cached plan must not change result type': another process has changed a table. */
export const isOutdatedPlan = (error: unknown): boolean =>
  (error as Partial<pg.DatabaseError> | null)?.routine === 'RevalidateCachedQuery'

/** The driver's list of prepared statements, which its declarations omit. */
type Connection = { parsedStatements: Record<string, string> }

const statementNames = (client: pg.PoolClient) => {
  const names = new Map<string, string>()
  let count = 0
  const { parsedStatements } = (client as unknown as { connection: Connection }).connection
  const dropOldest = async () => {
    const [text, name] = names.entries().next().value ?? ['', '']
    names.delete(text)
    if (!parsedStatements[name]) return // refused by the store
    delete parsedStatements[name]
    await client.query(`deallocate ${name}`)
  }
  const nameOf = async (text: string): Promise<string> => {
    const name = names.get(text) ?? `s${count++}`
    names.delete(text)
    if (names.size >= maxPrepared) await dropOldest()
    names.set(text, name)
    return name
  }
  const dropAll = async () => {
    for (const name of names.values()) delete parsedStatements[name]
    names.clear()
    await client.query('deallocate all')
  }
  return { nameOf, dropAll }
}

/**
 * A pool that prepares each statement with values once per connection: planning takes longer than running most of them (signal of a chart
 * under row-level security, embedded: 0.4 ms instead of 1.1). A connection with a query that is not answered within `longestMs` is closed.
 */
export const preparing = (pool: pg.Pool, longestMs?: number): PostgresPool => {
  const clients = new WeakMap<pg.PoolClient, PostgresPoolClient & { dropOutdated: () => Promise<void> }>()
  /** How often a changed table was noticed; a connection drops its statements from before. */
  let changes = 0
  const wrap = (client: pg.PoolClient) => {
    let changesSeen = changes
    let isLost = false
    const { nameOf, dropAll } = statementNames(client)
    const dropOutdated = async () => {
      if (changesSeen === changes) return
      changesSeen = changes
      await dropAll()
    }
    const query = async (text: string, values: readonly unknown[]) => {
      if (isLost) throw new Error('Connection terminated: a query was not answered')
      try {
        const named = values.length > 0 && text.length <= longestText ? { name: await nameOf(text) } : {}
        const limited = longestMs === undefined ? {} : { query_timeout: longestMs }
        return await client.query({ text, values: [...values], ...named, ...limited })
      } catch (error) {
        if (isWithoutAnswer(error)) isLost = true
        if (isOutdatedPlan(error)) changes++
        throw error
      }
    }
    // the declared second form, for cursors of streams, is not used here
    return {
      query: query as unknown as PostgresPoolClient['query'],
      release: () => client.release(isLost),
      dropOutdated,
    }
  }
  return {
    connect: async () => {
      const client = await pool.connect()
      const wrapped = clients.get(client) ?? wrap(client)
      clients.set(client, wrapped)
      await wrapped.dropOutdated().catch((error: unknown) => {
        client.release(true)
        throw error
      })
      return wrapped
    },
    end: () => pool.end(),
    options: pool.options,
  }
}
