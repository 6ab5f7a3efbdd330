import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findProgram, installOnDebian } from '../tools/debian.ts'
import { freePort, isListening, root } from '../tools/run.ts'
import { until } from './processes.ts'

/** HAProxy with deploy/haproxy/haproxy.cfg: only names, ports and the most connections are of this machine. */
export const startHaproxy = async (behind: {
  postgres?: readonly { port: number; api: number }[]
  mqtt?: readonly number[]
}) => {
  if (!findProgram('haproxy')) installOnDebian('HAProxy', ['haproxy'])
  const program = findProgram('haproxy')
  if (!program) throw new Error('HAProxy is missing: apt-get install haproxy')
  const folder = mkdtempSync(join(tmpdir(), 'gridmast-haproxy-'))
  const [postgres, clickhouse, mqtt, health] = [await freePort(), await freePort(), await freePort(), await freePort()]
  const addressOf = (port: number | undefined) => `127.0.0.1:${port ?? 1}`
  const settings = readFileSync(join(root, 'deploy/haproxy/haproxy.cfg'), 'utf8')
    .replace('maxconn 20000', 'maxconn 2000') // file descriptors
    .replace('bind :5432', `bind ${addressOf(postgres)}`)
    .replace('bind :8123', `bind ${addressOf(clickhouse)}`)
    .replace('bind :1883', `bind ${addressOf(mqtt)}`)
    .replace('bind :8404', `bind ${addressOf(health)}`)
    .replaceAll(/postgres-(\d):5432 check port 8008/g, (_, number: string) => {
      const node = behind.postgres?.[Number(number) - 1]
      return `${addressOf(node?.port)} check port ${node?.api ?? 1}`
    })
    .replaceAll(/clickhouse-\d-\d:8123/g, addressOf(undefined))
    .replaceAll(/rabbitmq-(\d):1883/g, (_, number: string) => addressOf(behind.mqtt?.[Number(number) - 1]))
  const file = join(folder, 'haproxy.cfg')
  writeFileSync(file, settings)
  const proxy = spawn(program, ['-q', '-f', file], { stdio: 'ignore' })
  const ended = once(proxy, 'exit')
  const stop = async () => {
    if (proxy.exitCode === null) proxy.kill('SIGTERM')
    await ended
    rmSync(folder, { recursive: true, force: true })
  }
  const hasStarted = () => {
    if (proxy.exitCode !== null) throw new Error('HAProxy ended: it did not accept the file')
    return isListening(health)
  }
  await until('HAProxy has started', hasStarted).catch(async (error: unknown) => {
    await stop()
    throw error
  })
  return { postgres, mqtt, stop }
}
