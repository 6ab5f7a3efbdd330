import { dayMs, type Span } from '@gridmast/contract/time.ts'
import { type CSSProperties, type RefObject, useEffect, useEffectEvent, useState } from 'react'
import { currentMs } from '#lib/clock.ts'
import { isShortcut } from '#lib/shortcuts.ts'
import { crosshair } from './Crosshair.tsx'
import type { ChartModel } from './model.ts'
import { plotOf } from './plot.ts'
import { shortestRangeMs, useSharedRange } from './shared-range.ts'

const dragFromPx = 6
const wheelFactor = 1.25
const keySteps = 60

type Bounds = Span & { longestMs: number }

const around = (span: Span, ms: number, factor: number, whole: Bounds): Span | null => {
  const length = Math.min((span.toMs - span.fromMs) * factor, whole.longestMs)
  if (length >= whole.toMs - whole.fromMs) return null
  if (length < shortestRangeMs) return span
  const share = (ms - span.fromMs) / (span.toMs - span.fromMs)
  const fromMs = Math.min(Math.max(whole.fromMs, ms - share * length), whole.toMs - length)
  return { fromMs, toMs: fromMs + length }
}

type Point = { x: number; y: number }
/** Two fingers: the initial span, the instant between them, and their initial distance. */
type Pinch = { span: Span; ms: number; px: number }
const gap = (a: Point, b: Point) => Math.max(1, Math.hypot(a.x - b.x, a.y - b.y))

type Options = { id: string; frame: RefObject<HTMLDivElement | null>; model: () => ChartModel }

/**
 * Crosshair and zoom by drag, two fingers, wheel (with focus or Ctrl) and the keys + and -. On a screen with a shared range the zoom is drawn at
 * once and becomes the range of all charts when it rests; it may also exceed the range, up to the days that the screen can show.
 */
