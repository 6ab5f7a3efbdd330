import { z } from 'zod'
import { call, id } from '#call.ts'
import { shortText, text } from '#fields.ts'
import { limits } from '#limits.ts'
import { signalKinds } from '#live.ts'
import { m } from '#messages.ts'
import { simulated } from '#source.ts'
import { minuteMs } from '#time.ts'

/** A group of devices behind one edge (specification text 1, section 3: Instance/group). */
export const instance = z.object({
  _id: id('instance'),
  name: z.string(),
  description: z.string(),
  licenseId: id('licence'),
  market: z.array(z.string()),
  bidActive: z.boolean(),
  enabled: z.boolean(),
  simulated,
  edgeLastReported: z.iso.datetime().nullable(),
  edgeDetails: z.object({
    _id: id('edge'),
    deviceId: z.string(),
    market: z.array(z.string()),
    properties: z.object({ codeVersion: z.string().nullable() }),
  }),
  signalData: z.array(z.object({ _id: id('signal'), kind: z.enum(signalKinds), unit: z.string() })),
  properties: z.object({
    frequencySignal: id('frequency').nullable(),
    fcr: z.object({ enabled: z.boolean(), decreased: z.boolean(), increased: z.boolean() }),
  }),
})
export type Instance = z.infer<typeof instance>

/** Minutes since the last report of an edge; without any report 16 (specification text 1, section 4). */
export const edgeAgeMinutes = (lastReported: string | null, nowMs: number): number =>
  lastReported === null ? limits.edgeAliveMs / minuteMs + 1 : (nowMs - Date.parse(lastReported)) / minuteMs

export const isEdgeGood = (lastReported: string | null, nowMs: number): boolean =>
  edgeAgeMinutes(lastReported, nowMs) < limits.edgeAliveMs / minuteMs

export const saveInstance = call({
  method: 'PATCH',
  path: '/client/instance/{id}',
  summary: 'Change the name and the description of an instance',
  may: 'instance.edit',
  touches: ['instance'],
  params: z.object({ id: id('instance') }),
  body: z.strictObject({ name: shortText, description: text(limits.descriptionLength) }),
  response: z.object({ instance }),
  ok: m.detailsUpdated,
})
