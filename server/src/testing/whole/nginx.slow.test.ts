import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { get } from 'node:https'
import { type AddressInfo, connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { addChargers, key } from '#charging/ledger/charger.fixture.ts'
import { openTestApp, type TestApp } from '#testing/app.ts'
import { openChargers } from '#roles/chargers.ts'

const nginx = process.env['NGINX_BINARY'] ?? 'nginx'
const isHere =
  spawnSync(nginx, ['-v']).status === 0 &&
  (process.env['NGINX_MODULES'] ?? existsSync('/etc/nginx/modules-enabled/50-mod-stream.conf'))
if (!isHere) process.stderr.write('skip deploy/nginx: nginx with libnginx-mod-stream is not installed here\n')

const folder = mkdtempSync(join(tmpdir(), 'gridmast-nginx-'))
const file = join(folder, 'nginx.conf')
const freePort = async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // a TCP server's address is never a pipe's name
  server.close()
  return port
}

const isListening = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(true))
      .on('error', () => resolve(false))
      .on('connect', () => socket.destroy())
  })

let app: TestApp
let chargers: Awaited<ReturnType<typeof openChargers>>
let https = 0
beforeAll(async () => {
  if (!isHere) return
  app = await openTestApp()
  chargers = await openChargers(app, app.http.server)
  await app.http.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.http.server.address() as AddressInfo // as above
  https = await freePort()
  const openssl = [
    'req',
    '-x509',
    '-newkey',
    'rsa:2048',
    '-nodes',
    '-days',
    '2',
    '-keyout',
    'privkey.pem',
    '-out',
    'fullchain.pem',
    '-subj',
    '/CN=portal.example.com',
  ]
  execFileSync('openssl', openssl, { cwd: folder, stdio: 'ignore' })
  const moved: [from: string | RegExp, to: string][] = [
    [/\/etc\/letsencrypt\/live\/portal\.example\.com/g, folder],
    ['/run/nginx.pid', join(folder, 'nginx.pid')],
    ['/var/log/nginx/error.log', join(folder, 'error.log')],
    ['listen 443 ', `listen 127.0.0.1:${https} `],
    ['listen 80;', `listen 127.0.0.1:${await freePort()};`],
    ['listen 8883 ', `listen 127.0.0.1:${await freePort()} `],
    ['/etc/nginx/gridmast', folder],
    // A binary outside its package has its modules elsewhere.
    ...(process.env['NGINX_MODULES']
      ? ([
          [
            'include /etc/nginx/modules-enabled/*.conf;',
            `load_module ${process.env['NGINX_MODULES']}/ngx_stream_module.so;`,
          ],
        ] as [string, string][])
      : []),
    [
      'access_log off;',
      [
        'access_log off;',
        ...['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${folder}/${name};`),
      ].join(' '),
    ],
    ['user www-data;', process.getuid?.() === 0 ? 'user root;' : ''],
  ]
  const read = (name: string) => readFileSync(join(import.meta.dirname, '../../../../deploy/nginx', name), 'utf8')
  writeFileSync(
    file,
    moved.reduce((all, [from, to]) => all.replaceAll(from, to), read('nginx.conf')),
  )
  for (const name of ['http.conf', 'stream.conf'])
    writeFileSync(join(folder, name), read(`box/${name}`).replaceAll('127.0.0.1:3000', `127.0.0.1:${port}`))
})
afterAll(async () => {
  await chargers?.close()
  await app?.close()
})

/** Over TLS with the certificate of this test. */
const statusOf = (path: string) =>
  new Promise<number>((resolve, reject) => {
    get({ host: '127.0.0.1', port: https, path, rejectUnauthorized: false }, (answer) => {
      answer.resume()
      resolve(answer.statusCode ?? 0)
    }).once('error', reject)
  })

test.skipIf(!isHere)('nginx accepts the documented configuration, and a charger connects through it', async () => {
  const checked = spawnSync(nginx, ['-t', '-c', file, '-e', join(folder, 'error.log')], { encoding: 'utf8' })
  expect(checked.stderr).toContain('test is successful')
  await addChargers(app.records, [{ identity: 'NH-01', profile: 2 }])
  const running = spawn(nginx, ['-c', file, '-e', join(folder, 'error.log'), '-g', 'daemon off;'], { stdio: 'ignore' })
  try {
    await expect.poll(() => isListening(https)).toBe(true)
    // answered by the process, and refused by the proxy
    expect([await statusOf('/api/health'), await statusOf('/live'), await statusOf('/ready')]).toEqual([200, 404, 404])
    const socket = new WebSocket(`wss://127.0.0.1:${https}/ocpp/NH-01`, ['ocpp1.6'], {
      rejectUnauthorized: false,
      auth: `NH-01:${key}`,
    })
    await once(socket, 'open')
    const boot = { chargePointVendor: 'X', chargePointModel: 'Y' }
    socket.send(JSON.stringify([2, '1', 'BootNotification', boot]))
    const [answer] = (await once(socket, 'message')) as [Buffer]
    expect(JSON.parse(answer.toString())).toMatchObject([3, '1', { status: 'Accepted' }])
    socket.close()
  } finally {
    running.kill('SIGTERM')
    await once(running, 'exit')
  }
})
