import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { type CurveName, curveSpecs } from '../../benchmarks/growth-curves.ts'

const curve = z.object({
  date: z.iso.date(),
  points: z.array(z.tuple([z.number(), z.number()])).min(2),
  base: z.number(),
  slope: z.number(),
  isLinear: z.boolean(),
  stopped: z.string().optional(),
})
export type Curve = z.output<typeof curve>

const file = z.object({
  date: z.iso.date(),
  machine: z.object({
    processor: z.string(),
    memoryGib: z.number(),
    node: z.string(),
    helloUs: z.number().positive(),
  }),
  curves: z.record(z.string(), curve),
})
export type Costs = Omit<z.output<typeof file>, 'curves'> & { curves: Partial<Record<CurveName, Curve>> }

/** Costs that `node benchmarks/growth.ts` has measured. */
export const readCosts = (path: string): Costs => {
  try {
    return file.parse(JSON.parse(readFileSync(path, 'utf8')))
  } catch {
    throw new Error(`${path} has no measured costs: run node benchmarks/growth.ts`)
  }
}

/** Parts of the growth run that are not measured. */
export const missingCurves = ({ curves }: Costs): string[] => [
  ...new Set(
    Object.entries(curveSpecs)
      .filter(([name]) => !(name in curves))
      .map(([, { group }]) => group),
  ),
]
