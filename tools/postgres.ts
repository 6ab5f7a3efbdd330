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

/** A temporary folder and the user of programs that refuse to run as root. */
export const unprivileged = (name: string): { folder: string; options: SpawnOptions } => {
  const folder = mkdtempSync(join(tmpdir(), `gridmast-${name}-`))
  const isRoot = process.getuid?.() === 0
  if (isRoot) chownSync(folder, nobody, nobody)
  chmodSync(folder, 0o700)
  return { folder, options: { stdio: 'ignore', cwd: folder, ...(isRoot ? { uid: nobody, gid: nobody } : {}) } }
}

export type Postgres = { url: string; port: number; process: ChildProcess; stop: () => Promise<void> }

/** A separate PostgreSQL server in a temporary folder, or null without an installation. */
export const startPostgres = async (): Promise<Postgres | null> => {
  const bin = postgresPrograms()
  if (!bin) return null
  const { folder, options } = unprivileged('postgres')
  const data = join(folder, 'data')
  if (
    spawnSync(
      join(bin, 'initdb'),
      ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--no-locale', '-N'],
      options,
    ).status !== 0
  ) {
    rmSync(folder, { recursive: true, force: true })
    throw new Error('initdb failed')
  }
  const port = await freePort()
  const settings = [`port=${port}`, 'listen_addresses=127.0.0.1', `unix_socket_directories=${folder}`, 'fsync=off']
  const server = spawn(join(bin, 'postgres'), ['-D', data, ...settings.flatMap((setting) => ['-c', setting])], options)
  const ended = new Promise((resolve) => server.once('exit', resolve))
  const stop = async () => {
    if (server.exitCode === null) server.kill('SIGINT')
    await ended
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    await createGridmast(port, ended)
  } catch (error) {
    await stop()
    throw error
  }
  return { url: `postgres://gridmast@127.0.0.1:${port}/gridmast`, port, process: server, stop }
}

/** The role for tests is no superuser. */
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
