import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { languages } from '@gridmast/contract/people/user.ts'
import { hourMs } from '@gridmast/contract/time.ts'
import { Cron } from 'croner'
import { z } from 'zod'
import { proxiesOf } from '#platform/http/address.ts'
import { readAddress } from './operator/backup/storage.ts'
import { lockName } from '#platform/process/data-folder.ts'
import { addressesOf } from '#platform/records/pool.ts'
import { clusterName } from '#readings/cluster.ts'

const port = (fallback: number) => z.coerce.number().int().min(0).max(65_535).default(fallback)
const url = (...protocols: string[]) =>
  z
    .url({
      protocol: new RegExp(`^(${protocols.join('|')})$`),
      error: `expected a URL beginning with ${protocols.map((p) => `${p}://`).join(' or ')}`,
    })
    .optional()

const canRead = (read: (text: string) => unknown) => (text: string) => {
  try {
    read(text)
    return true
  } catch {
    return false
  }
}

const sayingWhy = (read: (text: string) => unknown) => (text: string, context: z.RefinementCtx) => {
  try {
    read(text)
  } catch (error) {
    context.addIssue({ code: 'custom', message: error instanceof Error ? error.message : String(error) })
  }
}

const pemFile = z.string().refine(canRead(readFileSync), 'expected a file that can be read').optional()

const nextRuns = (pattern: string): Date[] => {
  try {
    return new Cron(pattern, { paused: true, timezone: 'UTC' }).nextRuns(25)
  } catch {
    return []
  }
}

/** A date such as 31 February never arrives. */
const readCron = (pattern: string) => {
  const runs = nextRuns(pattern).map((run) => run.getTime())
  if (runs.length === 0) throw new Error('expected a cron pattern')
  if (runs.some((run, i) => run - (runs[i - 1] ?? -Infinity) < hourMs))
    throw new Error('expected at least one hour between two runs')
}

