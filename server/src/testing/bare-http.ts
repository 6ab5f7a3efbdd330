import type { FastifyInstance } from 'fastify'
import { pino } from 'pino'
import { openHttp, type HttpOptions } from '#platform/http/http.ts'
import { openMetrics } from '#platform/process/metrics.ts'

/** The HTTP layer without stores and sessions; a viewer is a name. */
export const openBareHttp = (
  options: Partial<HttpOptions<null, string>> & Pick<HttpOptions<null, string>, 'routes'>,
): Promise<FastifyInstance> =>
  openHttp<null, string>({
    context: null,
    log: pino({ level: 'silent' }),
    metrics: openMetrics(),
    authenticate: () => Promise.resolve(null),
    tickets: { add: () => Promise.reject(new Error('no store')), use: () => Promise.resolve(null) },
    refuse: () => null,
    ownOf: () => ({
      own: () => Promise.reject(new Error('no store')),
      readCached: () => Promise.reject(new Error('no store')),
      audit: () => Promise.resolve(),
    }),
    userOf: (name) => name,
    companyOf: (name) => name,
    now: Date.now,
    changed: () => {},
    requestsPerMinute: 1000,
    ...options,
  })
