import { z } from 'zod'
import { call } from '#call.ts'

export const partHealth = z.object({ ready: z.boolean(), detail: z.string().optional() })

export const health = call({
  method: 'GET',
  path: '/health',
  summary: 'Liveness, and readiness of each part; errors are shown on the machine itself only',
  may: 'public',
  response: z.object({ version: z.string(), ready: z.boolean(), parts: z.record(z.string(), partHealth) }),
})

export const openApi = call({ method: 'GET', path: '/openapi.json', summary: 'This API as OpenAPI 3.1', may: 'public' })
export const docs = call({ method: 'GET', path: '/docs', summary: 'This API, readable', may: 'public', answer: 'html' })

export const freshness = z.object({
  source: z.string(),
  lastSuccess: z.iso.datetime().nullable(),
  lagS: z.number().nullable(),
  simulated: z.boolean(),
  detail: z.string().nullable(),
  /** Of published data only: where it ends, and by how much that is earlier than it should be. */
  coveredUntil: z.iso.datetime().nullable().optional(),
  lateS: z.number().nullable().optional(),
  /** The same for each price area. */
  areas: z
    .array(z.object({ area: z.string(), coveredUntil: z.iso.datetime().nullable(), lateS: z.number().nullable() }))
    .optional(),
  nextDue: z.iso.datetime().nullable().optional(),
  /** Intervals of the last 30 days that should exist and do not, with the first one of some series. */
  gaps: z
    .object({
      missing: z.number(),
      expected: z.number(),
      examples: z.array(z.object({ series: z.string(), start_time: z.iso.datetime() })),
    })
    .nullable()
    .optional(),
  /** Months of history; null when none was asked for. */
  backfill: z.object({ done: z.number(), all: z.number(), failed: z.number() }).nullable().optional(),
})

export const historyProgress = call({
  method: 'GET',
  path: '/client/customer/history',
  summary:
    'How much has arrived of measurements that edges still have to send, and of months of market data that are being read; null of what is complete',
  may: 'system.read',
  response: z.object({
    /** Share of the samples, 0 to 1, as the edges report it. */
    telemetry: z.number().nullable(),
    /** Months of published data. */
    marketData: z.object({ done: z.number(), all: z.number() }).nullable(),
  }),
})

export const systemStatus = call({
  method: 'GET',
  path: '/client/customer/system-status',
  summary: 'Storage, instances, last update, and the freshness of every source',
  may: 'system.read',
  of: ['instance'],
  response: z.object({
    /** Mb; null until it was counted for the first time. */
    storage: z.number().nullable(),
    /** When storage and published sources were counted; null while the first count runs, and then only edges are in `sources`. */
    countedAt: z.iso.datetime().nullable(),
    instanceCount: z.number(),
    lastUpdated: z.iso.datetime().nullable(),
    sources: z.array(freshness),
  }),
})
