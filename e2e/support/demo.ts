import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import { freePort, root } from '../../tools/run.ts'

export type RunningDemo = {
  url: string
  mqttPort: number
  /** Resolves when the simulators have sent the history and the demo's users have finished their actions. */
  whole: Promise<unknown>
  stop: () => Promise<void>
}

const lastWords = ['All history is delivered.', 'Past sessions are delivered.', ' plans are set.']

const ready = async (url: string, server: ChildProcess) => {
  for (;;) {
    const answer = await fetch(`${url}/api/health`).catch(() => null)
    if (answer?.ok) return
    if (server.exitCode !== null) throw new Error('The demo ended before it was ready')
    await pause(250)
  }
}

/** `npm start` on its own ports; resolves when it is ready. */
export const startDemo = async (dataDir: string): Promise<RunningDemo> => {
  const [port, mqttPort] = [await freePort(), await freePort()]
  const server = spawn(process.execPath, [join(root, 'tools/start.ts')], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    env: {
      ...process.env,
      PORT: String(port),
      MQTT_PORT: String(mqttPort),
      METRICS_PORT: '0',
      DATA_DIR: dataDir,
      // Receivers of webhooks are on this machine.
      WEBHOOK_PRIVATE: 'on',
      // Includes some hours of yesterday, also just before midnight; pictures show settled months and a fleet with a history.
      ...(process.env['GALLERY']
        ? { DEMO_HISTORY_DAYS: '5', DEMO_CHARGING_DAYS: '60', DEMO_PRICE_DAYS: '85' }
        : { DEMO_HISTORY_DAYS: '1.25', DEMO_CHARGING_DAYS: '2', DEMO_PRICE_DAYS: '30' }),
      LOG_LEVEL: 'warn',
    },
  })
  const ended = once(server, 'exit')
  const stop = async () => {
    server.kill('SIGTERM')
    await ended
  }
  const { stdout } = server
  if (!stdout) throw new Error('asked for above')
  const unsaid = new Set(lastWords)
  const whole = new Promise<void>((resolve) => {
    createInterface({ input: stdout }).on('line', (line) => {
      for (const words of unsaid) if (line.includes(words)) unsaid.delete(words)
      if (unsaid.size === 0) resolve()
    })
  })
  const url = `http://127.0.0.1:${port}`
  try {
    await ready(url, server)
  } catch (error) {
    await stop()
    throw error
  }
  return { url, mqttPort, whole: Promise.race([whole, ended]), stop }
}
