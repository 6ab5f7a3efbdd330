import { z } from 'zod'
import { call, id } from '#call.ts'
import { shortText, text } from '#fields.ts'
import { limits } from '#limits.ts'
import { markets } from '#markets.ts'
import { m } from '#messages.ts'

const instant = z.iso.datetime()
const params = z.object({ id: id('edge') })

export const edgeAreas = ['DK1', 'DK2', 'SE1', 'SE2', 'SE3', 'SE4'] as const
/** `battery` is planned as storage, the other kinds as loads. */
export const instanceKinds = ['cold-store', 'battery', 'ev', 'heat-pump', 'logistics', 'other'] as const

const edgeInstance = z.object({
  _id: id('instance'),
  key: z.string(),
  name: z.string(),
  area: z.string().nullable(),
  markets: z.array(z.string()),
  flexibleKw: z.number(),
})

export const edgeGateway = z.object({
  _id: id('edge'),
  /** User name at the broker and part of every topic. */
  key: z.string(),
  name: z.string(),
  site: z.string().nullable(),
  area: z.string().nullable(),
  enabled: z.boolean(),
  /** Added in the portal; the others are in the operator’s file and are changed there. */
  isOwn: z.boolean(),
  lastReported: instant.nullable(),
  codeVersion: z.string().nullable(),
  instances: z.array(edgeInstance),
})
export type EdgeGateway = z.infer<typeof edgeGateway>

/** Address of the broker; `host` is null where the operator has set none: the host of the portal. */
const broker = z.object({ host: z.string().nullable(), port: z.number(), tls: z.boolean() })
export type EdgeBroker = z.infer<typeof broker>

export const findEdges = call({
  method: 'GET',
  path: '/client/edge',
  summary: 'List the edge gateways of the company with their instances, and the address of the broker',
  may: 'edge.manage',
  of: ['edge', 'instance'],
  response: z.object({ edges: z.array(edgeGateway), broker }),
})

const secretAnswer = z.object({
  _id: id('edge'),
  key: z.string(),
  /** Shown once: the password of the edge at the broker. */
  secret: z.string(),
})
export type EdgeSecret = z.infer<typeof secretAnswer>

export const addEdge = call({
  method: 'POST',
  path: '/client/edge',
  summary: 'Add an edge gateway; its secret is answered only once',
  may: 'edge.manage',
  touches: ['edge', 'profile'],
  body: z.strictObject({ name: shortText, area: z.enum(edgeAreas, m.required) }),
  response: secretAnswer,
  ok: m.edgeAdded,
})

export const renewEdgeSecret = call({
  method: 'POST',
  path: '/client/edge/{id}/secret',
  summary:
    'Create a new secret of an edge gateway, answered only once; connections with the previous secret end at once',
  may: 'edge.manage',
  touches: ['edge'],
  params,
  response: secretAnswer,
  ok: m.chargerSecretRenewed,
})

export const setEdgeEnabled = call({
  method: 'PATCH',
  path: '/client/edge/{id}',
  summary: 'Disable an edge gateway, which ends its connections at once, or enable it again',
  may: 'edge.manage',
  touches: ['edge', 'instance'],
  params,
  body: z.strictObject({ enabled: z.boolean() }),
  ok: m.settingSaved,
})

export const addEdgeInstance = call({
  method: 'POST',
  path: '/client/edge/{id}/instance',
  summary: 'Add an instance to an edge gateway, with all signals of the edge protocol',
  may: 'edge.manage',
  touches: ['edge', 'instance', 'profile'],
  params,
  body: z.strictObject({
    name: shortText,
    description: text(limits.descriptionLength).optional(),
    area: z.enum(edgeAreas, m.required),
    kind: z.enum(instanceKinds, m.required),
    markets: z
      .array(z.enum(Object.keys(markets) as [keyof typeof markets], m.marketNotSupported)) // the keys of the table
      .min(1, m.required)
      .max(limits.marketsPerInstance, m.most(limits.marketsPerInstance)),
    flexibleKw: z.number({ error: m.required }).positive(m.positive).max(limits.flexibleKwMax),
  }),
  response: z.object({ _id: id('instance'), key: z.string() }),
  ok: m.instanceAdded,
})

/** Causes of refused messages and connections: of the quarantine (`message`) and of the broker (`connection`). */
const edgeProblem = z.object({
  from: z.enum(['message', 'connection']),
  reason: z.string(),
  topic: z.string().nullable(),
  count: z.number(),
  lastAt: instant,
})
export type EdgeProblem = z.infer<typeof edgeProblem>

/**
 * `contract`: none is valid today. `frequency`: none was measured, and a market is activated by it. `frequencySignal`: the company has none in
 * the instance's area.
 */
export const instanceLacks = ['contract', 'frequency', 'frequencySignal'] as const
export type InstanceLack = (typeof instanceLacks)[number]

export const edgeConnection = call({
  method: 'GET',
  path: '/client/edge/{id}/connection',
  summary:
    'Get the newest sample of each instance of an edge gateway, what the instance lacks for settlement and scores, and what was refused in the last hour',
  may: 'edge.manage',
  of: ['edge'],
  params,
  response: z.object({
    samples: z.array(
      z.object({
        instanceId: id('instance'),
        lastSampleAt: instant.nullable(),
        lacks: z.array(z.enum(instanceLacks)),
      }),
    ),
    problems: z.array(edgeProblem),
  }),
})
