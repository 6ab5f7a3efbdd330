import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createServer } from 'node:tls'
import { findProgram, installOnDebian } from '../tools/debian.ts'
import { startPostgres, unprivileged } from '../tools/postgres.ts'
import { closing, type Drill, mosquitto, withStoresAnd } from './frame.ts'
import { until } from './processes.ts'
import type { Row } from './results.ts'

/** A certificate of 127.0.0.1 that its clients trust and that expired in 2020. */
const expiredCertificate = (folder: string) => {
  if (!findProgram('faketime')) installOnDebian('faketime', ['faketime'])
  const faketime = findProgram('faketime')
  if (!faketime) throw new Error('faketime is missing: apt-get install faketime')
  const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')]
  const name = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=IP:127.0.0.1,DNS:localhost']
  const files = ['-keyout', key, '-out', certificate]
  const args = ['2020-01-01 00:00:00', 'openssl', 'req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2']
  execFileSync(faketime, [...args, ...name, ...files], { stdio: 'ignore' })
  return { key, certificate }
}

/** Accepts TLS and nothing more: clients end at the certificate. */
const tlsServer = async ({ key, certificate }: ReturnType<typeof expiredCertificate>) => {
  const server = createServer({ key: readFileSync(key), cert: readFileSync(certificate) })
  server.on('tlsClientError', () => {})
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // it listens on TCP
  return { port, stop: async () => void server.close() }
}

const expired = /certificate has expired/

export const certificatesExpired: Drill = {
  name: 'certificates',
  short: false,
  run: () =>
    withStoresAnd(mosquitto, ({ start, provision, logs }) =>
      closing(async (onEnd) => {
        const folder = mkdtempSync(join(tmpdir(), 'gridmast-certificates-'))
        const pair = expiredCertificate(folder)
        onEnd(async () => rmSync(folder, { recursive: true, force: true }))
        const server = await tlsServer(pair)
        onEnd(server.stop)
        const trust = { NODE_EXTRA_CA_CERTS: pair.certificate }
        const rows: Row[] = []
        const push = (fault: string, startedMs: number, text: string | null, alarm: string) =>
          rows.push({
            fault,
            lost: 0,
            doubled: 0,
            recoveryS: text === null ? Infinity : (Date.now() - startedMs) / 1000,
            boundS: 30,
            alarm: text === null ? null : alarm,
            detail: (text ?? 'not reported').replaceAll('\n', ' ').replaceAll('|', '/').slice(0, 300),
          })
        const logged = async () => {
          const line = () =>
            logs(50)
              .split('\n')
              .find((one) => one.startsWith('{') && expired.test(one))
          await until('the log names the certificate', () => line() !== undefined)
          return (JSON.parse(line() ?? '{}') as { msg: string }).msg
        }

        let startedMs = Date.now()
        const ingest = await start('ingest', 'ingest', {
          ...trust,
          MQTT_URL: `mqtts://server:x@127.0.0.1:${server.port}`,
        })
        const detail = async () => {
          const answer = await fetch(`${ingest.health}/ready`)
          const { parts } = (await answer.json()) as { parts: Record<string, { detail?: string }> }
          return parts['mqtt']?.detail ?? ''
        }
        await until('/ready names the certificate of the broker', async () => expired.test(await detail()))
        push(
          'certificate of the broker expired',
          startedMs,
          `/ready: ${await detail()}; log: ${await logged()}`,
          '`/ready`: mqtt',
        )

        const data = mkdtempSync(join(tmpdir(), 'gridmast-postgres-'))
        const { uid, gid } = unprivileged(data)
        if (uid !== undefined && gid !== undefined) {
          chmodSync(folder, 0o755)
          chownSync(pair.key, uid, gid)
        }
        chmodSync(pair.key, 0o600)
        const settings = ['ssl=on', `ssl_cert_file=${pair.certificate}`, `ssl_key_file=${pair.key}`]
        const postgres = await startPostgres({ settings, folder: data })
        if (!postgres) throw new Error('PostgreSQL is missing: apt-get install postgresql')
        onEnd(postgres.stop)
        startedMs = Date.now()
        const refused = await start('refused', 'web', {
          ...trust,
          DATABASE_URL: `${postgres.url}?sslmode=verify-full`,
        }).then(
          () => 'the server started',
          (error: unknown) => (error instanceof Error ? error.message : String(error)),
        )
        const isRight = /^DATABASE_URL: certificate has expired$/.test(refused)
        push('certificate of PostgreSQL expired', startedMs, isRight ? refused : null, 'refused at its start')
        if (!isRight) console.error(refused)

        const web = await start('web', 'web,jobs', { ...trust, SMTP_URL: `smtps://127.0.0.1:${server.port}` })
        await provision('demo/world.yaml')
        startedMs = Date.now()
        const answer = await fetch(`${web.portal}/api/user/reset-password`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ email: 'sudoer@nordhavn.example' }),
        })
        if (!answer.ok) throw new Error(`a code was answered ${answer.status}`)
        const mailLine = () =>
          logs(200)
            .split('web.log')[1]
            ?.split('\n')
            .find((one) => one.startsWith('{') && expired.test(one))
        await until('the log names the certificate of SMTP', () => mailLine() !== undefined).catch(() => {})
        const mailText = (JSON.parse(mailLine() ?? '{}') as { msg?: string }).msg
        push('certificate of SMTP expired', startedMs, mailText ?? null, 'a line of the log')
        return rows
      }),
    ),
}
