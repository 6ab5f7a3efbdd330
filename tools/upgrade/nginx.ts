import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { installOnDebian } from '../debian.ts'
import { find } from '../mosquitto.ts'
import { freePort, root } from '../run.ts'

const deployed = (name: string) => readFileSync(join(root, 'deploy/nginx', name), 'utf8')

const isListening = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(true))
      .on('error', () => resolve(false))
      .on('connect', () => socket.destroy())
  })

/** The proxy of deploy/nginx without TLS, in front of the two processes of `cluster/http.conf`; null without an installation of nginx. */
export const startNginx = async (portals: [string, string]) => {
  if (!find('nginx')) installOnDebian('nginx', ['nginx'])
  const program = find('nginx')
  if (!program) return null
  const folder = mkdtempSync(join(tmpdir(), 'gridmast-proxy-'))
  const port = await freePort()
  const file = join(folder, 'nginx.conf')
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  )
  const changes: [from: string | RegExp, to: string][] = [
    [/^stream \{[^]*/m, ''],
    [/^ *(ssl_|include \/etc\/nginx\/modules).*$/gm, ''],
    [/server \{\s*listen 80;[^}]*\}/, ''],
    [
      'listen 443 ssl http2;',
      `listen 127.0.0.1:${port};\n    keepalive_timeout 0; # a client never writes to a connection that a reload closes`,
    ],
    ['/run/nginx.pid', join(folder, 'nginx.pid')],
    ['/var/log/nginx/error.log', join(folder, 'error.log')],
    ['/etc/nginx/gridmast', folder],
    ['access_log off;', ['access_log off;', ...temporary].join(' ')],
    ['user www-data;', process.getuid?.() === 0 ? 'user root;' : ''],
    ['worker_processes auto;', 'worker_processes 1;'],
  ]
  writeFileSync(
    file,
    changes.reduce((text, [from, to]) => text.replace(from, to), deployed('nginx.conf')),
  )
  const hosts = portals.map((portal) => new URL(portal).host)
  /** Names of the file as `web-1` in `down` get no new connections. */
  const write = (down: readonly string[]) => {
    const servers = hosts.flatMap((host, i) => [
      [`server web-${i + 1}:3000;`, `server ${host}${down.includes(`web-${i + 1}`) ? ' down' : ''};`] as const,
      [`server ocpp-${i + 1}:3000;`, `server ${host};`] as const,
    ])
    writeFileSync(
      join(folder, 'http.conf'),
      servers.reduce((text, [from, to]) => text.replace(from, to), deployed('cluster/http.conf')),
    )
  }
  write([])
  const options = ['-c', file, '-e', join(folder, 'error.log')]
  const checked = spawnSync(program, ['-t', ...options], { encoding: 'utf8' })
  if (checked.status !== 0) throw new Error(checked.stderr)
  const proxy = spawn(program, [...options, '-g', 'daemon off;'], { stdio: 'ignore' })
  const ended = once(proxy, 'exit')
  while (proxy.exitCode === null && !(await isListening(port))) await pause(20)
  const workers = () =>
    spawnSync('ps', ['--ppid', String(proxy.pid), '-o', 'pid='], { encoding: 'utf8' })
      .stdout.split('\n')
      .flatMap((line) => Number(line) || [])
  return {
    portal: `http://127.0.0.1:${port}`,
    /** Sends new calls to the other processes only, and waits until calls that had begun are answered. */
    take: async (...down: string[]) => {
      const before = workers()
      write(down)
      proxy.kill('SIGHUP')
      while (workers().some((pid) => before.includes(pid)) || workers().length === 0) await pause(50)
    },
    stop: async () => {
      proxy.kill('SIGTERM')
      await ended
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
