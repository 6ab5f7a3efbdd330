import type { Sample } from './latest.ts'
import type { Run } from './writer.ts'

/**
 * The newest sample of each series, in memory. True only where this process is the store's one writer, which holds for the embedded engine:
 * its folder belongs to one process.
 */
export type Newest = {
  /** Samples that are on disk now. */
  stored: (runs: readonly Run[]) => void
  /** Answers from memory, and looks up once what nobody has asked for before. */
  latest: (signalNos: readonly number[], lookUp: LookUp) => Promise<Map<number, Sample>>
}

type LookUp = (signalNos: readonly number[]) => Promise<Map<number, Sample>>

const later = (a: Sample | null | undefined, b: Sample | null | undefined): Sample | null => {
  if (!a || !b) return a ?? b ?? null
  return b.tMs >= a.tMs ? b : a
}

const lastOf = ({ t0Ms, dtMs, values }: Run): Sample | null => {
  const last = values.findLastIndex((value) => value !== null)
  const value = values[last]
  return value === null || value === undefined ? null : { tMs: t0Ms + last * dtMs, value }
}

export const openNewest = (): Newest => {
  /** Null: the series has no sample. */
  const known = new Map<number, Sample | null>()
  /** What came while a series was being looked up; what comes before anybody asks may be an old replay and is not kept. */
  const meanwhile = new Map<number, Sample | null>()
  return {
    stored: (runs) => {
      for (const run of runs)
        for (const kept of [known, meanwhile])
          if (kept.has(run.signalNo)) kept.set(run.signalNo, later(kept.get(run.signalNo), lastOf(run)))
    },
    latest: async (signalNos, lookUp) => {
      const unknown = signalNos.filter((signalNo) => !known.has(signalNo))
      if (unknown.length > 0) {
        for (const signalNo of unknown) if (!meanwhile.has(signalNo)) meanwhile.set(signalNo, null)
        const found = await lookUp(unknown)
        for (const signalNo of unknown) {
          known.set(signalNo, later(later(found.get(signalNo), meanwhile.get(signalNo)), known.get(signalNo)))
          meanwhile.delete(signalNo)
        }
      }
      return new Map(
        signalNos.flatMap((signalNo) => {
          const sample = known.get(signalNo)
          return sample ? [[signalNo, sample] as const] : []
        }),
      )
    },
  }
}
