import type { ClickHouseClient } from '@clickhouse/client'
import { minuteMs, type Span } from '@gridmast/contract/time.ts'
import type { Extremes } from './decimate.ts'
import type { Samples } from './samples.ts'
import { columns, int, type Read } from './sql.ts'

/** Minutes with samples in order of time; position `i` of `block` has the values of the minute. */
export type Minutes = { each: (visit: (atMs: number, block: Readonly<Block>, i: number) => void) => void }

/** Cached roll-ups of recent queries: see rollups.md. */
export type HeldMinutes = {
  /** From memory and, for missing minutes, the store; the span is whole minutes, at most `fewMinutes`. */
  read: (read: Read, signalNo: number, span: Span) => Promise<Minutes>
  held: (signalNo: number, span: Span) => Minutes | undefined
  recomputed: (works: readonly Recomputed[]) => void
}

type Recomputed = { signalNos: readonly number[]; fromMinute: number; toMinute: number }

type Block = ReturnType<typeof emptyBlock>

type Options = {
  maxBytes: number
  samples: (signalNo: number, span: Span) => Samples | undefined
}

const minutesOfDay = 1440

/** Up to this many minutes are merged in this process: 6 ms for a day against 9 in the store (measured). */
export const fewMinutes = 4000

const emptyBlock = () => ({
  isKnown: new Uint8Array(minutesOfDay),
  count: new Uint32Array(minutesOfDay),
  sum: new Float64Array(minutesOfDay),
  min: new Float64Array(minutesOfDay),
  max: new Float64Array(minutesOfDay),
  first: new Float64Array(minutesOfDay),
  last: new Float64Array(minutesOfDay),
  /** Milliseconds after the start of the minute, for all four. */
  minAt: new Uint16Array(minutesOfDay),
  maxAt: new Uint16Array(minutesOfDay),
  firstAt: new Uint16Array(minutesOfDay),
  lastAt: new Uint16Array(minutesOfDay),
})

const blockBytes = Object.values(emptyBlock()).reduce((bytes, column) => bytes + column.byteLength, 0)

/** Both numbers fit into 48 bits. */
const keyOf = (signalNo: number, day: number) => signalNo * 65_536 + day

export const openHeldMinutes = ({ maxBytes, samples }: Options): HeldMinutes => {
  const maxBlocks = Math.floor(maxBytes / blockBytes)
  const held = new Map<number, Block>()
  let recomputations = 0

  const keep = (signalNo: number, days: ReadonlyMap<number, Block>) => {
    for (const [day, block] of days) {
      held.delete(keyOf(signalNo, day))
      held.set(keyOf(signalNo, day), block)
    }
    for (const key of held.keys()) {
      if (held.size <= maxBlocks) return
      held.delete(key)
    }
  }

  const missingOf = (days: ReadonlyMap<number, Block>, span: Span): Span | undefined => {
    let missing: Span | undefined
    for (let atMs = span.fromMs; atMs < span.toMs; atMs += minuteMs) {
      const [day, i] = placeOf(atMs)
      if (days.get(day)?.isKnown[i] === 1) continue
      missing ??= { fromMs: atMs, toMs: atMs }
      missing.toMs = atMs + minuteMs
    }
    return missing
  }

  const findMinutes = (signalNo: number, span: Span) => {
    const days = daysOf(span, (day) => held.get(keyOf(signalNo, day)))
    const missing = missingOf(days, span)
    const recent = missing && samples(signalNo, missing)
    if (missing && recent) {
      clear(days, missing)
      addSamples(days, recent)
    }
    const unread = recent ? undefined : missing
    if (!unread) keep(signalNo, days)
    return { days, missing: unread }
  }

  return {
    read: async (read, signalNo, span) => {
      const load = (part: Span) => read((client) => readMinutes(client, signalNo, part))
      if (maxBlocks > 0) {
        const before = recomputations
        const { days, missing } = findMinutes(signalNo, span)
        if (!missing) return minutesOf(days, span)
        const rows = await load(missing)
        if (recomputations === before) {
          clear(days, missing)
          addRows(days, rows)
          keep(signalNo, days)
          return minutesOf(days, span)
        }
      }
      const days = daysOf(span)
      addRows(days, await load(span))
      return minutesOf(days, span)
    },
    held: (signalNo, span) => {
      if (maxBlocks === 0) return undefined
      const { days, missing } = findMinutes(signalNo, span)
      return missing ? undefined : minutesOf(days, span)
    },
    recomputed: (works) => {
      recomputations++
      for (const { signalNos, fromMinute, toMinute } of works)
        for (let from = fromMinute; from < toMinute; from += minutesOfDay - (from % minutesOfDay)) {
          const day = Math.floor(from / minutesOfDay)
          const until = Math.min(minutesOfDay, toMinute - day * minutesOfDay)
          for (const signalNo of signalNos)
            held.get(keyOf(signalNo, day))?.isKnown.fill(0, from - day * minutesOfDay, until)
        }
    },
  }
}

