import type { After } from '#platform/process/clock.ts'
import type { Bus } from './bus.ts'

type Awaited = { topic: string; id: string; waitMs: number; isAnswered: () => Promise<boolean> }

/** Resolves when the bus reports the id under the topic, or after `waitMs`; the row has the result. */
export const awaitAnswer = (
  { bus, after }: { bus: Bus; after: After },
  { topic, id, waitMs, isAnswered }: Awaited,
): { ended: Promise<void>; stop: () => void } => {
  let end = () => {}
  const ended = new Promise<void>((resolve) => (end = resolve))
  // After a missed message the row is the only source.
  const look = () =>
    void isAnswered().then(
      (yes) => yes && end(),
      () => {},
    )
  const stops = [bus.listen(topic, (told) => told === id && end()), bus.listen('resync', look), after(waitMs, end)]
  return { ended, stop: () => stops.forEach((stop) => stop()) }
}
