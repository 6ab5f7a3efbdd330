import { createServer, type Server } from 'node:http'
import { answeredInTime } from './in-time.ts'
import type { Metrics } from './metrics.ts'
import { version } from './version.ts'

type Probes = Record<string, () => Promise<void>>

type Health = { version: string; ready: boolean; parts: Record<string, { ready: boolean; detail?: string }> }

/** Time limit of a probe, so that a hanging part does not delay the answer. */
const longestProbeMs = 2000

export const isReady = (probe: () => Promise<void>): Promise<boolean> =>
  answeredInTime(probe, longestProbeMs).then(
    () => true,
    () => false,
  )

export const readHealth = async (probes: Probes): Promise<Health> => {
  const parts = await Promise.all(
    Object.entries(probes).map(async ([name, probe]) => {
      const detail = await answeredInTime(probe, longestProbeMs).then(
        () => null,
        (error: unknown) => (error instanceof Error ? error.message : String(error)),
      )
      return [name, { ready: detail === null, ...(detail === null ? {} : { detail }) }] as const
    }),
  )
  return { version, ready: parts.every(([, { ready }]) => ready), parts: Object.fromEntries(parts) }
}

type Page = { status: number; text: string; type: string }

/**
 * Health and metrics of a process with any roles, on the operator's address (METRICS_HOST), never the public one, because the errors of a part
 * are those of the engine. `/live` answers while the process runs, `/ready` while all of its parts do.
 */
export const serveHealth = (from: { probes: Probes; metrics: Metrics; port: number; host: string }): Promise<Server> =>
  new Promise((resolve, reject) => {
    const ready = async (): Promise<Page> => {
      const health = await readHealth(from.probes)
      return { status: health.ready ? 200 : 503, text: JSON.stringify(health), type: 'application/json' }
    }
    const pages: Record<string, () => Promise<Page>> = {
      '/metrics': async () => ({ status: 200, text: await from.metrics.text(), type: from.metrics.contentType }),
      '/live': async () => ({ status: 200, text: JSON.stringify({ version }), type: 'application/json' }),
      '/ready': ready,
      '/api/health': ready,
    }
    const server = createServer((request, response) => {
      const page = pages[request.url ?? '']
      if (!page) return void response.writeHead(404).end()
      page().then(
        ({ status, text, type }) => response.writeHead(status, { 'content-type': type }).end(text),
        () => response.writeHead(500).end(),
      )
    })
    server.once('error', reject)
    server.listen(from.port, from.host, () => resolve(server))
  })