const mailbox = /^(?:[^<>@\p{Cc}]+ <[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/u

const roles = ['web', 'ingest', 'ocpp', 'jobs'] as const

const retention = (minDays: number) => z.coerce.number().int().min(minDays).max(36_500).optional()

export const settings = z.object({
  PORT: port(3000),
  HOST: z.string().optional(),
  MQTT_PORT: port(1883),
  /** Of this process, in every role. */
  METRICS_PORT: port(9464),
  METRICS_HOST: z.string().default('127.0.0.1'),
  DATA_DIR: z.string().default('./data'),
  DEMO: z.enum(['on', 'off']).optional(),
  /** One or several hosts in the syntax of libpq: `postgres://user@a,b/gridmast?target_session_attrs=read-write`. */
  DATABASE_URL: z.string().superRefine(sayingWhy(addressesOf)).optional(),
  /** Shared by requests and jobs; notifications and cancels have connections of their own. */
  DATABASE_POOL: z.coerce.number().int().min(2).max(500).default(20),
  CLICKHOUSE_URL: url('http', 'https'),
  /** Cluster of the server at CLICKHOUSE_URL: the tables are then replicated and sharded by series. */
  CLICKHOUSE_CLUSTER: clusterName.optional(),
  MQTT_URL: url('mqtt', 'mqtts'),
  /** Address of the broker for edges, behind TLS: shown in the portal. */
  MQTT_PUBLIC_URL: url('mqtt', 'mqtts'),
  /** Session name at the broker of MQTT_URL, which queues messages under it while no process reads them. */
  MQTT_CLIENT_ID: z
    .string()
    .regex(/^[A-Za-z0-9._-]{1,64}$/, 'expected 1 to 64 of A-Z a-z 0-9 . _ -')
    .default('gridmast'),
  /** Parts of the edges that the processes with `ingest` of a MQTT_CLIENT_ID share; the same in all of them. */
  INGEST_PARTITIONS: z.coerce.number().int().min(1).max(64).default(1),
  SMTP_URL: url('smtp', 'smtps'),
  MAIL_FROM: z
    .string()
    .regex(mailbox, 'expected an address, or a name and an address: Gridmast <portal@company.example>')
    .default('Gridmast <no-reply@gridmast.example>'),
  PUBLIC_URL: url('http', 'https'),
  ADMIN_PORTAL_URL: url('http', 'https'),
  /** Trusted proxies in front, in the syntax of fastify's trustProxy. */
  TRUST_PROXY: z.string().refine(canRead(proxiesOf), 'expected addresses, networks or loopback').default('loopback'),
  /** Seals and hashes secrets; default a key created in DATA_DIR. */
  SECRET_KEY: z.string().min(32, 'expected at least 32 characters').optional(),
  /** Accepted too, during a rotation: first the next key, then the previous one. */
  SECRET_KEY_OTHER: z.string().min(32, 'expected at least 32 characters').optional(),
  /** Allows chargers without TLS from other machines: their keys are then sent unencrypted. */
  OCPP_PLAIN: z.enum(['on', 'off']).default('off'),
  /** A separate port with TLS for chargers; without it a proxy in front terminates TLS. */
  OCPP_TLS_PORT: port(0),
  /** PEM files: the server's certificate and key, and the CA of the chargers' certificates (security profile 3). */
  OCPP_TLS_CERT: pemFile,
  OCPP_TLS_KEY: pemFile,
  OCPP_CLIENT_CA: pemFile,
  /** Recipient of requests for an account. */
  OPERATOR_EMAIL: z.email().default('operator@gridmast.example'),
  OPERATOR_LANGUAGE: z.enum(languages).default('en'),
  /** Allows webhooks to private and loopback addresses: for a demo, a test or a private network. */
  WEBHOOK_PRIVATE: z.enum(['on', 'off']).default('off'),
  EDS_URL: url('http', 'https').default('https://api.energidataservice.dk'),
  EDS_MIN_INTERVAL_MS: z.coerce.number().int().min(0).default(61_000),
  /** Day-ahead prices of SE1 and SE2, and of all areas while EDS_URL fails. Off without the token. */
  ENTSOE_URL: url('http', 'https').default('https://web-api.tp.entsoe.eu/api'),
  ENTSOE_TOKEN: z.string().min(8, 'expected at least 8 characters').optional(),
  /** The Nordic grid frequency, `https://driftsdata.statnett.no/restapi/Frequency`. Off without it. */
  STATNETT_URL: url('http', 'https'),
  /** Reference rates in the format of the European Central Bank: its 90-day file, or the full history. */
  FX_URL: url('http', 'https').default('https://www.ecb.europa.eu/stats/eurofxref/eurofxref-hist-90d.xml'),
  /** The operator's refresh token as a registered third party, sealed into the store at first use. Off without one. */
  ELOVERBLIK_TOKEN: z.string().min(20, 'expected a refresh token of Eloverblik').optional(),
  ELOVERBLIK_URL: url('http', 'https').default('https://api.eloverblik.dk/thirdpartyapi/api'),
  /** Between two requests: each address may send 120 per minute, and 2 for tokens (each 60 times as long). */
  ELOVERBLIK_MIN_INTERVAL_MS: z.coerce.number().int().min(0).default(550),
  /** Days of readings that are fetched when a meter is enabled. */
  ELOVERBLIK_HISTORY_DAYS: z.coerce.number().int().min(1).max(1800).default(400),
  /** The ePayment API of Vipps MobilePay; its test environment is https://apitest.vipps.no. */
  VIPPS_URL: url('http', 'https').default('https://api.vipps.no'),
  /** Set by the demo: data from the addresses above is simulated, and every screen shows that. */
  EDS_SIMULATED: z.enum(['on', 'off']).default('off'),
  /** Days of published prices that a demo reads at its first start. */
  DEMO_PRICE_DAYS: z.coerce.number().int().min(1).max(800).default(400),
  /** Telemetry is refused below this disk space; default 5 % of the disk, at least 1 GiB and at most 10. */
  MIN_FREE_BYTES: z.coerce.number().int().min(0).optional(),
  /** Retention of raw samples; their roll-ups per minute are kept forever. Default: all is kept. */
  READINGS_RETENTION_DAYS: retention(31),
  /** Retention of records (operator/growth/retention.ts). Without a default rows are kept, because money depends on them. */
  RETENTION_AUDIT_DAYS: retention(365),
  RETENTION_SESSIONS_DAYS: retention(92),
  RETENTION_REGISTERS_DAYS: retention(400),
  RETENTION_EVENTS_DAYS: retention(400),
  RETENTION_REVISIONS_DAYS: retention(400),
  /** No charger repeats an older message. */
  RETENTION_MESSAGES_DAYS: retention(31).default(400),
  RETENTION_COMMANDS_DAYS: retention(31).default(730),
  RETENTION_ALERTS_DAYS: retention(31).default(730),
  RETENTION_PLANS_DAYS: retention(92).default(730),
  /** Memory for the last hour of each series (readings/last-hour.md); the store answers for the rest. */
  LAST_HOUR_BYTES: z.coerce.number().int().min(0).default(200_000_000),
  /** Storage of scheduled backups of the embedded stores. Off without it. */
  BACKUP_URL: z.string().superRefine(sayingWhy(readAddress)).optional(),
  BACKUP_S3_ENDPOINT: url('http', 'https'),
  BACKUP_S3_REGION: z.string().default('us-east-1'),
  BACKUP_S3_ACCESS_KEY: z.string().optional(),
  BACKUP_S3_SECRET_KEY: z.string().optional(),
  /** A public key of age, or a passphrase. */
  BACKUP_KEY: z
    .string()
    .regex(/^(?!AGE-SECRET-KEY)(age1[0-9a-z]{40,}|(?!age1)(?=.*\S).{20,})$/i, {
      error: 'expected a public key of age (age1…) or a passphrase of at least 20 characters',
    })
    .optional(),
  /** File of the private key, for restores and drills. */
  BACKUP_IDENTITY: z.string().optional(),
  BACKUP_CRON: z.string().superRefine(sayingWhy(readCron)).default('15 2 * * *'),
  BACKUP_DRILL_CRON: z
    .string()
    .superRefine(sayingWhy((text) => text === 'off' || readCron(text)))
    .default('45 3 * * 0'),
  BACKUP_KEEP_DAYS: z.coerce.number().int().min(1).max(36_500).default(7),
  BACKUP_KEEP_WEEKS: z.coerce.number().int().min(0).max(5_200).default(4),
  BACKUP_KEEP_MONTHS: z.coerce.number().int().min(0).max(1_200).default(12),
  /** One line of the log for each request: call, status, time, address. */
  ACCESS_LOG: z.enum(['on', 'off']).default('off'),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  ROLES: z
    .string()
    .default(roles.join(','))
    .transform((text) => text.split(',').map((role) => role.trim()))
    .pipe(z.array(z.enum(roles)).min(1)),
})

export type Config = z.output<typeof settings> & { HOST: string; dataDir: string; demo: boolean; demoMarker: string }

const simulatorsFolder = 'simulators'

/** Files of simulators are no installation: a first start that fails at a port in use leaves them behind. */
const isEmpty = (folder: string) =>
  !existsSync(folder) || readdirSync(folder).every((name) => name === simulatorsFolder || name === lockName)

const checkBackups = ({ BACKUP_URL, ...given }: z.output<typeof settings>) => {
  const server = given.DATABASE_URL ? 'DATABASE_URL' : given.CLICKHOUSE_URL ? 'CLICKHOUSE_URL' : null
  const isS3 = BACKUP_URL?.startsWith('s3:')
  const problem = server
    ? `BACKUP_URL: it is for the embedded stores, and ${server} is set: back up that server with its own tools`
    : !given.BACKUP_KEY
      ? 'BACKUP_KEY: missing, backups are encrypted (npm run backup-key creates one)'
      : isS3 && !(given.BACKUP_S3_ACCESS_KEY && given.BACKUP_S3_SECRET_KEY)
        ? 'BACKUP_URL: BACKUP_S3_ACCESS_KEY and BACKUP_S3_SECRET_KEY are missing'
        : null
  if (problem) throw new Error(`Settings that are not valid: ${problem}`)
}

/**
 * Reads the environment once. An empty value is unset. Throws an error with every invalid setting. A folder that looks like an installation
 * never becomes a demo, because a demo's passwords are public.
 */
export const readConfig = (environment: Record<string, string | undefined>): Config => {
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''))
  const read = settings.safeParse(given)
  if (!read.success) {
    const lines = read.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`)
    throw new Error(`Settings that are not valid: ${lines.join('; ')}`)
  }
  const { DATA_DIR, DEMO, DATABASE_URL, CLICKHOUSE_URL, PUBLIC_URL, SMTP_URL, MQTT_URL, HOST } = read.data
  const dataDir = resolve(DATA_DIR)
  const demoMarker = join(dataDir, 'demo.json')
  const isInstallation = [DATABASE_URL, CLICKHOUSE_URL, PUBLIC_URL, SMTP_URL, MQTT_URL].some(Boolean)
  if (existsSync(dataDir) && !statSync(dataDir).isDirectory())
    throw new Error(`Settings that are not valid: DATA_DIR: ${dataDir} is not a folder`)
  const demo = DEMO ? DEMO === 'on' : !isInstallation && (isEmpty(dataDir) || existsSync(demoMarker))
  if (read.data.EDS_SIMULATED === 'on' && !demo)
    throw new Error('Settings that are not valid: EDS_SIMULATED: simulated prices are for a demo only')
  if (read.data.CLICKHOUSE_CLUSTER && !CLICKHOUSE_URL)
    throw new Error('Settings that are not valid: CLICKHOUSE_CLUSTER: CLICKHOUSE_URL is missing')
  if (read.data.INGEST_PARTITIONS > 1 && !MQTT_URL)
    throw new Error('Settings that are not valid: INGEST_PARTITIONS: MQTT_URL is missing')
  if (read.data.INGEST_PARTITIONS > 1 && !CLICKHOUSE_URL)
    throw new Error('Settings that are not valid: INGEST_PARTITIONS: CLICKHOUSE_URL is missing')
  if (read.data.OCPP_TLS_PORT > 0 && !(read.data.OCPP_TLS_CERT && read.data.OCPP_TLS_KEY))
    throw new Error('Settings that are not valid: OCPP_TLS_PORT: OCPP_TLS_CERT and OCPP_TLS_KEY are missing')
  if (read.data.ROLES.length < roles.length && !read.data.SECRET_KEY)
    throw new Error('Settings that are not valid: SECRET_KEY: processes that share the work (ROLES) must share one')
  if (read.data.BACKUP_URL) checkBackups(read.data)
  return { ...read.data, HOST: HOST ?? (demo ? '127.0.0.1' : '0.0.0.0'), dataDir, demo, demoMarker }
}

/** A public address of the portal, for mails and tools. */
export const portalAddress = (config: Pick<Config, 'PUBLIC_URL' | 'PORT'>, path: string): string =>
  `${config.PUBLIC_URL?.replace(/\/$/, '') ?? `http://localhost:${config.PORT}`}${path}`

/** Reader of mails to the operator; `customerId` when the mail is about a customer. */
export const operator = (
  { OPERATOR_EMAIL, OPERATOR_LANGUAGE }: Pick<Config, 'OPERATOR_EMAIL' | 'OPERATOR_LANGUAGE'>,
  customerId: string | null,
) => ({ customerId, to: OPERATOR_EMAIL, language: OPERATOR_LANGUAGE })
