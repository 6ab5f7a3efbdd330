import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { refuse } from '#access/gates.ts'
import { openFileTickets } from '#access/file-tickets.ts'
import { findViewer, forgetByBus, forgetViewers } from '#access/viewer.ts'
import { systemAfter, systemClock } from '#platform/process/clock.ts'
import { lockDataFolder } from '#platform/process/data-folder.ts'
import { serveHealth } from '#platform/process/health.ts'
import { openMetrics } from '#platform/process/metrics.ts'
import { openHttp } from '#platform/http/http.ts'
import { openJobs } from '#platform/jobs/jobs.ts'
import { openLive } from '#platform/http/live.ts'
import { openLog } from '#platform/process/log.ts'
import { mailKind, openMailer } from '#platform/messaging/mail.ts'
import { openBus } from '#platform/messaging/bus.ts'
import { openBacklogs } from '#readings/backlogs.ts'
import { isServerListening, openControlSocket } from '#platform/process/control-socket.ts'
import { openOutbox } from '#platform/messaging/outbox.ts'
import { passwordsHashed } from '#platform/security/password.ts'
import { checkPorts } from '#platform/process/ports.ts'
import { openReadCache } from '#platform/records/read-cache.ts'
import { openSecret } from '#platform/security/secret.ts'
import { webhookKind } from '#platform/messaging/webhook.ts'
import { jobs, outboxKinds, routes, servePages } from './app.ts'
import { backupCall, storeBackupCall } from './operator/backup/backup.ts'
import { backupJobs } from './operator/backup/jobs.ts'
import { restoringName } from './operator/backup/restore.ts'
import { openChargers } from './roles/chargers.ts'
import { readConfig } from './config.ts'
import { type App, ownOf } from './context.ts'
import { meterBackfill, watchMeters } from '#meters/data-hub/sync.ts'
import { startPlanning } from './planning/load-shifting/start.ts'
import { backfillRequest, watchBackfill } from './grid/market-data/backfill.ts'
import { openEdgesInTurn } from './roles/edges.ts'
import { countInserts, countRuns, openProcessMetrics } from './operator/system/metrics.ts'
import { moveWhileServing, refuseMoved, servers } from './operator/move/move.ts'
import { operatorCalls } from './operator/operator-calls.ts'
import { eraseTenant, eraseTenantRequest } from './operator/tenant-exit/erase-tenant.ts'
import { exportTenant, exportTenantRequest } from './operator/tenant-exit/export-tenant.ts'
import { openStores } from './stores.ts'

const root = join(import.meta.dirname, '../..')

