// Builds the web app and starts the server, and in a demo the simulators.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ChildProcess } from 'node:child_process'
import { readConfig } from '../server/src/config.ts'
import { simulatedToken } from '../simulators/market-data/eloverblik.ts'
import { freePort, root, startNode } from './run.ts'
import { buildWeb } from './build.ts'

const children = new Set<ChildProcess>()
let stopping = false

const stopAll = (code: number) => {
  if (stopping) return
  stopping = true
  for (const child of children) child.kill('SIGTERM')
  const left = setInterval(() => {
    if (children.size > 0) return
    clearInterval(left)
    process.exit(code)
  }, 50)
  setTimeout(() => {
    for (const child of children) child.kill('SIGKILL')
    process.exit(code)
  }, 17_000).unref()
}

const start = (
  script: string,
  args: string[],
  env: NodeJS.ProcessEnv,
  ended: (code: number | null) => void,
): ChildProcess => {
  const child = startNode(script, args, { env, stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  children.add(child)
  child.once('exit', (code) => {
    children.delete(child)
    if (!stopping) ended(code)
  })
  return child
}

/**
 * Read by the process with the readings engine before its first line runs. The engine uses up to four threads, and file access and password
 * checks must not wait for them; and glibc must return memory: 760 MB instead of 1,370 in the first minutes of a demo (measured).
 */
const engineSettings = JSON.parse(readFileSync(join(root, 'tools/engine.json'), 'utf8')) as NodeJS.ProcessEnv // names and texts

/** 48 MB of young objects per process instead of 192, because a demo runs next to other programs. */
const smallHeap = '--max-semi-space-size=16'

const isReady = (message: unknown): message is { ready: true; port: number } =>
  typeof message === 'object' && message !== null && 'ready' in message

/** Starts a program that is restarted a second after it ends, at most five times per hour. */
const startAlways = (name: string, launch: (ended: (code: number | null) => void) => ChildProcess) => {
  const endedAt: number[] = []
  const restart = (code: number | null) => {
    const now = Date.now()
    endedAt.push(now)
    if (endedAt.filter((at) => now - at < 3_600_000).length > 5) {
      console.error(`${name} ended repeatedly and is not started again.`)
      return stopAll(1)
    }
    console.error(`${name} ended (${code ?? 'killed'}) and is started again.`)
    setTimeout(() => stopping || launch(restart), 1000)
  }
  launch(restart)
}

const main = async () => {
  const config = readConfig(process.env)
  const env: NodeJS.ProcessEnv = { ...engineSettings, ...process.env }
  const state = join(config.dataDir, 'simulators')
  // Decided once, because the simulators write into the folder by which the server decides.
  if (config.demo) {
    env['DEMO'] = 'on'
    env['NODE_OPTIONS'] = `${smallHeap} ${process.env['NODE_OPTIONS'] ?? ''}`.trim()
  }
  process.on('SIGINT', () => stopAll(0))
  process.on('SIGTERM', () => stopAll(0))
  process.on('disconnect', () => stopAll(0)) // the parent process (a journey) has ended
  const developing = process.env['GRIDMAST_DEV'] === 'on'
  if (!developing) await buildWeb()

  if (config.demo && !process.env['EDS_URL']) {
    const port = await freePort()
    env['EDS_URL'] = `http://127.0.0.1:${port}`
    env['EDS_MIN_INTERVAL_MS'] ??= '1000'
    env['EDS_SIMULATED'] = 'on'
    env['ENTSOE_URL'] = `${env['EDS_URL']}/entsoe`
    env['ENTSOE_TOKEN'] = 'simulated'
    env['STATNETT_URL'] = `${env['EDS_URL']}/frequency`
    env['FX_URL'] = `${env['EDS_URL']}/exchange-rates.xml`
    env['ELOVERBLIK_URL'] = `${env['EDS_URL']}/eloverblik`
    env['ELOVERBLIK_TOKEN'] ??= simulatedToken('THIRDPARTYAPI_Refresh', Date.parse('2030-01-01'))
    const paymentsPort = await freePort()
    env['VIPPS_URL'] = `http://127.0.0.1:${paymentsPort}`
    const payments = ['--port', String(paymentsPort), '--approve-s', '4', '--state', state]
    startAlways('The payment simulator', (ended) => start('simulators/payments/main.ts', payments, env, ended))
    const prices = ['--port', String(port)]
    startAlways('The market-data simulator', (ended) => start('simulators/market-data/main.ts', prices, env, ended))
  }

  let simulating = false
  const simulate = (portalPort: number) => {
    if (simulating || !config.demo) return
    simulating = true
    const mqtt = config.MQTT_URL ?? `mqtt://127.0.0.1:${config.MQTT_PORT}`
    const days = process.env['DEMO_HISTORY_DAYS'] ?? '14'
    const world = ['--world', join(root, 'demo/world.yaml'), '--state', state]
    const edges = [...world, '--mqtt', mqtt, '--history-days', days, ...(config.MQTT_URL ? ['--acks'] : [])]
    startAlways('The edge simulator', (ended) => start('simulators/edge-gateway/main.ts', edges, env, ended))
    const chargingDays = process.env['DEMO_CHARGING_DAYS'] ?? '60'
    const url = `ws://127.0.0.1:${portalPort}/ocpp`
    const chargers = [...world, '--url', url, '--unknown', 'vestkyst', '--history-days', chargingDays]
    startAlways('The charger simulator', (ended) => start('simulators/charge-point/main.ts', chargers, env, ended))
    const portal = [
      '--portal',
      `http://${config.HOST}:${portalPort}`,
      '--state',
      state,
      '--operator',
      join(root, 'tools/operator.ts'),
      '--price-days',
      String(config.DEMO_PRICE_DAYS),
      ...(env['EDS_SIMULATED'] === 'on' && env['VIPPS_URL'] ? ['--payments', env['VIPPS_URL']] : []),
    ]
    start('simulators/back-office/main.ts', portal, env, () => {})
  }

  let everReady = false
  startAlways('The server', (restart) => {
    const server = start('server/src/main.ts', [], env, (code) => (everReady ? restart(code) : stopAll(code ?? 1)))
    server.on('message', (message) => {
      if (!isReady(message)) return
      if (!everReady) announce(message.port, config.demo)
      everReady = true
      simulate(message.port)
    })
    return server
  })
}

const announce = (port: number, demo: boolean) => {
  console.log(`\n  Gridmast is ready: http://localhost:${port}\n`)
  if (demo) console.log('  Demo sign-in: sudoer@nordhavn.example / gridmast-demo\n')
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : String(error))
  stopAll(1)
  if (children.size === 0) process.exit(1)
})