export const useZoom = ({ id, frame, model }: Options) => {
  const shared = useSharedRange()
  const sharedZoom = shared?.zoom ?? null
  const isInside = shared?.place !== undefined
  const [own, setOwn] = useState<{ zoom: Span | null; of: Span | null } | null>(null)
  // The zoom of the screen has changed: the charts show its data, or its part of theirs.
  if (own && (own.of?.fromMs !== sharedZoom?.fromMs || own.of?.toMs !== sharedZoom?.toMs)) setOwn(null)
  const zoom = own ? own.zoom : isInside ? sharedZoom : null
  const setZoom = (next: Span | null) => {
    setOwn({ zoom: next, of: sharedZoom })
    shared?.onZoom(next)
  }
  const reset = () => setZoom(null)
  const longestMs = shared?.mostDays && !isInside ? shared.mostDays * dayMs : Infinity
  const wholeOf = (span: Span): Bounds =>
    shared && !isInside
      ? { fromMs: -Infinity, toMs: Math.max(span.toMs, currentMs()), longestMs }
      : { ...span, longestMs }
  const [selection, setSelection] = useState<CSSProperties | null>(null)

  const plotNow = useEffectEvent(() => {
    const box = frame.current
    return plotOf(model(), zoom ?? model().span, { width: box?.clientWidth ?? 1, height: box?.clientHeight ?? 1 })
  })
  const point = useEffectEvent((ms: number) => crosshair.set({ ms, owner: id }))
  const clear = useEffectEvent(() => {
    if (crosshair.get()?.owner === id) crosshair.set(null)
  })
  const zoomBy = (ms: number, factor: number) =>
    setZoom(around(zoom ?? model().span, ms, factor, wholeOf(model().span)))
  const wheel = useEffectEvent((event: WheelEvent) => {
    if (!event.ctrlKey && !event.metaKey && document.activeElement !== frame.current) return
    event.preventDefault()
    const ms = plotNow().ms(event.offsetX)
    zoomBy(ms, event.deltaY < 0 ? 1 / wheelFactor : wheelFactor)
  })
  const beginPinch = useEffectEvent(([a, b]: Point[]): Pinch | null =>
    a && b ? { span: zoom ?? model().span, ms: plotNow().ms((a.x + b.x) / 2), px: gap(a, b) } : null,
  )
  const pinch = useEffectEvent(({ span, ms, px }: Pinch, [a, b]: Point[]) => {
    if (!a || !b) return
    const closest = shortestRangeMs / (span.toMs - span.fromMs)
    setZoom(around(span, ms, Math.max(closest, px / gap(a, b)), wholeOf(model().span)))
  })
  const key = useEffectEvent((event: KeyboardEvent) => {
    if ((event.target as Element).closest('button')) return // targets in a document are elements
    const span = zoom ?? model().span
    const centreMs = crosshair.get()?.owner === id ? (crosshair.get()?.ms ?? span.toMs) : span.toMs
    const step = (span.toMs - span.fromMs) / keySteps
    const targetsMs = { earlier: centreMs - step, later: centreMs + step, first: span.fromMs, last: span.toMs }
    const target = (['earlier', 'later', 'first', 'last'] as const).find((name) => isShortcut(event, name))
    if (target) point(Math.min(span.toMs, Math.max(span.fromMs, targetsMs[target])))
    else if (isShortcut(event, 'zoomIn')) zoomBy(centreMs, 1 / wheelFactor)
    else if (isShortcut(event, 'zoomOut')) zoomBy(centreMs, wheelFactor)
    else if (isShortcut(event, 'wholeChart')) {
      clear()
      reset()
    } else return
    event.preventDefault()
  })
  const drag = useEffectEvent((from: number, to: number, done: boolean) => {
    const plot = plotNow()
    const clamp = (x: number) => Math.min(plot.left + plot.width, Math.max(plot.left, x))
    const [left, right] = [clamp(Math.min(from, to)), clamp(Math.max(from, to))]
    const wide = right - left >= dragFromPx
    setSelection(done || !wide ? null : { left, width: right - left, top: plot.top, height: plot.height })
    if (done && wide && plot.ms(right) - plot.ms(left) >= shortestRangeMs)
      setZoom({ fromMs: Math.max(plot.ms(left), plot.ms(right) - longestMs), toMs: plot.ms(right) })
  })

  const restore = useEffectEvent(() => reset())

  useEffect(() => {
    const box = frame.current
    if (!box) return
    let dragFrom: number | null = null
    // One finger scrolls the page or reads values; the frame's `touch-action` passes two fingers to this handler.
    const touches = new Map<number, Point>()
    let pinched: Pinch | null = null
    const stop = new AbortController()
    const on = { signal: stop.signal }
    const xOf = (event: PointerEvent) => event.clientX - box.getBoundingClientRect().left
    box.addEventListener(
      'pointermove',
      (event) => {
        const x = xOf(event)
        if (touches.has(event.pointerId)) touches.set(event.pointerId, { x, y: event.clientY })
        if (pinched) return pinch(pinched, [...touches.values()])
        const plot = plotNow()
        if (dragFrom !== null) drag(dragFrom, x, false)
        if (x >= plot.left - 4 && x <= plot.left + plot.width + 4) point(plot.ms(x))
        else clear()
      },
      on,
    )
    box.addEventListener('pointerleave', () => clear(), on)
    box.addEventListener('blur', () => clear(), on)
    box.addEventListener(
      'pointerdown',
      (event) => {
        if ((event.target as Element).closest('button')) return // targets in a document are elements
        if (event.pointerType === 'touch') {
          touches.set(event.pointerId, { x: xOf(event), y: event.clientY })
          pinched = beginPinch([...touches.values()])
          if (pinched) clear()
        }
        if (event.pointerType !== 'mouse' || event.button !== 0) return
        dragFrom = xOf(event)
      },
      on,
    )
    window.addEventListener(
      'pointerup',
      (event) => {
        if (dragFrom !== null) drag(dragFrom, xOf(event), true)
        dragFrom = null
      },
      on,
    )
    const lift = ({ pointerId }: PointerEvent) => {
      if (touches.delete(pointerId)) pinched = null
    }
    window.addEventListener('pointerup', lift, on)
    window.addEventListener('pointercancel', lift, on)
    box.addEventListener('dblclick', () => restore(), on)
    box.addEventListener('wheel', (event) => wheel(event), { ...on, passive: false })
    box.addEventListener('keydown', (event) => key(event), on)
    return () => stop.abort()
  }, [frame])

  return { zoom, isZoomed: own ? own.zoom !== null : sharedZoom !== null, reset, selection }
}
