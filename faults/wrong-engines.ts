import { createServer } from 'node:http'
import { once } from 'node:events'
import pg from 'pg'
import { openChanges } from './changes.ts'
import { closing, type Drill, singlePostgres, withInstallation } from './frame.ts'
import { startPgbouncer } from './pgbouncer.ts'
import { until } from './processes.ts'
import type { Row } from './results.ts'

/** A PostgreSQL 15 that calls itself 14: the role finds a function of its own before that of the server. */
const pretendOldVersion = async (superuser: string) => {
  const client = new pg.Client({ connectionString: superuser })
  await client.connect()
  await client.query(`create schema pretended;
    create function pretended.current_setting(name text) returns text language sql as $$
      select case name when 'server_version' then '14.9' when 'server_version_num' then '140009' else pg_catalog.current_setting(name) end $$;
    grant usage on schema pretended to gridmast;
    alter role gridmast set search_path = pretended, pg_catalog, public`)
  await client.end()
}

const oldClickHouse = async () => {
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ meta: [], data: [['22.8.21.38']], rows: 1 }))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  return {
    url: `http://127.0.0.1:${port}`,
    close: async () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

export const wrongEngines: Drill = {
  name: 'wrong-engines',
  short: true,
  run: () =>
    closing(async (onEnd) => {
      const postgres = await singlePostgres()
      onEnd(postgres.stop)
      const [session, transaction] = [
        await startPgbouncer(postgres.url, 'session'),
        await startPgbouncer(postgres.url, 'transaction'),
      ]
      onEnd(session.stop)
      onEnd(transaction.stop)
      const clickHouse = await oldClickHouse()
      onEnd(clickHouse.close)
      return withInstallation({ DATABASE_URL: session.url }, async ({ start, provision }) => {
        const web = await start('web', 'web,jobs')
        await provision('demo/world.yaml')
        const changes = await openChanges(web)
        const faultMs = Date.now()
        await until('changes are acknowledged', () => changes.acknowledged() > 20)
        await changes.finish()
        const rows: Row[] = [
          {
            fault: 'PgBouncer with pool_mode = session in front of PostgreSQL',
            ...(await changes.compare(postgres.ownerUrl)),
            recoveryS: changes.recoveryS(faultMs),
            boundS: 10,
            alarm: 'no fault',
            detail: `changes over HTTP: ${changes.statuses()}`,
          },
        ]
        const refused = async (fault: string, settings: Record<string, string>, sentence: RegExp) => {
          const startedMs = Date.now()
          const text = await start(`refused-${rows.length}`, 'web', settings).then(
            () => 'the server started',
            (error: unknown) => (error instanceof Error ? error.message : String(error)),
          )
          const isRefused = sentence.test(text) && !text.includes('\n')
          rows.push({
            fault,
            lost: 0,
            doubled: 0,
            recoveryS: isRefused ? (Date.now() - startedMs) / 1000 : Infinity,
            boundS: 30,
            alarm: isRefused ? 'refused at its start' : null,
            detail: text.replaceAll('\n', ' ').replaceAll('|', '/').slice(0, 300),
          })
        }
        await refused(
          'PgBouncer with pool_mode = transaction',
          { DATABASE_URL: transaction.url },
          /^DATABASE_URL: .*pool_mode = session/,
        )
        await refused(
          'a ClickHouse server of 2022',
          { CLICKHOUSE_URL: clickHouse.url },
          /^CLICKHOUSE_URL: ClickHouse 22\.8\.21\.38 is too old/,
        )
        await pretendOldVersion(postgres.ownerUrl)
        await refused('a PostgreSQL 14', { DATABASE_URL: postgres.url }, /^DATABASE_URL: PostgreSQL 14\.9 is too old/)
        return rows
      })
    }),
}
