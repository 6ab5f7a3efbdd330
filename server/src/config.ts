import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { languages } from '@gridmast/contract/people/user.ts'
import { z } from 'zod'
import { proxiesOf } from '#platform/http/address.ts'
import { lockName } from '#platform/process/data-lock.ts'
import { addressesOf } from '#platform/records/hosts.ts'

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

const mailbox = /^(?:[^<>@\p{Cc}]+ <[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/u

const roles = ['web', 'ingest', 'ocpp', 'jobs'] as const

const settings = z.object({
  PORT: port(3000),
  HOST: z.string().optional(),
  MQTT_PORT: port(1883),
  /** Health and metrics of this process, whatever its roles. */
  METRICS_PORT: port(9464),
  METRICS_HOST: z.string().default('127.0.0.1'),
  DATA_DIR: z.string().default('./data'),
  DEMO: z.enum(['on', 'off']).optional(),
  /** One host or several as libpq writes them: `postgres://user@a,b/gridmast?target_session_attrs=read-write`. */
  DATABASE_URL: z.string().superRefine(sayingWhy(addressesOf)).optional(),
  /** Connections to DATABASE_URL that requests and jobs share; the job queue has up to 10 more, news one. */
  DATABASE_POOL: z.coerce.number().int().min(2).max(500).default(20),
  CLICKHOUSE_URL: url('http', 'https'),
  MQTT_URL: url('mqtt', 'mqtts'),
  /** The name under which the broker at MQTT_URL keeps messages while this process is away; no other process may use it. */
  MQTT_CLIENT_ID: z
    .string()
    .regex(/^[A-Za-z0-9._-]{1,64}$/, 'expected 1 to 64 of A-Z a-z 0-9 . _ -')
    .default('gridmast'),
  SMTP_URL: url('smtp', 'smtps'),
  MAIL_FROM: z
    .string()
    .regex(mailbox, 'expected an address, or a name and an address: Gridmast <portal@company.example>')
    .default('Gridmast <no-reply@gridmast.example>'),
  PUBLIC_URL: url('http', 'https'),
  ADMIN_PORTAL_URL: url('http', 'https'),
  /** Addresses of the proxies in front, as fastify's trustProxy takes them: whose X-Forwarded-For is believed. */
  TRUST_PROXY: z.string().refine(canRead(proxiesOf), 'expected addresses, networks or loopback').default('loopback'),
  /** Seals and hashes secrets; without it a key is made and kept in DATA_DIR. */
  SECRET_KEY: z.string().min(32, 'expected at least 32 characters').optional(),
  /** Chargers may connect without TLS from other machines: their keys then travel in the clear. */
  OCPP_PLAIN: z.enum(['on', 'off']).default('off'),
  /** A port of its own where chargers find TLS that ends here; without it a proxy in front ends it. */
  OCPP_TLS_PORT: port(0),
  /** PEM files: our certificate and its key, and the CA that signs the certificates of chargers (security profile 3). */
  OCPP_TLS_CERT: pemFile,
  OCPP_TLS_KEY: pemFile,
  OCPP_CLIENT_CA: pemFile,
  /** Whom requests for an account are mailed to. */
  OPERATOR_EMAIL: z.email().default('operator@gridmast.example'),
  OPERATOR_LANGUAGE: z.enum(languages).default('en'),
  /** Webhooks may reach private and loopback addresses: for a demo, a test or a network of one's own. */
  WEBHOOK_PRIVATE: z.enum(['on', 'off']).default('off'),
  EDS_URL: url('http', 'https').default('https://api.energidataservice.dk'),
  EDS_MIN_INTERVAL_MS: z.coerce.number().int().min(0).default(61_000),
  /** Day-ahead prices of SE1 and SE2, and of all areas while EDS_URL fails. Off without the token. */
  ENTSOE_URL: url('http', 'https').default('https://web-api.tp.entsoe.eu/api'),
  ENTSOE_TOKEN: z.string().min(8, 'expected at least 8 characters').optional(),
  /** The Nordic grid frequency, `https://driftsdata.statnett.no/restapi/Frequency`. Off without it. */
  STATNETT_URL: url('http', 'https'),
  /** Reference rates in the form of the European Central Bank; its file of 90 days, or the whole history. */
  FX_URL: url('http', 'https').default('https://www.ecb.europa.eu/stats/eurofxref/eurofxref-hist-90d.xml'),
  /** The operator's refresh token as a registered third party; sealed into the store when it is first seen. Off without one. */
  ELOVERBLIK_TOKEN: z.string().min(20, 'expected a refresh token of Eloverblik').optional(),
  ELOVERBLIK_URL: url('http', 'https').default('https://api.eloverblik.dk/thirdpartyapi/api'),
  /** Between two requests: 120 a minute are allowed to an address, and 2 for tokens (each 60 times as long). */
  ELOVERBLIK_MIN_INTERVAL_MS: z.coerce.number().int().min(0).default(550),
  /** Days of readings that are fetched of a meter when it is switched on. */
  ELOVERBLIK_HISTORY_DAYS: z.coerce.number().int().min(1).max(1800).default(400),
  /** The ePayment API of Vipps MobilePay; their test environment is https://apitest.vipps.no. */
  VIPPS_URL: url('http', 'https').default('https://api.vipps.no'),
  /** Set by the demo: what the addresses above answer is simulated and every screen says so. */
  EDS_SIMULATED: z.enum(['on', 'off']).default('off'),
  /** Days of published prices that a demo reads at its first start. */
  DEMO_PRICE_DAYS: z.coerce.number().int().min(1).max(800).default(400),
  /** With this little room on the disk no telemetry is taken; by default 5 % of the disk, at least 1 GiB and at most 10. */
  MIN_FREE_BYTES: z.coerce.number().int().min(0).optional(),
  /** Raw samples are kept for so many days; their roll-ups of a minute for ever. Without it everything is kept. */
  READINGS_RETENTION_DAYS: z.coerce.number().int().min(31).optional(),
  /** Memory for the last hour of each series (readings/last-hour.md); what does not fit the store answers. */
  LAST_HOUR_BYTES: z.coerce.number().int().min(0).default(200_000_000),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  ROLES: z
    .string()
    .default(roles.join(','))
    .transform((text) => text.split(',').map((role) => role.trim()))
    .pipe(z.array(z.enum(roles)).min(1)),
})

export type Config = z.output<typeof settings> & { HOST: string; dataDir: string; demo: boolean; demoMarker: string }

/** What the simulators of a demo keep, in its data folder. */
const simulatorsFolder = 'simulators'

/** What simulators have put there is no installation: a first start that ended at a taken port leaves it. */
const isEmpty = (folder: string) =>
  !existsSync(folder) || readdirSync(folder).every((name) => name === simulatorsFolder || name === lockName)

/**
 * Reads the environment once. An empty value counts as unset. Throws an error that names every setting that is wrong.
 * Nothing becomes a demo by itself that looks like an installation: its sign-ins are published.
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
  const demo = DEMO ? DEMO === 'on' : !isInstallation && (isEmpty(dataDir) || existsSync(demoMarker))
  if (read.data.EDS_SIMULATED === 'on' && !demo)
    throw new Error('Settings that are not valid: EDS_SIMULATED: simulated prices are for a demo only')
  if (read.data.OCPP_TLS_PORT > 0 && !(read.data.OCPP_TLS_CERT && read.data.OCPP_TLS_KEY))
    throw new Error('Settings that are not valid: OCPP_TLS_PORT: OCPP_TLS_CERT and OCPP_TLS_KEY are missing')
  if (read.data.ROLES.length < roles.length && !read.data.SECRET_KEY)
    throw new Error('Settings that are not valid: SECRET_KEY: processes that share the work (ROLES) must share one')
  return { ...read.data, HOST: HOST ?? (demo ? '127.0.0.1' : '0.0.0.0'), dataDir, demo, demoMarker }
}

/** An address of the portal as people reach it, for mails and tools. */
export const portalAddress = (config: Pick<Config, 'PUBLIC_URL' | 'PORT'>, path: string): string =>
  `${config.PUBLIC_URL?.replace(/\/$/, '') ?? `http://localhost:${config.PORT}`}${path}`

/** Whose progress through the stored samples it is: each process that takes them from a broker has its own. */
export const ingestClient = (config: Pick<Config, 'MQTT_URL' | 'MQTT_CLIENT_ID'>): string =>
  config.MQTT_URL ? config.MQTT_CLIENT_ID : 'embedded'

/** Who reads what is mailed to the operator; `customerId` where it is about a customer. */
export const operator = (
  { OPERATOR_EMAIL, OPERATOR_LANGUAGE }: Pick<Config, 'OPERATOR_EMAIL' | 'OPERATOR_LANGUAGE'>,
  customerId: string | null,
) => ({ customerId, to: OPERATOR_EMAIL, language: OPERATOR_LANGUAGE })
