import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { installPrograms } from './deploy/programs.ts'
import { findProgram } from './debian.ts'
import { freePort, isListening, root } from './run.ts'

/** A file of deploy/nginx. */
export const deployedNginx = (name: string) => readFileSync(join(root, 'deploy/nginx', name), 'utf8')

type Changes = [from: string | RegExp, to: string][]

const tlsChanges = async (folder: string, port: number): Promise<Changes> => {
  const files = ['-keyout', join(folder, 'privkey.pem'), '-out', join(folder, 'fullchain.pem')]
  const request = 'req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost'.split(' ')
  spawnSync('openssl', [...request, ...files])
  return [
    [/\/etc\/letsencrypt\/live\/portal\.example\.com/g, folder],
    ['listen 443 ', `listen 127.0.0.1:${port} `],
    ['listen 80;', `listen 127.0.0.1:${await freePort()};`],
    ['listen 8883 ', `listen 127.0.0.1:${await freePort()} `],
  ]
}

const plainChanges = (port: number): Changes => [
  [/^stream \{[^]*/gm, ''],
  [/^ *(ssl_|include \/etc\/nginx\/modules).*$/gm, ''],
  [/server \{\s*listen 80;[^}]*\}/g, ''],
  [
    'listen 443 ssl http2;',
    `listen 127.0.0.1:${port};\n    keepalive_timeout 0; # a client never writes to a connection that a reload closes`,
  ],
]

/** nginx with the configuration of deploy/nginx and these upstreams; the certificate is for this run only. */
export const startNginx = async (
  http: string,
  { stream = 'upstream mqtt {\n  server 127.0.0.1:9;\n}\n', tls = true } = {},
) => {
  installPrograms()
  const program = findProgram('nginx')
  if (!program) throw new Error('nginx is missing: apt-get install nginx libnginx-mod-stream')
  const folder = mkdtempSync(join(tmpdir(), 'gridmast-nginx-'))
  const [config, errors, upstreams] = [join(folder, 'nginx.conf'), join(folder, 'error.log'), join(folder, 'gridmast')]
  const port = await freePort()
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  )
  const changes: Changes = [
    ...(tls ? await tlsChanges(folder, port) : plainChanges(port)),
    ['/run/nginx.pid', join(folder, 'nginx.pid')],
    ['/var/log/nginx/error.log', errors],
    ['/etc/nginx/gridmast', upstreams],
    ['access_log off;', `access_log off; ${temporary.join(' ')}`],
    ['user www-data;', process.getuid?.() === 0 ? 'user root;' : ''],
    ['worker_processes auto;', 'worker_processes 1;'],
  ]
  writeFileSync(
    config,
    changes.reduce((text, [from, to]) => text.replaceAll(from, to), deployedNginx('nginx.conf')),
  )
  mkdirSync(upstreams)
  writeFileSync(join(upstreams, 'http.conf'), http)
  writeFileSync(join(upstreams, 'stream.conf'), stream)
  const options = ['-c', config, '-e', errors]
  const checked = spawnSync(program, ['-t', ...options], { encoding: 'utf8' })
  if (checked.status !== 0) throw new Error(checked.stderr)
  const proxy = spawn(program, [...options, '-g', 'daemon off;'], { stdio: 'ignore' })
  const ended = once(proxy, 'exit')
  const workers = () =>
    spawnSync('ps', ['--ppid', String(proxy.pid), '-o', 'pid='], { encoding: 'utf8' })
      .stdout.split('\n')
      .flatMap((line) => Number(line) || [])
  const stop = async () => {
    proxy.kill('SIGTERM')
    await ended
    rmSync(folder, { recursive: true, force: true })
  }
  for (const until = Date.now() + 20_000; !(await isListening(port)); await pause(20))
    if (proxy.exitCode !== null || Date.now() > until) {
      const reason = readFileSync(errors, 'utf8')
      await stop()
      throw new Error(`nginx does not answer: ${reason}`)
    }
  return {
    port,
    url: `${tls ? 'https' : 'http'}://127.0.0.1:${port}`,
    /** New calls go to these upstreams; ends when the calls that had begun are answered. */
    reload: async (next: string) => {
      const before = workers()
      writeFileSync(join(upstreams, 'http.conf'), next)
      proxy.kill('SIGHUP')
      while (workers().some((pid) => before.includes(pid)) || workers().length === 0) await pause(50)
    },
    stop,
  }
}
