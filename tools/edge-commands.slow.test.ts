import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { edgeTopic } from '@gridmast/contract/delivery/edge.ts'
import { firstMessageCommands } from '@gridmast/contract/delivery/edge-commands.ts'
import { connectAsync, type MqttClient } from 'mqtt'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { hasMosquitto, startMosquitto } from './mosquitto.ts'
import { root } from './run.ts'

const isInstalled = hasMosquitto()
const secrets = { server: 'of the server', 'edge-1': 'of the edge' }
const folder = mkdtempSync(join(tmpdir(), 'gridmast-edge-commands-'))
const at = (name: string) => join(folder, name)
const received: { topic: string; text: string }[] = []
let broker: Awaited<ReturnType<typeof startMosquitto>>
let reader: MqttClient | undefined

const openssl = (...args: string[]) => {
  const { status, stderr } = spawnSync('openssl', args, { cwd: folder, encoding: 'utf8' })
  if (status !== 0) throw new Error(stderr)
}

/** A certificate of a new authority; the broker is reached by its name. */
const makeCertificates = () => {
  const key = ['-newkey', 'rsa:2048', '-nodes', '-keyout']
  openssl('req', '-x509', ...key, 'ca.key', '-out', 'ca.pem', '-subj', '/CN=Gridmast test CA', '-days', '2')
  openssl('req', ...key, 'broker.key', '-out', 'broker.csr', '-subj', '/CN=localhost')
  writeFileSync(at('names'), 'subjectAltName=DNS:localhost')
  const issue = ['-req', '-in', 'broker.csr', '-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial', '-days', '2']
  openssl('x509', ...issue, '-extfile', 'names', '-out', 'broker.pem')
}

beforeAll(async () => {
  if (!isInstalled) return
  makeCertificates()
  broker = await startMosquitto(secrets, [`certfile ${at('broker.pem')}`, `keyfile ${at('broker.key')}`])
  reader = await connectAsync(`mqtts://localhost:${broker?.port}`, {
    username: 'server',
    password: secrets.server,
    ca: readFileSync(at('ca.pem')),
  })
  reader.on('message', (topic, text) => received.push({ topic, text: text.toString() }))
  await reader.subscribeAsync('gm/v1/+/telemetry/+', { qos: 1 })
})
afterAll(async () => {
  await reader?.endAsync()
  await broker?.stop()
  rmSync(folder, { recursive: true, force: true })
})

const python = process.env['PAHO_PYTHON'] ?? 'python3'
const programs = {
  mosquitto: (command: string) => ['sh', '-c', command],
  node: (command: string) => ['node', '--input-type=module', '-e', command],
  python: (command: string) => [python, '-c', command],
} as const
const checks = {
  mosquitto: ['sh', '-c', 'command -v mosquitto_pub'],
  node: ['node', '--version'],
  python: [python, '-c', 'import paho.mqtt.publish'],
} as const

/** Operating system and Node trust the authority through these variables. */
const trusting = () => ({ SSL_CERT_FILE: at('ca.pem'), NODE_EXTRA_CA_CERTS: at('ca.pem') })

const send = (name: keyof typeof programs, env: object) => {
  const commands = firstMessageCommands({
    host: 'localhost',
    port: broker?.port ?? 0,
    tls: true,
    edgeKey: 'edge-1',
    groupKey: `group-${name}`,
  })
  const [program, ...args] = programs[name](commands[name])
  return spawnSync(program ?? '', args, {
    cwd: root,
    encoding: 'utf8',
    timeout: 60_000,
    env: { ...process.env, EDGE_SECRET: secrets['edge-1'], ...env },
  })
}

for (const name of ['mosquitto', 'node', 'python'] as const) {
  const [program, ...args] = checks[name]
  const isMissing = !isInstalled || spawnSync(program, args, { stdio: 'ignore' }).status !== 0
  test.skipIf(isMissing)(
    `D1 the command for ${name} sends its message through TLS, and none to an unknown authority`,
    async () => {
      const topic = edgeTopic.telemetry('edge-1', `group-${name}`)
      expect(send(name, {}).status).not.toBe(0)
      expect(send(name, trusting())).toMatchObject({ status: 0 })
      await expect.poll(() => received.filter((message) => message.topic === topic)).toHaveLength(1)
      const text = received.find((message) => message.topic === topic)?.text ?? ''
      expect(JSON.parse(text)).toMatchObject({ v: 1, seq: 1, dtMs: 1000, f: [49.98], p: [412.5] })
    },
  )
}
