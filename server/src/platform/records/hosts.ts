import pg from 'pg'

/** A PostgreSQL address with one or several hosts, in the syntax of libpq. */
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
/** Connections opened within this time share a probe. */
const believedMs = 1000

/** Null for a writable server, else the reason. */
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

/** The first writable host, determined for each new connection. */
const openHosts = (addresses: readonly string[]) => {
  let asked: { atMs: number; found: Promise<string> } | undefined
  const find = async () => {
    const troubles = await Promise.all(addresses.map(probe))
    const found = addresses[troubles.indexOf(null)]
    if (found !== undefined) return found
    const each = addresses.map((one, i) => `${new URL(one).host}: ${troubles[i]}`)
    throw Object.assign(new Error(`No host of DATABASE_URL takes writes (${each.join('; ')})`), { code: '25006' })
  }
  return (): Promise<string> => {
    if (!asked || Date.now() - asked.atMs > believedMs) asked = { atMs: Date.now(), found: find() }
    return asked.found
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
        const connecting = writable().then((found) => {
          const { hostname, port } = new URL(found)
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