const start = async () => {
  const config = readConfig(process.env)
  const log = openLog(config.LOG_LEVEL, config.ROLES)
  const has = (role: (typeof config.ROLES)[number]) => config.ROLES.includes(role)
  const own = {
    setting: 'METRICS_PORT',
    port: config.METRICS_PORT,
    hostSetting: 'METRICS_HOST',
    host: config.METRICS_HOST,
  }
  const open = { hostSetting: 'HOST', host: config.HOST }
  await lockDataFolder(config.dataDir, {
    waitMs: 20_000,
    isAnswering: () => isServerListening(config.dataDir),
    onWait: () => log.warn(`waiting up to 20 s for the previous server to release ${config.dataDir}`),
  })
  if (existsSync(join(config.dataDir, restoringName)))
    throw new Error(`A restore into ${config.dataDir} did not finish: run npm run restore again.`)
  if (!config.DATABASE_URL) refuseMoved(config.dataDir)
  await checkPorts([
    ...(has('web') || has('ocpp') ? [{ ...open, setting: 'PORT', port: config.PORT }] : []),
    ...(has('ingest') && !config.MQTT_URL ? [{ ...open, setting: 'MQTT_PORT', port: config.MQTT_PORT }] : []),
    own,
  ])

  const metrics = openMetrics()
  const { records, readings } = await openStores(config, log, countInserts(metrics))
  const bus = await openBus({ records, log })
  forgetByBus(bus)
  const readCache = openReadCache(records, bus)
  const app: App = {
    config,
    records,
    readings,
    jobs: openJobs({ records, bus, log, onRun: countRuns(metrics) }),
    live: openLive(bus),
    backlogs: openBacklogs(bus),
    bus,
    send: openMailer({ smtpUrl: config.SMTP_URL, folder: join(config.dataDir, 'mail'), sender: config.MAIL_FROM, log }),
    secret: openSecret(config.SECRET_KEY, join(config.dataDir, 'secret.key'), config.SECRET_KEY_OTHER),
    log,
    metrics,
    clock: systemClock,
    after: systemAfter,
    parts: {
      records: records.ping,
      readings: readings.ping,
      ...(config.DATABASE_URL ? { news: bus.ping } : {}),
    },
  }
  openProcessMetrics(app)
  metrics.total('gridmast_passwords_hashed_total', passwordsHashed)

  await app.jobs.start([...jobs, ...backupJobs(config)], app, has('jobs'))
  const outbox = openOutbox({
    records,
    clock: app.clock,
    log,
    kinds: {
      mail: mailKind(app.send, { isDemo: config.demo }),
      webhook: webhookKind({ ...app, allowPrivate: config.WEBHOOK_PRIVATE === 'on' }),
      ...outboxKinds(app),
    },
  })
  if (has('jobs')) {
    outbox.start()
    bus.listen('outbox', () => void outbox.drain())
  }
  const planning = has('jobs') ? startPlanning(app) : null
  const stopBecause = (reason: string) => {
    log.fatal(reason)
    process.kill(process.pid, 'SIGTERM')
  }
  const ingest = has('ingest') ? await openEdgesInTurn(app, stopBecause) : null
  const http = has('web')
    ? await openHttp({
        routes,
        context: app,
        log,
        metrics,
        authenticate: (token) => findViewer(records, token, app.clock.now()),
        tickets: openFileTickets(app),
        refuse,
        ownOf: (viewer, at) => ownOf({ records, readCache }, viewer, at),
        now: app.clock.now,
        changed: () => {
          forgetViewers()
          readCache.forget()
        },
        userOf: (viewer) => viewer.userId,
        companyOf: (viewer) => viewer.customerId,
        webRoot: join(root, 'web/dist'),
        requestsPerMinute: 1200,
        trustProxy: config.TRUST_PROXY,
        publicUrl: config.PUBLIC_URL,
        accessLog: config.ACCESS_LOG === 'on',
        pages: (pages) => servePages(pages, app),
      })
    : null
  const chargers = has('ocpp') ? await openChargers(app, http?.server ?? null) : null
  await http?.listen({ port: config.PORT, host: config.HOST })
  const backfill = (request: unknown) => {
    const meters = meterBackfill.safeParse(request)
    return meters.success ? watchMeters(app, meters.data) : watchBackfill(app, backfillRequest.parse(request))
  }
  const backup = () => backupCall(app)
  const move = (request: unknown) => moveWhileServing({ records, readings: readings.client }, servers.parse(request))
  const tenant = {
    'tenant-export': (request: unknown) => {
      const { customer, close } = exportTenantRequest.parse(request)
      return exportTenant(app, customer, close)
    },
    'tenant-erase': (request: unknown) => eraseTenant(app, eraseTenantRequest.parse(request)),
  }
  const calls = { backfill, backup, 'store-backup': () => storeBackupCall(app), move, ...tenant, ...operatorCalls(app) }
  const door = await openControlSocket(config.dataDir, calls, log)
  const health = own.port ? await serveHealth({ ...own, metrics, probes: app.parts }) : null

  log.info({ port: config.PORT, mqttPort: config.MQTT_PORT, demo: config.demo }, 'ready')
  process.send?.({ ready: true, port: config.PORT })

  let stopping = false
  const stop = async (exitCode: number) => {
    if (stopping) return
    stopping = true
    app.parts['process'] = () => Promise.reject(new Error('stopping')) // a balancer sends nothing more
    setTimeout(() => process.exit(1), 15_000).unref()
    door.close()
    const parts = [chargers, http, ingest, planning, outbox, app.jobs, app.live, bus, readings, records]
    for (const part of parts)
      try {
        await part?.close()
      } catch (error) {
        log.warn({ err: error }, 'part not closed') // its store is unavailable; the others are still closed
      }
    health?.close()
    process.exit(exitCode)
  }
  for (const signal of ['SIGTERM', 'SIGINT'])
    process.on(signal, () => {
      log.info({ signal }, 'stopping')
      void stop(0)
    })
  // Unhandled rejections are reported here too.
  let isFaulty = false
  process.on('uncaughtException', (error, origin) => {
    if (isFaulty) return
    isFaulty = true
    log.fatal({ err: error, origin }, 'stopping after an uncaught error')
    void stop(1)
  })
}

process.umask(0o077) // files of this process are readable by its owner only
start().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`) // one line with the setting at fault
  process.exit(1)
})
