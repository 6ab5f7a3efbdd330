import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findProgram, installOnDebian } from '../tools/debian.ts'
import { unprivileged } from '../tools/postgres.ts'
import { freePort, isListening } from '../tools/run.ts'
import { until } from './processes.ts'

/** PgBouncer in front of the database `gridmast` of a PostgreSQL on this machine. */
export const startPgbouncer = async (postgres: string, poolMode: 'session' | 'transaction') => {
  if (!findProgram('pgbouncer')) installOnDebian('PgBouncer', ['pgbouncer'])
  const program = findProgram('pgbouncer')
  if (!program) throw new Error('PgBouncer is missing: apt-get install pgbouncer')
  const folder = mkdtempSync(join(tmpdir(), 'gridmast-pgbouncer-'))
  const options = unprivileged(folder)
  const port = await freePort()
  const settings = `[databases]
gridmast = host=127.0.0.1 port=${new URL(postgres).port} dbname=gridmast user=gridmast
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = ${poolMode}
default_pool_size = 50
`
  const file = join(folder, 'pgbouncer.ini')
  writeFileSync(file, settings, { mode: 0o644 })
  const pooler = spawn(program, [file], options)
  const ended = once(pooler, 'exit')
  const stop = async () => {
    if (pooler.exitCode === null) pooler.kill('SIGKILL')
    await ended
    rmSync(folder, { recursive: true, force: true })
  }
  await until('PgBouncer has started', () => isListening(port)).catch(async (error: unknown) => {
    await stop()
    throw error
  })
  return { url: `postgres://gridmast@127.0.0.1:${port}/gridmast`, stop }
}
