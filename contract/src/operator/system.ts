import { z } from 'zod'
import { call } from '#call.ts'

export const partHealth = z.object({ ready: z.boolean(), detail: z.string().optional() })

export const health = call({
  method: 'GET',
  path: '/health',
  summary: 'Check the liveness, and the readiness of each part; errors are shown on the machine itself only',
  may: 'public',
  response: z.object({ version: z.string(), ready: z.boolean(), parts: z.record(z.string(), partHealth) }),
})

export const openApi = call({
  method: 'GET',
  path: '/openapi.json',
  summary: 'Get this API as OpenAPI 3.1',
  may: 'public',
})
export const docs = call({
  method: 'GET',
  path: '/docs',
  summary: 'Show this API as a page',
  may: 'public',
  answer: 'html',
})

export const freshness = z.object({
  source: z.string(),
  lastSuccess: z.iso.datetime().nullable(),
  lagS: z.number().nullable(),
  simulated: z.boolean(),
  detail: z.string().nullable(),
  /** Published data only: its end, and seconds behind the expected end. */
  coveredUntil: z.iso.datetime().nullable().optional(),
  lateS: z.number().nullable().optional(),
  areas: z
    .array(z.object({ area: z.string(), coveredUntil: z.iso.datetime().nullable(), lateS: z.number().nullable() }))
    .optional(),
  nextDue: z.iso.datetime().nullable().optional(),
  gaps: z
    .object({
      missing: z.number(),
      expected: z.number(),
      examples: z.array(z.object({ series: z.string(), start_time: z.iso.datetime() })),
    })
    .nullable()
    .optional(),
  backfill: z.object({ done: z.number(), all: z.number(), failed: z.number() }).nullable().optional(),
})

export const historyProgress = call({
  method: 'GET',
  path: '/client/customer/history',
  summary:
    'Get the progress of measurements that edges still have to send, and of months of market data that are being read; null for a complete part',
  may: 'system.read',
  response: z.object({
    telemetry: z.number().nullable(),
    marketData: z.object({ done: z.number(), all: z.number() }).nullable(),
  }),
})

export const systemStatus = call({
  method: 'GET',
  path: '/client/customer/system-status',
  summary: 'Get the storage, instances, last update, and the freshness of every source',
  may: 'system.read',
  of: ['instance'],
  response: z.object({
    /** MB; null until the first count. */
    storage: z.number().nullable(),
    countedAt: z.iso.datetime().nullable(),
    instanceCount: z.number(),
    lastUpdated: z.iso.datetime().nullable(),
    sources: z.array(freshness),
  }),
})
