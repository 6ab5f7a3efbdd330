import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { freePort, startNode } from '../tools/run.ts'

const isServerOf = (parent: number, pid: string) => {
  try {
    const [, id] = /\) \S (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? []
    return Number(id) === parent && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('server/src/main.ts')
  } catch {
    return false // ended meanwhile
  }
}

/** A demo in a folder of its own. */
export const startDemo = async (settings: Record<string, string>) => {
  const folder = mkdtempSync(join(tmpdir(), 'gridmast-bench-demo-'))
  const port = await freePort()
  const demo = startNode('tools/start.ts', [], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      ...process.env,
      DATA_DIR: folder,
      HOST: '127.0.0.1',
      PORT: String(port),
      MQTT_PORT: String(await freePort()),
      METRICS_PORT: '0',
      DEMO: 'on',
      LOG_LEVEL: 'error',
      ...settings,
    },
  })
  return {
    url: `http://127.0.0.1:${port}`,
    /** Of the server, which the demo starts after its build. */
    serverPid: async (): Promise<number> => {
      for (;;) {
        const pid = readdirSync('/proc').find((name) => /^\d+$/.test(name) && isServerOf(demo.pid ?? 0, name))
        if (pid !== undefined) return Number(pid)
        if (demo.exitCode !== null) throw new Error('the demo ended before its server was started')
        await pause(500)
      }
    },
    stop: async () => {
      if (demo.exitCode === null) {
        const ended = once(demo, 'exit')
        demo.kill('SIGTERM')
        await ended
      }
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** The token of a user of the demo, once it answers. */
export const signIn = async (url: string): Promise<string> => {
  const user = { email: 'sudoer@nordhavn.example', password: 'gridmast-demo' }
  for (let tries = 0; tries < 120; tries++) {
    const answer = await fetch(`${url}/api/user/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ user }),
    }).catch(() => null)
    if (answer?.ok) return ((await answer.json()) as { data: { token: string } }).data.token
    await new Promise((resolve) => setTimeout(resolve, 1000))
  }
  throw new Error('the demo did not start')
}