const placeOf = (atMs: number): [day: number, i: number] => {
  const minute = Math.floor(atMs / minuteMs)
  const i = minute % minutesOfDay
  return [(minute - i) / minutesOfDay, i]
}

const daysOf = ({ fromMs, toMs }: Span, find?: (day: number) => Block | undefined): Map<number, Block> => {
  const [[first], [last]] = [placeOf(fromMs), placeOf(toMs - 1)]
  const days = Array.from({ length: last - first + 1 }, (_, i) => first + i)
  return new Map(days.map((day) => [day, find?.(day) ?? emptyBlock()]))
}

const clear = (days: ReadonlyMap<number, Block>, { fromMs, toMs }: Span) => {
  for (let atMs = fromMs; atMs < toMs; atMs += minuteMs) {
    const [day, i] = placeOf(atMs)
    const block = days.get(day)
    if (block) [block.isKnown[i], block.count[i]] = [1, 0]
  }
}

const minutesOf = (days: ReadonlyMap<number, Block>, { fromMs, toMs }: Span): Minutes => ({
  each: (visit) => {
    for (let atMs = fromMs; atMs < toMs; atMs += minuteMs) {
      const [day, i] = placeOf(atMs)
      const block = days.get(day)
      if (block?.count[i]) visit(atMs, block, i)
    }
  },
})

const addSamples = (days: ReadonlyMap<number, Block>, { x, y }: Samples) => {
  for (const [n, tMs] of x.entries()) {
    const [day, i] = placeOf(tMs)
    const block = days.get(day)
    if (!block) continue
    const value = y[n] ?? 0
    const at = tMs % minuteMs
    const count = block.count[i] ?? 0
    if (count === 0 || value < (block.min[i] ?? 0)) [block.min[i], block.minAt[i]] = [value, at]
    if (count === 0 || value > (block.max[i] ?? 0)) [block.max[i], block.maxAt[i]] = [value, at]
    if (count === 0) [block.first[i], block.firstAt[i]] = [value, at]
    block.last[i] = value
    block.lastAt[i] = at
    block.sum[i] = (count === 0 ? 0 : (block.sum[i] ?? 0)) + value
    block.count[i] = count + 1
  }
}

const stored = ['count', 'sum', 'min', 'max', 'first', 'last', 'minAt', 'maxAt', 'firstAt', 'lastAt'] as const
type Rows = Partial<Record<'at_s' | (typeof stored)[number], number[]>>

const addRows = (days: ReadonlyMap<number, Block>, rows: Rows) => {
  rows.at_s?.forEach((atS, n) => {
    const [day, i] = placeOf(atS * 1000)
    const block = days.get(day)
    if (block) for (const column of stored) block[column][i] = rows[column]?.[n] ?? 0 // columns of one table have equal lengths
  })
}

const readMinutes = (client: ClickHouseClient, signalNo: number, { fromMs, toMs }: Span): Promise<Rows> =>
  columns(
    client,
    `select toUInt32(minute) as at_s, count, sum, min, max, first, last,
       min_at_ms as minAt, max_at_ms as maxAt, first_at_ms as firstAt, last_at_ms as lastAt
     from gridmast.minutes final
     prewhere signal_no = ${int(signalNo)} and minute >= toDateTime(${int(fromMs / 1000)}, 'UTC') and minute < toDateTime(${int(toMs / 1000)}, 'UTC')`,
  )

export const bucketsOfMinutes = (
  minutes: Minutes,
  widthMs: number,
  except: ReadonlySet<number>,
): Map<number, Extremes> => {
  const buckets = new Map<number, Extremes>()
  let open: Extremes | undefined
  let endMs = -Infinity
  minutes.each((atMs, block, i) => {
    if (except.size > 0 && except.has(atMs / minuteMs)) return
    const [min = 0, max = 0, first = 0, last = 0] = [block.min[i], block.max[i], block.first[i], block.last[i]]
    const [minAtMs, maxAtMs] = [atMs + (block.minAt[i] ?? 0), atMs + (block.maxAt[i] ?? 0)]
    const lastAtMs = atMs + (block.lastAt[i] ?? 0)
    const count = block.count[i] ?? 0
    if (!open || atMs >= endMs) {
      const bucket = Math.floor(atMs / widthMs)
      endMs = (bucket + 1) * widthMs
      const firstAtMs = atMs + (block.firstAt[i] ?? 0)
      open = { count, min, minAtMs, max, maxAtMs, first, firstAtMs, last, lastAtMs }
      buckets.set(bucket, open)
      return
    }
    open.count += count
    if (min < open.min) [open.min, open.minAtMs] = [min, minAtMs]
    if (max > open.max) [open.max, open.maxAtMs] = [max, maxAtMs]
    ;[open.last, open.lastAtMs] = [last, lastAtMs]
  })
  return buckets
}
