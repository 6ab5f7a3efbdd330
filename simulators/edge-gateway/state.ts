import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { z } from 'zod'
import { covered, type Interval } from './coverage.ts'
import type { ManualStep } from './device.ts'

const span = z.tuple([z.number(), z.number()])
const stored = z.object({
  v: z.literal(1),
  sinceS: z.number(),
  groups: z.record(
    z.string(),
    z.object({ covered: z.array(span), manual: z.array(z.object({ atS: z.number(), setPoint: z.number() })) }),
  ),
})
type Stored = z.output<typeof stored>

export type State = {
  sinceS: number
  covered: (group: string) => readonly Interval[]
  cover: (group: string, interval: Interval) => void
  manual: (group: string) => readonly ManualStep[]
  setManual: (group: string, step: ManualStep) => void
  save: () => void
}

const read = (path: string | undefined): Stored | null => {
  if (!path) return null
  try {
    return stored.parse(JSON.parse(readFileSync(path, 'utf8')))
  } catch {
    return null // missing, or truncated by a crash: sending everything again is harmless
  }
}

export const openState = (path: string | undefined, sinceS: number): State => {
  const state: Stored = read(path) ?? { v: 1, sinceS, groups: {} }
  state.sinceS = Math.min(state.sinceS, sinceS) // a later start may request a longer history
  let isSaved = false
  const of = (group: string) => (state.groups[group] ??= { covered: [], manual: [] })
  return {
    sinceS: state.sinceS,
    covered: (group) => of(group).covered,
    cover: (group, interval) => {
      of(group).covered = covered(of(group).covered, interval)
      isSaved = false
    },
    manual: (group) => of(group).manual,
    setManual: (group, step) => {
      of(group).manual.push(step)
      isSaved = false
    },
    save: () => {
      if (isSaved || !path) return
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(`${path}.new`, JSON.stringify(state))
      renameSync(`${path}.new`, path)
      isSaved = true
    },
  }
}
