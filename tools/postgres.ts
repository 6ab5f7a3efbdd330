import { type ChildProcess, spawn, spawnSync, type SpawnOptions } from 'node:child_process'
import { chmodSync, chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import pg from 'pg'
import { installOnDebian } from './debian.ts'
import { freePort } from './run.ts'

const programs = ['initdb', 'postgres', 'pg_basebackup', 'pg_controldata']

/** The folder of PostgreSQL's programs, on the PATH or in Debian's place; undefined without an installation. */
const installedPrograms = (): string | undefined => {
  const debian = '/usr/lib/postgresql'
  const versions = existsSync(debian) ? readdirSync(debian).toSorted((a, b) => Number(b) - Number(a)) : []
  const folders = [
    ...(process.env['PATH'] ?? '').split(':'),
    ...versions.map((version) => join(debian, version, 'bin')),
  ]
  return folders.find((folder) => programs.every((program) => existsSync(join(folder, program))))
}

const nobody = 65_534

/** PostgreSQL's programs, installed on Debian when missing. */
export const postgresPrograms = (): string | undefined =>
  installedPrograms() ?? (installOnDebian('PostgreSQL', ['postgresql']) ? installedPrograms() : undefined)

/** Gives the folder to the user of programs that refuse to run as root, and answers how to start them. */
export const unprivileged = (folder: string): SpawnOptions => {
  const isRoot = process.getuid?.() === 0
  if (isRoot) chownSync(folder, nobody, nobody)
  chmodSync(folder, 0o700)
  return { stdio: 'ignore', cwd: folder, ...(isRoot ? { uid: nobody, gid: nobody } : {}) }
}

export type Postgres = {
  url: string
  /** Of the superuser, on the same database. */
  ownerUrl: string
  folder: string
  process: ChildProcess
  /** A program of PostgreSQL, or another one, as the user of the server; answers the exit code. */
  run: (program: string, args: string[]) => number | null
  stop: () => Promise<void>
}

/**
 * A separate PostgreSQL server in a temporary folder, or null without an installation. The role for tests is no superuser. `folder` of a stopped
 * server (`keep`) and `data` in it start another one, with `settings`.
 */
export const startPostgres = async ({
  settings = [],
  folder = mkdtempSync(join(tmpdir(), 'gridmast-postgres-')),
  data = join(folder, 'data'),
  keep = false,
}: { settings?: string[]; folder?: string; data?: string; keep?: boolean } = {}): Promise<Postgres | null> => {
  const bin = postgresPrograms()
  if (!bin) return null
  const options = unprivileged(folder)
  const run = (program: string, args: string[]) => {
    const own = join(bin, program)
    return spawnSync(existsSync(own) ? own : program, args, options).status
  }
  const isNew = !existsSync(data)
  if (isNew && run('initdb', ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--no-locale', '-N']) !== 0) {
    rmSync(folder, { recursive: true, force: true })
    throw new Error('initdb failed')
  }
  const port = await freePort()
  const all = [
    `port=${port}`,
    'listen_addresses=127.0.0.1',
    `unix_socket_directories=${folder}`,
    'fsync=off',
    ...settings,
  ]
  const server = spawn(join(bin, 'postgres'), ['-D', data, ...all.flatMap((setting) => ['-c', setting])], options)
  const ended = new Promise((resolve) => server.once('exit', resolve))
  const stop = async () => {
    if (server.exitCode === null) server.kill('SIGINT')
    await ended
    if (!keep) rmSync(folder, { recursive: true, force: true })
  }
  try {
    if (isNew) await createGridmast(port, ended)
    else await (await connect(port, ended)).end()
  } catch (error) {
    await stop()
    throw error
  }
  const urlOf = (user: string) => `postgres://${user}@127.0.0.1:${port}/gridmast`
  return { url: urlOf('gridmast'), ownerUrl: urlOf('postgres'), folder, process: server, run, stop }
}

export const createGridmast = async (port: number, ended: Promise<unknown>): Promise<void> => {
  const client = await connect(port, ended)
  await client.query('create role gridmast login createrole createdb')
  await client.query('create database gridmast owner gridmast')
  await client.end()
}

/** The port opens before the server accepts connections ('the database system is starting up'), so the connection is retried. */
const connect = async (port: number, ended: Promise<unknown>): Promise<pg.Client> => {
  let isOver = false
  void ended.then(() => (isOver = true))
  for (const until = Date.now() + 30_000; ;) {
    const client = new pg.Client({ connectionString: `postgres://postgres@127.0.0.1:${port}/postgres` })
    try {
      await client.connect()
      return client
    } catch (error) {
      if (isOver || Date.now() > until) throw error
      await setTimeout(100)
    }
  }
}
