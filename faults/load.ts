import type { Part } from '../tools/installation.ts'
import { openChanges } from './changes.ts'
import { openEdge } from './edges.ts'
import { until } from './processes.ts'

/** An edge and changes over HTTP; acknowledged before it is answered. */
export const openLoad = async (from: { web: Part; mqtt: string; prefix: string; mayEnd?: boolean }) => {
  const edge = await openEdge(from.mqtt, 'edge-lab', 'lab')
  const changes = await openChanges(from.web, from.prefix, from)
  await until('samples and changes are acknowledged', () => {
    return edge.acknowledged.length > 20 && changes.acknowledged() > 5
  })
  const recoveryS = (faultMs: number) => Math.max(edge.recoveryS(faultMs), changes.recoveryS(faultMs))
  /** Ends the load after an acknowledgement of something sent after `faultMs`. */
  const finish = async (faultMs: number) => {
    await until('samples and changes are acknowledged again', () => recoveryS(faultMs) < Infinity)
    await Promise.all([edge.finish(), changes.finish()])
    await edge.close()
    if (changes.unexpected() > 0) throw new Error(`changes: ${changes.statuses()}`)
  }
  const compare = async (stores: { records: string; readings: string }, faultMs: number) => {
    const [samples, rows] = [await edge.compare(stores.records, stores.readings), await changes.compare(stores.records)]
    const slowestS = changes.slowestS()
    return {
      lost: samples.lost + rows.lost,
      doubled: samples.doubled + rows.doubled,
      recoveryS: recoveryS(faultMs),
      slowestS,
      detail: `${edge.acknowledged.length * 5} samples; changes: ${changes.statuses()}, slowest ${slowestS.toFixed(1)} s`,
    }
  }
  return {
    finish,
    compare,
    result: async (faultMs: number, stores: { records: string; readings: string }) => {
      await finish(faultMs)
      return compare(stores, faultMs)
    },
    close: edge.close,
  }
}
