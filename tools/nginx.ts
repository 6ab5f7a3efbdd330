import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { findProgram, installPrograms } from './deploy/programs.ts'
import { freePort, root } from './run.ts'

const isListening = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(true))
      .on('error', () => resolve(false))
      .on('connect', () => socket.destroy())
  })

/** nginx with the configuration of deploy/nginx in front of processes of `web` on this machine; the certificate is for this run only. */
export const startNginx = async (webPorts: readonly number[]): Promise<{ url: string; stop: () => Promise<void> }> => {
  installPrograms()
  const program = findProgram('nginx')
  if (!program) throw new Error('nginx is missing: apt-get install nginx libnginx-mod-stream')
  const folder = mkdtempSync(join(tmpdir(), 'gridmast-nginx-'))
  const [https, other] = [await freePort(), [await freePort(), await freePort()]]
  const files = ['-keyout', join(folder, 'privkey.pem'), '-out', join(folder, 'fullchain.pem')]
  spawnSync('openssl', [
    'req',
    '-x509',
    '-newkey',
    'rsa:2048',
    '-nodes',
    '-days',
    '2',
    '-subj',
    '/CN=localhost',
    ...files,
  ])
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  )
  const changes: [string | RegExp, string][] = [
    [/\/etc\/letsencrypt\/live\/portal\.example\.com/g, folder],
    ['/run/nginx.pid', join(folder, 'nginx.pid')],
    ['/var/log/nginx/error.log', join(folder, 'error.log')],
    ['listen 443 ', `listen 127.0.0.1:${https} `],
    ['listen 80;', `listen 127.0.0.1:${other[0]};`],
    ['listen 8883 ', `listen 127.0.0.1:${other[1]} `],
    ['/etc/nginx/gridmast', join(folder, 'gridmast')],
    ['access_log off;', `access_log off; ${temporary.join(' ')}`],
    ['user www-data;', process.getuid?.() === 0 ? 'user root;' : ''],
  ]
  const read = (name: string) => readFileSync(join(root, 'deploy/nginx', name), 'utf8')
  const config = join(folder, 'nginx.conf')
  writeFileSync(
    config,
    changes.reduce((text, [from, to]) => text.replaceAll(from, to), read('nginx.conf')),
  )
  mkdirSync(join(folder, 'gridmast'))
  const servers = webPorts.map((port) => `  server 127.0.0.1:${port};`).join('\n')
  const http = `upstream web {\n  least_conn;\n${servers}\n  keepalive 64;\n}\nupstream ocpp {\n${servers}\n}\n`
  writeFileSync(join(folder, 'gridmast/http.conf'), http)
  writeFileSync(join(folder, 'gridmast/stream.conf'), 'upstream mqtt {\n  server 127.0.0.1:9;\n}\n')
  const child = spawn(program, ['-c', config, '-e', join(folder, 'error.log'), '-g', 'daemon off;'], {
    stdio: 'ignore',
  })
  const stop = async () => {
    if (child.exitCode === null) {
      child.kill('SIGTERM')
      await once(child, 'exit')
    }
    rmSync(folder, { recursive: true, force: true })
  }
  for (const until = Date.now() + 20_000; !(await isListening(https)); await pause(50))
    if (child.exitCode !== null || Date.now() > until) {
      const reason = readFileSync(join(folder, 'error.log'), 'utf8')
      await stop()
      throw new Error(`nginx does not answer: ${reason}`)
    }
  return { url: `https://127.0.0.1:${https}`, stop }
}
