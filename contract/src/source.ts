import { z } from 'zod'

/** Where published values come from. */
export const publishedSource = z.object({
  name: z.string(),
  dataset: z.string(),
  /** What the licence of recorded data asks to be named; null where it asks nothing, or where nothing of it is shown. */
  licence: z.string().nullable(),
  simulated: z.boolean(),
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
