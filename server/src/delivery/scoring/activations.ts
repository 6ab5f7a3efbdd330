import type { Direction } from '@gridmast/contract/delivery/events.ts'
import { minuteMs } from '@gridmast/contract/time.ts'
import { demandOf, type Product } from './products.ts'
import { type Samples, speaksMs } from './samples.ts'

export type Activation = {
  /** `increased` is up-regulation, as in the specification and for edges. */
  direction: Direction
  startMs: number
  endMs: number | null
  endedBy: 'quiet' | 'silence' | null
  /** False when samples from before the window could change or remove the start: read further back. */
  startKnown: boolean
  deltaLoadPct: number
  extremeHz: number | null
  maxSetPointPct: number | null
}

/** An activation lasts at least a second; a tenth of tolerance covers the jitter of edge clocks. */
const minMs = 900
const quietMs = minuteMs
const silenceMs = 300_000
const lastSecondMs = 1000

/** State of one direction; `unsure` until 60 s of rest or a long silence, because an activation may run from before. */
type Side = {
  sign: 1 | -1
  phase: 'unsure' | 'idle' | 'running'
  startKnown: boolean
  startMs: number
  lastActiveMs: number
  restMs: number
  seenMs: number
  unseenMs: number
  peak: number
  extreme: number
}

const newSide = (sign: 1 | -1): Side => ({
  sign,
  phase: 'unsure',
  startKnown: false,
  startMs: NaN,
  lastActiveMs: NaN,
  restMs: 0,
  seenMs: 0,
  unseenMs: 0,
  peak: 0,
  extreme: NaN,
})

const passSpan = (side: Side, atMs: number, spanMs: number): 'began' | 'quiet' | 'silence' | undefined => {
  let began = false
  if (side.phase !== 'running' && !Number.isNaN(side.startMs)) {
    if (spanMs > speaksMs) side.startMs = NaN
    else if (atMs - side.startMs >= minMs) {
      side.startKnown = side.phase === 'idle'
      side.phase = 'running'
      began = true
    }
  }
  if (side.phase === 'idle') return undefined
  if (spanMs > speaksMs) side.unseenMs += spanMs
  else if (!Number.isNaN(side.restMs)) side.seenMs += spanMs
  if (began) return 'began'
  if (side.seenMs >= quietMs) return 'quiet'
  return side.unseenMs > silenceMs ? 'silence' : undefined
}

const addSample = (side: Side, atMs: number, isActive: boolean, size: number, value: number) => {
  if (!isActive) {
    if (side.phase !== 'running') side.startMs = NaN
    if (Number.isNaN(side.restMs)) side.restMs = atMs
    return
  }
  if (Number.isNaN(side.startMs)) {
    side.startMs = atMs
    side.peak = 0
    side.extreme = value
  }
  side.lastActiveMs = atMs
  side.restMs = NaN
  side.seenMs = 0
  side.unseenMs = 0
  if (size > side.peak) side.peak = size
  if ((side.extreme - value) * side.sign > 0) side.extreme = value
}

export type Watcher = {
  /**
   * The next sample: epoch ms and the frequency in Hz or signed set point in percent, null or NaN when unknown. Returns the activations that it
   * begins or ends. Throws a RangeError when it is not later than the previous sample, or lies in time that `until` counted as silence: the
   * range must then be computed anew.
   */
  next: (atMs: number, value: number | null) => readonly Activation[]
  until: (nowMs: number) => readonly Activation[]
  running: () => Activation[]
}

const nothing: readonly Activation[] = []

/** Detects the activations of one instance sample by sample (rules: delivery.md); no clock. */
export const watch = (product: Product): Watcher => {
  const demand = demandOf(product)
  const { activeFrom, direction, trigger } = product
  const readyAgainMs = 'latch' in product ? product.latch.readyAgainS * 1000 : 0
  const sides: Side[] = []
  if (direction !== 'down') sides.push(newSide(1))
  if (direction !== 'up') sides.push(newSide(-1))
  let firstMs = NaN
  let lastMs = -Infinity
  let countedMs = -Infinity

  const toActivation = (side: Side, endedBy: Activation['endedBy']): Activation => {
    const deltaLoadPct = Math.round(side.peak * 10_000) / 100
    return {
      direction: side.sign > 0 ? 'increased' : 'decreased',
      startMs: side.startMs,
      endMs: endedBy && (!Number.isNaN(side.restMs) ? side.restMs : side.lastActiveMs + lastSecondMs),
      endedBy,
      // An FFR trigger before the first sample would block a second activation.
      startKnown: side.startKnown && side.startMs - firstMs >= readyAgainMs,
      deltaLoadPct,
      extremeHz: trigger === 'frequency' ? side.extreme : null,
      maxSetPointPct: trigger === 'set point' ? deltaLoadPct : null,
    }
  }

  const close = (side: Side, endedBy: 'quiet' | 'silence', changes: readonly Activation[]): readonly Activation[] => {
    const ended = side.phase === 'running' ? [...changes, toActivation(side, endedBy)] : changes
    side.phase = 'idle'
    side.startMs = NaN
    return ended
  }

  return {
    next: (atMs, value) => {
      if (!(atMs > lastMs && atMs > countedMs)) throw new RangeError('samples must be in order of time')
      const measured = value ?? NaN
      const u = demand(atMs, measured)
      if (Number.isNaN(u)) return nothing
      if (Number.isNaN(firstMs)) firstMs = atMs
      const spanMs = lastMs === -Infinity ? 0 : atMs - lastMs
      lastMs = atMs
      let changes = nothing
      for (const side of sides) {
        const change = passSpan(side, atMs, spanMs)
        if (change === 'began') changes = [...changes, toActivation(side, null)]
        else if (change) changes = close(side, change, changes)
        const size = u * side.sign
        addSample(side, atMs, size > 0 && size >= activeFrom, size, measured)
      }
      return changes
    },
    until: (nowMs) => {
      let changes = nothing
      for (const side of sides) {
        if (side.phase !== 'running' || side.unseenMs + nowMs - lastMs <= silenceMs) continue
        changes = close(side, 'silence', changes)
        countedMs = Math.max(countedMs, nowMs)
      }
      return changes
    },
    running: () => sides.filter((side) => side.phase === 'running').map((side) => toActivation(side, null)),
  }
}

/**
 * The activations in a window, by start; those that run at its end have no end. `untilMs` is the end of a silence after the samples, which may
 * end one. A window that starts and ends in rest gives the same activations as the whole series; otherwise `startKnown` is false or `endMs`
 * null. Throws a RangeError when samples are not in order of time.
 */
export const findActivations = (product: Product, { x, y }: Samples, untilMs?: number): Activation[] => {
  const watcher = watch(product)
  const activations: Activation[] = []
  const keepEnded = (changes: readonly Activation[]) => {
    for (const one of changes) if (one.endMs !== null) activations.push(one)
  }
  for (let i = 0; i < x.length; i++) {
    const changes = watcher.next(x[i] ?? NaN, y[i] ?? null)
    if (changes !== nothing) keepEnded(changes)
  }
  if (untilMs !== undefined) keepEnded(watcher.until(untilMs))
  activations.push(...watcher.running())
  return activations.toSorted((a, b) => a.startMs - b.startMs)
}
