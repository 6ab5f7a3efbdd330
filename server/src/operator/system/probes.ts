import type { FastifyInstance } from 'fastify'
import type { App } from '#context.ts'
import { readHealth } from '#platform/process/health.ts'

/** `/live` and `/ready` for a balancer, without the parts and their errors; the operator's are at METRICS_PORT. */
export const serveProbes = (http: FastifyInstance, { parts }: Pick<App, 'parts'>): void => {
  http.get('/live', async () => ({ live: true }))
  http.get('/ready', async (_request, reply) => {
    const { ready } = await readHealth(parts)
    if (!ready) void reply.code(503).header('retry-after', 5)
    return { ready }
  })
}
