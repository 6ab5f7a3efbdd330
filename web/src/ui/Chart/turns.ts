/** What waits to be drawn, in the order of asking. */
const waiting = new Set<() => void>()
let frame = 0

const drawNext = () => {
  const [next] = waiting
  if (next) waiting.delete(next)
  frame = waiting.size > 0 ? requestAnimationFrame(drawNext) : 0
  next?.()
}

/**
 * Draws with one of the next frames, one canvas a frame: handing the pixels of a canvas over costs more than drawing them,
 * and three in one frame held up the page for 100 ms on a slow processor (measured). What waits already keeps its place.
 */
export const drawInTurn = (draw: () => void): void => {
  waiting.add(draw)
  frame ||= requestAnimationFrame(drawNext)
}

export const leaveTurns = (draw: () => void): void => void waiting.delete(draw)
