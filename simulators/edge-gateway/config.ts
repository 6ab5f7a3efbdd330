import { type EdgeConfig, edgeConfig } from '@gridmast/contract/delivery/edge.ts'
import { socOf } from './device.ts'
import type { Edge, Group, Scheduled, Sold } from './world-file.ts'

export const openConfig = (edge: Edge, log: (text: string) => void) => {
  let inForce = 0
  return (payload: string): void => {
    const read = edgeConfig.safeParse(json(payload))
    if (!read.success) return log(`${edge.key}: a config that cannot be read`)
    const { version, groups } = read.data
    if (version <= inForce) return
    inForce = version
    const toldOf = new Map(groups.map((told) => [told.groupId, told]))
    for (const group of edge.groups) {
      const told = toldOf.get(group.key)
      group.sold = told?.sold.map(slotOf) ?? []
      group.schedule = told?.schedule && scheduledOf(group, told.schedule)
    }
  }
}

const scheduledOf = (group: Group, { from, kW }: { from: string; kW: number[] }): Scheduled => {
  const fromS = Date.parse(from) / 1000
  return { fromS, kW, soc: socOf(group, fromS) }
}

const slotOf = ({ from, to, ...slot }: EdgeConfig['groups'][number]['sold'][number]): Sold => ({
  ...slot,
  fromS: Date.parse(from) / 1000,
  toS: Date.parse(to) / 1000,
})

const json = (payload: string): unknown => {
  try {
    return JSON.parse(payload)
  } catch {
    return null
  }
}
