import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { findProgram, installOnDebian } from '../tools/debian.ts'
import { createGridmast, postgresPrograms, unprivileged } from '../tools/postgres.ts'
import { freePort } from '../tools/run.ts'
import { signalFamily, until } from './processes.ts'

type Node = { port: number; api: number; process: ChildProcess; data: string }

const superuser = (port: number) => `postgres://postgres:postgres@127.0.0.1:${port}/gridmast`

/** The file remains after a kill, and its id may be that of another process by then. */
const postmasterOf = (data: string): number | undefined => {
  const file = join(data, 'postmaster.pid')
  if (!existsSync(file)) return undefined
  const id = Number(readFileSync(file, 'utf8').split('\n')[0])
  const commandLine = `/proc/${id}/cmdline`
  return existsSync(commandLine) && readFileSync(commandLine, 'utf8').includes(data) ? id : undefined
}

/** PostgreSQL is no child of the Patroni that started it. */
const kill = ({ process, data }: Node) => {
  const postmaster = postmasterOf(data)
  if (process.exitCode === null && process.signalCode === null) signalFamily(process.pid, 'SIGKILL')
  if (postmaster) signalFamily(postmaster, 'SIGKILL')
}

const ask = async <T extends pg.QueryResultRow>(port: number, database: string, query: string): Promise<T[]> => {
  const connectionString = `postgres://postgres:postgres@127.0.0.1:${port}/${database}`
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: 2000, query_timeout: 2000 })
  client.on('error', () => {})
  try {
    await client.connect()
    return (await client.query<T>(query)).rows
  } catch {
    return []
  } finally {
    client.end().catch(() => {})
  }
}

/** Two PostgreSQL servers under Patroni with one etcd; a commit waits for the standby. */
export const startPatroni = async () => {
  const bin = postgresPrograms()
  const has = () => findProgram('patroni') !== undefined && findProgram('etcd') !== undefined
  if (!has()) installOnDebian('Patroni and etcd', ['patroni', 'etcd-server'])
  const [patroni, etcd] = [findProgram('patroni'), findProgram('etcd')]
  if (!bin || !patroni || !etcd) throw new Error('Patroni is missing: apt-get install postgresql patroni etcd-server')
  const folder = mkdtempSync(join(tmpdir(), 'gridmast-patroni-'))
  const options = unprivileged(folder)
  const [logFile, children] = [join(folder, 'log'), [] as ChildProcess[]]
  const log = openSync(logFile, 'a')
  const run = (program: string, args: string[]) => {
    const env = { PATH: `${bin}:${process.env['PATH']}`, HOME: folder, LC_ALL: 'C.UTF-8' }
    const child = spawn(program, args, { ...options, env, stdio: ['ignore', log, log] })
    children.push(child)
    return child
  }
  const nodes: Node[] = []
  const stop = async () => {
    for (const node of nodes) kill(node)
    for (const child of children)
      if (child.exitCode === null && child.signalCode === null) signalFamily(child.pid, 'SIGKILL')
    await until('all have ended', () =>
      children.every(({ exitCode, signalCode }) => exitCode !== null || signalCode !== null),
    )
    closeSync(log)
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  }
  const [client, peer] = [await freePort(), await freePort()]
  const [clientUrl, peerUrl] = [`http://127.0.0.1:${client}`, `http://127.0.0.1:${peer}`]
  const etcdSettings = {
    'data-dir': join(folder, 'etcd'),
    'listen-client-urls': clientUrl,
    'advertise-client-urls': clientUrl,
    'listen-peer-urls': peerUrl,
    'initial-advertise-peer-urls': peerUrl,
    'initial-cluster': `default=${peerUrl}`,
  }
  const startNode = async (name: string): Promise<Node> => {
    const [port, api] = [await freePort(), await freePort()]
    const login = (username: string) => ({ username, password: username })
    const settings = {
      scope: 'gridmast',
      name,
      restapi: { listen: `127.0.0.1:${api}`, connect_address: `127.0.0.1:${api}` },
      etcd3: { hosts: `127.0.0.1:${client}` },
      bootstrap: {
        dcs: {
          ttl: 20, // Patroni's least
          loop_wait: 2,
          retry_timeout: 3,
          synchronous_mode: true,
          postgresql: { use_slots: true, parameters: { fsync: 'off' } },
        },
        initdb: [{ encoding: 'UTF8' }, 'no-locale', 'no-sync', { auth: 'trust' }],
        pg_hba: ['host all all 127.0.0.1/32 trust', 'host replication all 127.0.0.1/32 trust'],
      },
      postgresql: {
        listen: `127.0.0.1:${port}`,
        connect_address: `127.0.0.1:${port}`,
        data_dir: join(folder, name),
        bin_dir: bin,
        pgpass: join(folder, `${name}.pgpass`),
        authentication: { superuser: login('postgres'), replication: login('replicator') },
        basebackup: [{ checkpoint: 'fast' }, 'no-sync'],
        parameters: { unix_socket_directories: folder },
      },
    }
    const file = join(folder, `${name}.yaml`)
    writeFileSync(file, JSON.stringify(settings), { mode: 0o644 }) // JSON is YAML
    const node = { port, api, process: run(patroni, [file]), data: join(folder, name) }
    nodes.push(node)
    return node
  }
  const isPrimary = async ({ port }: Node) =>
    (await ask<{ is: boolean }>(port, 'postgres', 'select not pg_is_in_recovery() as is'))[0]?.is === true
  try {
    run(
      etcd,
      Object.entries(etcdSettings).map(([name, value]) => `--${name}=${value}`),
    )
    const first = await startNode('node-1')
    await until('the primary has started', () => isPrimary(first))
    await createGridmast(first.port, new Promise(() => {}))
    const second = await startNode('node-2')
    const sync = "select 1 from pg_stat_replication where sync_state = 'sync'"
    await until('the standby is synchronous', async () => (await ask(first.port, 'postgres', sync)).length > 0, 90_000)
    const hosts = [first, second].map(({ port }) => `127.0.0.1:${port}`).join(',')
    return {
      url: `postgres://gridmast@${hosts}/gridmast?target_session_attrs=read-write`,
      /** As if its machine was lost: Patroni and PostgreSQL end at once. */
      killPrimary: () => kill(first),
      nodes: [first, second],
      superuser: superuser(second.port),
      stop,
    }
  } catch (error) {
    console.error(readFileSync(logFile, 'utf8').split('\n').slice(-30).join('\n'))
    await stop()
    throw error
  }
}
