import type { After } from '#platform/process/clock.ts'
import type { Bus } from './bus.ts'

type Awaited = { topic: string; id: string; waitMs: number; isAnswered: () => Promise<boolean> }

/** Ends when somebody tells under the topic that what has this id was answered, or when its time is over: its row says which. */
export const awaitAnswer = (
  { bus, after }: { bus: Bus; after: After },
  { topic, id, waitMs, isAnswered }: Awaited,
): { ended: Promise<void>; stop: () => void } => {
  let end = () => {}
  const ended = new Promise<void>((resolve) => (end = resolve))
  // What was missed stands in the row, which is read once more when the time is over.
  const look = () =>
    void isAnswered().then(
      (yes) => yes && end(),
      () => {},
    )
  const stops = [bus.listen(topic, (told) => told === id && end()), bus.listen('resync', look), after(waitMs, end)]
  return { ended, stop: () => stops.forEach((stop) => stop()) }
}
