/** Oldest first. */
const waiting = new Set<() => void>()
let frame = 0

const drawNext = () => {
  const [next] = waiting
  if (next) waiting.delete(next)
  frame = waiting.size > 0 ? requestAnimationFrame(drawNext) : 0
  next?.()
}

/**
 * Draws one canvas per frame: three in one frame blocked the page for 100 ms on a slow processor (measured). A queued canvas keeps its place.
 */
export const queueDraw = (draw: () => void): void => {
  waiting.add(draw)
  frame ||= requestAnimationFrame(drawNext)
}

export const dequeueDraw = (draw: () => void): void => void waiting.delete(draw)
