import { z } from 'zod'
import { call, id } from '#call.ts'
import { limits } from '#limits.ts'
import { fileFormat } from '#series.ts'
import { simulated, simulatedOf, simulatedSum } from '#source.ts'
import { minuteMs } from '#time.ts'

/** Power of a company by part, in kW. Rules: server/src/grid/energy-now/energy-now.md. */

export const energyParts = ['site', 'battery', 'chargers'] as const
export type EnergyPart = (typeof energyParts)[number]

const instance = z.object({
  _id: id('instance'),
  name: z.string(),
  part: z.enum(energyParts),
  /** Newest value, consumption is positive. */
  kw: z.number(),
  lastReported: z.iso.datetime(),
  simulated,
})
export type EnergyInstance = z.infer<typeof instance>

const chargers = z.object({
  /** Total of the sessions with a current value; null when none of the running ones has one. */
  kw: z.number().nullable(),
  charging: z.number(),
  /** Running sessions without a value for three minutes. */
  silent: z.number(),
  simulated: simulatedSum,
})
export type EnergyChargers = z.infer<typeof chargers>

const reserve = z.object({
  direction: z.enum(['up', 'down']),
  soldKw: z.number(),
  heldKw: z.number(),
  /** Sold instances without a report of their capacity for 15 minutes; nothing of them counts as held. */
  silent: z.number(),
})
export type EnergyReserve = z.infer<typeof reserve>

export const energyNow = call({
  method: 'GET',
  path: '/client/data/energy-now',
  summary:
    'Get the power of the company now, in kW: each instance that has reported, its chargers in total, state of charge of the batteries, and the reserve sold and held in each direction. What you may not read, and what the company does not have, is null; as a file with format=xlsx or csv',
  may: 'power.read',
  wall: true,
  of: ['instance', 'charger', 'bid-result'],
  query: z.strictObject({ format: fileFormat.optional() }),
  response: z.object({
    instances: z.array(instance),
    chargers: chargers.nullable(),
    /** Percent, weighted by the flexible power of the batteries. */
    soc: z.number().nullable(),
    reserve: z.array(reserve).nullable(),
  }),
})

export const simulatedEnergy = ({
  instances,
  chargers,
}: {
  instances: readonly EnergyInstance[]
  chargers: EnergyChargers | null
}) =>
  simulatedOf([
    ...instances.map((one) => one.simulated),
    ...(chargers ? (chargers.simulated === 'part' ? [true, false] : [chargers.simulated]) : []),
  ])

/** A value is current for a minute; until `limits.edgeAliveMs` it is shown with its age. */
export const energyStaleMs = minuteMs

export type EnergyNode = {
  part: EnergyPart
  /** Null when no source has a current value. */
  kw: number | null
  /** Sources without a current value, and the names of those that are instances. */
  silent: number
  names: string[]
  /** Age of the oldest value in the total, ms. */
  ageMs: number
}
export type EnergyPicture = { nodes: EnergyNode[]; gridKw: number | null; silent: number; ageMs: number }

const nodeOf = (part: EnergyPart, all: readonly EnergyInstance[], nowMs: number): EnergyNode | null => {
  const own = all.flatMap((one) =>
    one.part === part ? { ...one, ageMs: Math.max(0, nowMs - Date.parse(one.lastReported)) } : [],
  )
  if (own.length === 0) return null
  const current = own.filter(({ ageMs }) => ageMs <= limits.edgeAliveMs)
  const names = own.filter((one) => !current.includes(one)).map(({ name }) => name)
  return {
    part,
    kw: current.length === 0 ? null : current.reduce((sum, { kw }) => sum + kw, 0),
    silent: names.length,
    names,
    ageMs: Math.max(0, ...current.map((one) => one.ageMs)),
  }
}

/** Sums by part; the grid supplies the total of all parts that have a value. A negative total is exported. */
export const energyPicture = (
  { instances, chargers }: { instances: readonly EnergyInstance[]; chargers: EnergyChargers | null },
  nowMs: number,
): EnergyPicture => {
  const ofChargers: EnergyNode | null = chargers && {
    part: 'chargers',
    kw: chargers.kw,
    silent: chargers.silent,
    names: [],
    ageMs: 0,
  }
  const nodes = energyParts.flatMap(
    (part) => (part === 'chargers' && ofChargers) || (nodeOf(part, instances, nowMs) ?? []),
  )
  const counted = nodes.flatMap(({ kw }) => kw ?? [])
  return {
    nodes,
    gridKw: counted.length === 0 ? null : counted.reduce((sum, kw) => sum + kw, 0),
    silent: nodes.reduce((sum, { silent }) => sum + silent, 0),
    ageMs: Math.max(0, ...nodes.map(({ ageMs }) => ageMs)),
  }
}
