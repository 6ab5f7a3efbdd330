import { startTransition, useOptimistic } from 'react'

const painted = () => new Promise<void>((resolve) => requestAnimationFrame(() => setTimeout(resolve)))

/** A choice that is marked at once and made after the paint: another address renders the whole screen, which takes longer than a click may. */
export const useMarked = <T>(chosen: T, choose: (next: T) => void): [marked: T, choose: (next: T) => void] => {
  const [marked, mark] = useOptimistic(chosen)
  const chooseAfterPaint = (next: T) =>
    startTransition(async () => {
      mark(() => next)
      await painted()
      choose(next)
    })
  return [marked, chooseAfterPaint]
}
