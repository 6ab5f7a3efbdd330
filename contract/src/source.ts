import { z } from 'zod'

/** Not measured: an edge that the operator has declared as simulated, or a source in a demo. */
export const simulated = z.boolean()

/** For data of several sources: `part` when only some of them are simulated. */
export const simulatedSum = z.union([z.boolean(), z.literal('part')])
export type SimulatedSum = z.infer<typeof simulatedSum>
export const simulatedOf = (each: readonly boolean[]): SimulatedSum =>
  each.includes(true) && each.includes(false) ? 'part' : each.includes(true)

export const publishedSource = z.object({
  name: z.string(),
  dataset: z.string(),
  /** Attribution required by the licence of the shown data; null without one. */
  licence: z.string().nullable(),
  simulated,
})
export type PublishedSource = z.infer<typeof publishedSource>

/** One line for screens and files; simulated values have no attribution. */
export const sourceLine = (
  { name, dataset, licence, simulated }: PublishedSource,
  simulatedWord = 'Simulated',
): string =>
  [simulated ? `${simulatedWord} (${dataset})` : `${name}, ${dataset}`, simulated ? null : licence]
    .filter(Boolean)
    .join(' · ')
