import { z } from 'zod'

/** Not measured: what the operator says of an edge, or the demo of a source. */
export const simulated = z.boolean()

/** Of what several sources make together: `part` where only some of them are simulated. */
export const simulatedSum = z.union([z.boolean(), z.literal('part')])
export type SimulatedSum = z.infer<typeof simulatedSum>
export const simulatedOf = (each: readonly boolean[]): SimulatedSum =>
  each.includes(true) && each.includes(false) ? 'part' : each.includes(true)

/** Where published values come from. */
export const publishedSource = z.object({
  name: z.string(),
  dataset: z.string(),
  /** What the licence of recorded data asks to be named; null where it asks nothing, or where nothing of it is shown. */
  licence: z.string().nullable(),
  simulated,
})
export type PublishedSource = z.infer<typeof publishedSource>

/** One line for screens and files: simulated values are credited to nobody. */
export const sourceLine = (
  { name, dataset, licence, simulated }: PublishedSource,
  simulatedWord = 'Simulated',
): string =>
  [simulated ? `${simulatedWord} (${dataset})` : `${name}, ${dataset}`, simulated ? null : licence]
    .filter(Boolean)
    .join(' · ')
