import { z } from 'zod'
import { call, id } from '#call.ts'
import { windowQuery } from '#grid/frequency.ts'
import { limits } from '#limits.ts'
import { m } from '#messages.ts'
import { fileFormat, graph } from '#series.ts'
import { simulated } from '#source.ts'

/** Manual set point in percent of the flexible capacity; 0 is normal operation. */
export const manualSetPoint = z
  .number()
  .min(limits.setPointMin)
  .max(limits.setPointMax)
  .multipleOf(limits.setPointStep, m.multipleOfTen)

/** `v4.4.0` as a number: minor and patch have two digits each, 40400. Null for any other text. */
export const edgeVersionValue = (codeVersion: string | null): number | null => {
  const [, major, minor, patch] = /^v?(\d{1,3})\.(\d{1,2})\.(\d{1,2})(?!\d)/.exec(codeVersion ?? '') ?? []
  return major === undefined ? null : Number(major) * 10_000 + Number(minor) * 100 + Number(patch)
}

/** Whether an edge of this version can be tested (specification text 1, section 9). */
export const isTestable = (codeVersion: string | null): boolean =>
  (edgeVersionValue(codeVersion) ?? 0) >= limits.testableEdgeVersion

export const isEdgeYes = (status: string): boolean => status === 'APPLIED' || status === 'ACCEPTED'

export const equipmentCommand = z.object({
  _id: id('equipment-command'),
  setPoint: z.number(),
  /** The edge's own text; `NO RESPONSE FROM EDGE` after 10 s without an answer; null until then. */
  status: z.string().nullable(),
  detail: z.string().nullable(),
  issuedAt: z.iso.datetime(),
  answeredAt: z.iso.datetime().nullable(),
  heldUntil: z.iso.datetime(),
})
export type EquipmentCommand = z.infer<typeof equipmentCommand>

export const isHeld = ({ setPoint, heldUntil }: EquipmentCommand, nowMs: number): boolean =>
  setPoint !== 0 && Date.parse(heldUntil) > nowMs

export const controlEquipment = call({
  method: 'POST',
  path: '/client/iot-device/control',
  summary:
    'Send a manual set point to the equipment of an edge once, and wait at most 10 s for its answer. `profiles` is [set point]: 0 to 100 in tens, 0 releases. `groupId`, the instance, is needed when the set point is not 0 and the edge has several',
  may: 'equipment.control',
  touches: ['equipment'],
  body: z.strictObject({
    profiles: z.array(manualSetPoint).min(1).max(1),
    edgeId: id('edge'),
    action: z.enum(['manual-control']),
    testType: z.enum(['control']),
    /** The version that the caller has loaded, as a number: 40400 is v4.4.0. */
    edgeVersionValue: z.int().min(0).max(9_999_999),
    groupId: id('instance').optional(),
  }),
  response: equipmentCommand.extend({ status: z.string() }),
})

const yesOrNo = z.enum(['true', 'false'])

export const equipmentSeries = call({
  method: 'GET',
  path: '/client/signals/data-test-setpoint',
  summary:
    'Get the set point and power of the instance of a signal, by default of the last 15 minutes, and the newest command sent to it. Next to the power its expected value: the mean from 60 to 5 s before the set point left 0, changed by the set point’s share of the flexible power. `prefillData=true`: a curve begins with the value that applies at the start. `dataDecimation=false`: every sample, if there are at most 5,000. As a file with format=xlsx or csv',
  may: 'power.read',
  of: ['equipment'],
  query: z.strictObject({
    signalId: id('signal'),
    date: windowQuery.date,
    start: windowQuery.start,
    end: windowQuery.end,
    prefillData: yesOrNo.optional(),
    dataDecimation: yesOrNo.optional(),
    format: fileFormat.optional(),
  }),
  response: z.object({
    downloadable: z.boolean(),
    /** Measured power, and the expected power while a set point other than 0 is in force. */
    power: graph,
    setPoint: graph,
    lastReported: z.iso.datetime().nullable(),
    simulated,
    command: equipmentCommand.nullable(),
  }),
})

export const signalLastReported = call({
  method: 'GET',
  path: '/client/signals/lastReported',
  summary: 'Get the time of the last report of a signal',
  may: 'power.read',
  query: z.strictObject({ signalId: id('signal') }),
  response: z.object({ lastReported: z.iso.datetime().nullable() }),
})
