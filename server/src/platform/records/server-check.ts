import pg from 'pg'
import { type Server, serverOf } from './pool.ts'

const oldest = 15

const connectTo = async ({ connectionString, Client = pg.Client }: Server) => {
  const client = new Client({ connectionString, connectionTimeoutMillis: 30_000 })
  client.on('error', () => {})
  await client.connect()
  return client
}

const sessionOf = async (client: pg.Client): Promise<number> => {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  return rows[0]?.pid ?? 0
}

/**
 * Throws for a PostgreSQL older than 15, and for a pooler that changes the session of a connection between two transactions: settings, prepared
 * statements and LISTEN are then those of another client. PgBouncer gives the session released last to the next transaction of any client.
 */
export const checkServer = async (url: string): Promise<void> => {
  const server = serverOf(url)
  const first = await connectTo(server)
  try {
    const { rows } = await first.query<{ version: string; number: number }>(
      "select current_setting('server_version') as version, current_setting('server_version_num')::int as number",
    )
    const { version, number } = rows[0] ?? { version: 'unknown', number: 0 }
    if (number < oldest * 10_000) throw new Error(`PostgreSQL ${version} is too old, Gridmast needs ${oldest} or newer`)
    const second = await connectTo(server)
    try {
      const sessions: [number, number][] = []
      for (let round = 0; round < 3; round++) sessions.push([await sessionOf(first), await sessionOf(second)])
      const ofEach = [0, 1].map((client) => new Set(sessions.map((pids) => pids[client])).size)
      if (ofEach.some((count) => count > 1) || sessions[0]?.[0] === sessions[0]?.[1])
        throw new Error(
          'the pooler gives a connection another session after each transaction, Gridmast needs pool_mode = session (PgBouncer)',
        )
    } finally {
      await second.end()
    }
  } finally {
    await first.end()
  }
}
