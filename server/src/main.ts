import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { refuse } from '#access/gates.ts'
import { findViewer, forgetByNews } from '#access/viewer.ts'
import { serveDevMail } from './domains/system/dev-mail.ts'
import { backfillRequest, watchBackfill } from './domains/market-data/backfill.ts'
import { startIngest } from './domains/instances/start.ts'
import { systemClock } from '#platform/clock.ts'
import { lockDataFolder } from '#platform/data-lock.ts'
import { openHttp } from '#platform/http.ts'
import { openJobs } from '#platform/jobs.ts'
import { openLive } from '#platform/live.ts'
import { openLog } from '#platform/log.ts'
import { openMailer } from '#platform/mail.ts'
import { openMetrics, serveMetrics } from '#platform/metrics.ts'
import { noNews, openNews } from '#platform/news.ts'
import { migrate } from '#platform/migrate.ts'
import { openDoor } from '#platform/operator-door.ts'
import { passwordsHashed } from '#platform/password.ts'
import { openRecords } from '#platform/records.ts'
import { openSecret } from '#platform/secret.ts'
import { openWebhookSender } from '#platform/webhook-sender.ts'
import { openReadings } from '#readings/readings.ts'
import { jobs, routes } from './app.ts'
import { readConfig } from './config.ts'
import { type App, ownOf } from './context.ts'
import { operatorCalls } from './operator-calls.ts'
import { applyProvisioning } from './provisioning/apply.ts'
import { readProvisioning } from './provisioning/read.ts'

const root = join(import.meta.dirname, '../..')

/** A number that names the lock; any fixed one will do. */
const readingsSchemaLock = 7_305_002

/** Ends with one line that a person can act on. */
const giveUp = (error: unknown): never => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exit(1)
}

const start = async () => {
  const config = readConfig(process.env)
  const log = openLog(config.LOG_LEVEL)
  await lockDataFolder(config.dataDir)
  if (config.demo && !existsSync(config.demoMarker)) {
    await mkdir(config.dataDir, { recursive: true })
    await writeFile(config.demoMarker, `${JSON.stringify({ madeAt: new Date().toISOString() })}\n`)
  }
  const has = (role: (typeof config.ROLES)[number]) => config.ROLES.includes(role)
  // Together: the readings engine opens in threads of its own.
  const opening = openRecords({ url: config.DATABASE_URL, dataDir: join(config.dataDir, 'records') })
  const [records, readings] = await Promise.all([
    opening,
    openReadings({
      dataDir: join(config.dataDir, 'readings'),
      url: config.CLICKHOUSE_URL,
      minFreeBytes: config.MIN_FREE_BYTES,
      log,
      alone: async (work) => (await opening).alone(readingsSchemaLock, work),
    }),
  ])
  const applied = await migrate(records)
  if (applied.length > 0) log.info({ applied }, 'migrated')
  if (config.demo) {
    const world = readProvisioning(await readFile(join(root, 'demo/world.yaml'), 'utf8'))
    const changes = await applyProvisioning(records, world, { dryRun: false })
    if (changes.length > 0) log.info({ changes: changes.length }, 'demo world provisioned')
  }
  const metrics = openMetrics()
  const news = config.DATABASE_URL ? await openNews({ url: config.DATABASE_URL, log }) : noNews
  forgetByNews(news)
  const app: App = {
    config,
    records,
    readings,
    jobs: openJobs(records, log),
    live: openLive(news),
    news,
    send: openMailer({
      smtpUrl: config.SMTP_URL,
      folder: join(config.dataDir, 'mail'),
      sender: 'Gridmast <no-reply@gridmast.example>',
    }),
    secret: openSecret(config.SECRET_KEY, join(config.dataDir, 'secret.key')),
    log,
    metrics,
    clock: systemClock,
    parts: {
      records: records.ping,
      readings: readings.ping,
      ...(config.DATABASE_URL ? { news: news.ping } : {}),
    },
  }
  metrics.gauge('gridmast_live_streams', 'Open live streams', () => app.live.count())
  metrics.gauge('gridmast_readings_broken_parts', 'Parts of the readings unreadable at start', readings.brokenParts)
  metrics.gauge('gridmast_passwords_hashed', 'Passwords hashed since start', passwordsHashed)
  metrics.gauge('gridmast_event_loop_delay_p99_ms', 'Event-loop delay since start, p99', () => metrics.loopDelayP99Ms())

  await app.jobs.start(jobs, app, has('jobs'))
  const allowPrivate = config.WEBHOOK_PRIVATE === 'on'
  const webhooks = openWebhookSender({ records, secret: app.secret, clock: app.clock, log, allowPrivate })
  if (has('jobs')) webhooks.start()
  const ingest = has('ingest') ? await startIngest(app) : null
  if (ingest) app.parts['mqtt'] = ingest.ping
  const http = has('web')
    ? await openHttp({
        routes,
        context: app,
        log,
        metrics,
        authenticate: (token) => findViewer(records, token, app.clock.now()),
        refuse,
        ownOf: (viewer, at) => ownOf(records, viewer, at),
        now: app.clock.now,
        userOf: (viewer) => viewer.userId,
        webRoot: join(root, 'web/dist'),
        requestsPerMinute: 1200,
        trustProxy: config.TRUST_PROXY,
        ...(config.demo ? { pages: (pages) => serveDevMail(pages, app) } : {}),
      })
    : null
  await http?.listen({ port: config.PORT, host: config.HOST })
  const askBackfill = (request: unknown) => watchBackfill(app, backfillRequest.parse(request))
  const door = has('jobs')
    ? await openDoor(config.dataDir, { backfill: askBackfill, ...operatorCalls(app) }, log)
    : null
  const scrape = config.METRICS_PORT
    ? await serveMetrics(metrics, config.METRICS_PORT).catch((error: Error) => {
        log.warn(`No metrics: ${error.message}`)
        return undefined
      })
    : undefined

  log.info({ port: config.PORT, mqttPort: config.MQTT_PORT, roles: config.ROLES, demo: config.demo }, 'ready')
  process.send?.({ ready: true, port: config.PORT })

  let stopping = false
  const stop = async (signal: string) => {
    if (stopping) return
    stopping = true
    log.info({ signal }, 'stopping')
    setTimeout(() => process.exit(1), 15_000).unref()
    door?.close()
    await http?.close()
    await ingest?.close()
    await webhooks.close()
    await app.jobs.close()
    app.live.close()
    await news.close()
    await readings.close()
    await records.close()
    scrape?.close()
    process.exit(0)
  }
  process.on('SIGTERM', () => void stop('SIGTERM'))
  process.on('SIGINT', () => void stop('SIGINT'))
}

/** A taken port is no bug: one line that names the setting. */
const portTaken = (error: unknown): unknown => {
  if (!(error instanceof Error) || !('code' in error) || error.code !== 'EADDRINUSE' || !('port' in error)) return error
  const setting = String(error.port) === (process.env['MQTT_PORT'] ?? '1883') ? 'MQTT_PORT' : 'PORT'
  return new Error(`Port ${String(error.port)} is taken. Stop what uses it, or set ${setting} to a free one.`)
}

start().catch((error: unknown) => giveUp(portTaken(error)))
