import { type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react'
import type { ECharts } from './echarts.ts'
import type { Feed } from './feed.ts'

/** Charts that wait for their turn: one is drawn a frame, so that the live charts of a page are several short tasks and not one long one. */
const waiting = new Set<() => void>()
let frameId = 0
const drawNext = () => {
  const [next] = waiting
  frameId = 0
  if (!next) return
  waiting.delete(next)
  if (waiting.size > 0) frameId = requestAnimationFrame(drawNext)
  next()
}
const drawSoon = (draw: () => void) => {
  waiting.add(draw)
  frameId ||= requestAnimationFrame(drawNext)
}

/** Draws on the engine, which always has the size of its frame. */
export type Draw = (engine: ECharts | null, width: number) => void

/**
 * The engine of one chart: loaded in its own chunk, drawn on when `because` changes, when the frame changes its size, and
 * with each point of a feed. A live chart out of sight is not drawn until it is seen again.
 */
export const useEngine = (
  frame: RefObject<HTMLDivElement | null>,
  draw: Draw,
  feed: Feed | undefined,
  because: readonly unknown[],
) => {
  const host = useRef<HTMLDivElement>(null)
  const engine = useRef<ECharts>(null)
  const size = useRef({ width: 0, height: 0 })
  const [ready, setReady] = useState(false)

  const drawNow = useEffectEvent(() => {
    const { width, height } = size.current
    const isLaidOut = width > 0 && height > 0
    const current = isLaidOut ? engine.current : null
    if (current && (current.getWidth() !== width || current.getHeight() !== height)) current.resize({ width, height })
    draw(current, width)
  })

  useEffect(() => {
    let alive = true
    void import('./echarts.ts').then(({ init }) => {
      if (!alive || !host.current) return
      engine.current = init(host.current, null, { renderer: 'canvas' })
      setReady(true)
    })
    return () => {
      alive = false
      engine.current?.dispose()
      engine.current = null
    }
  }, [])

  useEffect(() => {
    drawNow()
    // A canvas drawn before the font came keeps the fallback: draw once more.
    if (ready && document.fonts.status === 'loading') void document.fonts.ready.then(() => drawNow())
    // oxlint-disable-next-line react/exhaustive-deps -- what draw() reads: each of these changes the picture
  }, [ready, ...because])

  useEffect(() => {
    const box = frame.current
    if (!box) return
    let isSeen = true
    let isLate = false
    const turn = () => drawNow()
    const follow = () => {
      isLate = !isSeen
      if (isSeen) drawSoon(turn)
    }
    const sizes = new ResizeObserver(([entry]) => {
      if (entry)
        size.current = { width: Math.round(entry.contentRect.width), height: Math.round(entry.contentRect.height) }
      drawSoon(turn)
    })
    const sight = new IntersectionObserver(([entry]) => {
      isSeen = entry?.isIntersecting ?? true
      if (isLate) follow()
    })
    sizes.observe(box)
    sight.observe(box)
    const stop = feed?.state.subscribe(follow)
    return () => {
      stop?.()
      sizes.disconnect()
      sight.disconnect()
      waiting.delete(turn)
    }
  }, [frame, feed])

  return { host, ready }
}
