import { type RefObject, useEffect, useEffectEvent, useRef } from 'react'
import type { Feed } from './feed.ts'
import type { Pen } from './pen.ts'

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
const queueDraw = (draw: () => void): void => {
  waiting.add(draw)
  frame ||= requestAnimationFrame(drawNext)
}

const dequeueDraw = (draw: () => void): void => void waiting.delete(draw)

export type Draw = (pen: Pen, size: { width: number; height: number }) => void

/**
 * A canvas as large as its frame, redrawn when `because`, the frame size or the pixel ratio changes, and queued for points of a feed. A live
 * chart out of view waits until it is visible.
 */
export const useCanvas = (
  frame: RefObject<HTMLDivElement | null>,
  draw: Draw,
  feed: Feed | undefined,
  because: readonly unknown[],
): RefObject<HTMLCanvasElement | null> => {
  const canvas = useRef<HTMLCanvasElement>(null)
  const size = useRef({ width: 0, height: 0 })

  const drawNow = useEffectEvent(() => {
    const pen = canvas.current?.getContext('2d')
    const { width, height } = size.current
    if (!canvas.current || !pen || width === 0 || height === 0) return
    const ratio = window.devicePixelRatio
    const [wide, high] = [Math.round(width * ratio), Math.round(height * ratio)]
    if (canvas.current.width !== wide || canvas.current.height !== high)
      Object.assign(canvas.current, { width: wide, height: high })
    pen.setTransform(ratio, 0, 0, ratio, 0, 0)
    pen.clearRect(0, 0, width, height)
    draw(pen, size.current)
  })

  useEffect(() => {
    drawNow()
    // A canvas drawn before the font has loaded keeps the fallback, so it is redrawn once.
    if (document.fonts.status === 'loading') void document.fonts.ready.then(() => drawNow())
    // oxlint-disable-next-line react/exhaustive-deps -- what draw() reads: each of these changes the picture
  }, because)

  useEffect(() => {
    const box = frame.current
    if (!box) return
    let isSeen = true
    let isLate = false
    const drawLate = () => drawNow()
    const drawSoon = () => {
      isLate = !isSeen
      if (isSeen) queueDraw(drawLate)
    }
    const sizes = new ResizeObserver(([entry]) => {
      if (!entry) return
      const { width, height } = entry.contentRect
      const isFirst = size.current.width === 0
      size.current = { width: Math.round(width), height: Math.round(height) }
      // Text next to a new chart is painted first.
      if (isFirst) queueDraw(drawLate)
      else drawNow()
    })
    const sight = new IntersectionObserver(([entry]) => {
      isSeen = entry?.isIntersecting ?? true
      if (isLate) drawSoon()
    })
    sizes.observe(box)
    sight.observe(box)
    const stop = feed?.state.subscribe(drawSoon)
    return () => {
      stop?.()
      sizes.disconnect()
      sight.disconnect()
      dequeueDraw(drawLate)
    }
  }, [frame, feed])

  return canvas
}
