import { dayMs } from '@gridmast/contract/time.ts'
import { sql } from 'kysely'
import { z } from 'zod'
import { insertRows, type RowOf } from '#platform/records/rows.ts'
import type { Records, Tx } from '#platform/records/records.ts'
import type { Charger } from './directory.ts'

/**
 * The newest frames and deviations of each charger, and unknown chargers, are for display only: a crash may lose the last second, and the last 15 s
 * of a charger that sends more than the ring keeps.
 */

/** Pieces per charger: each contains the frames between two flushes, so at least the newest 200 frames are kept. */
const piecesKept = 200
const longestFrame = 8000
const longestPiece = 1500
const maxDeviations = 100
const otherDeviations = 'other deviations'
/** Limits per customer and per network address, which may be a site during installation. */
const [maxUnknown, maxPerAddress] = [100, 20]
const unknownMs = dayMs

export const storedFrames = z.array(z.tuple([z.number(), z.enum(['in', 'out']), z.string()]))
type Frame = z.infer<typeof storedFrames>[number]
type Buffer = { customerId: string; chargerId: string; frames: Frame[] }
type Deviation = RowOf<'charger_deviation'>

const secretNames = /AuthorizationKey|Password|Secret/i
const values = /("(?:value|attributeValue)"\s*:\s*)"(?:[^"\\]|\\.)*"/g
const signIns = /\/\/[^/@\s"]+@/g

/** Credentials of a charger and of the address of its files are never shown (security rule D2). */
const withoutSecrets = (frame: string): string =>
  (secretNames.test(frame) ? frame.replaceAll(values, '$1"***"') : frame).replaceAll(signIns, '//***@')

/** Text columns accept neither NUL nor lone surrogates. */
const storable = (text: string) => withoutSecrets(text).slice(0, longestFrame).replaceAll('\0', '').toWellFormed()

const piecesOf = (frames: readonly Frame[]): Frame[][] => {
  const pieces: Frame[][] = []
  let length = Infinity
  for (const [atMs, direction, raw] of frames) {
    const text = storable(raw)
    if (length + text.length > longestPiece) {
      pieces.push([])
      length = 0
    }
    length += text.length
    pieces.at(-1)?.push([atMs, direction, text])
  }
  return pieces
}

const rowsAtOnce = 1000

const savePieces = async (tx: Tx, buffers: readonly Buffer[], nextNo: (chargerId: string) => number) => {
  const rows = buffers.flatMap(({ customerId, chargerId, frames }) =>
    piecesOf(frames)
      // An upsert must not write the same row twice.
      .slice(-piecesKept)
      .map((piece) => {
        const no = nextNo(chargerId)
        return { customer_id: customerId, charger_id: chargerId, slot: no % piecesKept, no, frames: piece }
      }),
  )
  for (let from = 0; from < rows.length; from += rowsAtOnce)
    await sql`${insertRows('charger_frames', rows.slice(from, from + rowsAtOnce))}
      on conflict (customer_id, charger_id, slot) do update set no = excluded.no, frames = excluded.frames`.execute(tx)
}

const saveDeviations = async (tx: Tx, deviations: readonly Deviation[]) => {
  if (deviations.length === 0) return
  await sql`
    with counted as (
      select g.*, d.deviation is null as is_new from jsonb_to_recordset(${JSON.stringify(deviations)}::jsonb)
        as g (customer_id uuid, charger_id uuid, deviation text, count integer, last_at timestamptz)
      left join charger_deviation d using (customer_id, charger_id, deviation)
    ), placed as (
      select g.*, not is_new or row_number() over (partition by charger_id, is_new order by count desc) + (
        select count(*) from charger_deviation d where d.customer_id = g.customer_id and d.charger_id = g.charger_id
      ) < ${maxDeviations} as has_room from counted g
    )
    insert into charger_deviation as d (customer_id, charger_id, deviation, count, last_at)
    select customer_id, charger_id, case when has_room then deviation else ${otherDeviations} end, sum(count), max(last_at)
    from placed group by 1, 2, 3
    on conflict (customer_id, charger_id, deviation) do update
    set count = d.count + excluded.count, last_at = excluded.last_at`.execute(tx)
}

type Unknown = { identity: string; customerKey: string; address: string; tries: number }

/** The newest of each customer and address stay on the list until a day after their last attempt. */
const saveUnknown = async (tx: Tx, chargers: readonly Unknown[], at: Date) => {
  if (chargers.length === 0) return
  await sql`
    insert into charger_unknown as u (customer_id, identity, address, first_seen_at, last_seen_at, tries)
    select c.customer_id, g.identity, g.address, ${at}, ${at}, g.tries
    from jsonb_to_recordset(${JSON.stringify(chargers)}::jsonb) as g (identity text, "customerKey" text, address text, tries integer)
    join customer c on c.key = g."customerKey"
    on conflict (customer_id, identity) do update
    set last_seen_at = excluded.last_seen_at, address = excluded.address, tries = u.tries + excluded.tries`.execute(tx)
  await sql`
    delete from charger_unknown u using (
      select customer_id, identity, last_seen_at,
        row_number() over (partition by customer_id order by last_seen_at desc, first_seen_at) as of_customer,
        row_number() over (partition by customer_id, address order by last_seen_at desc, first_seen_at) as of_address
      from charger_unknown where customer_id in (
        select customer_id from customer where key = any(${[...new Set(chargers.map(({ customerKey }) => customerKey))]}))) r
    where u.customer_id = r.customer_id and u.identity = r.identity and (
      of_customer > ${maxUnknown} or of_address > ${maxPerAddress} or r.last_seen_at < ${unknownSince(at.getTime())})`.execute(
    tx,
  )
}

export const unknownSince = (nowMs: number) => new Date(nowMs - unknownMs)

const maxUnknownAtOnce = 1000
const [framesKept, maxWaiting] = [200, 400]
/** A charger with more than `few` frames between two flushes is written every `turns` flushes: earlier frames would soon be overwritten. */
const [few, turns] = [20, 15]

/** Spread over the turns, so that no transaction is long. */
const turnOf = (chargerId: string) => Number.parseInt(chargerId.slice(-4), 16) % turns

export const openFrameRing = (options: {
  records: Records
  now: () => number
  onError: (error: unknown) => void
  everyMs?: number
}) => {
  const { records, now } = options
  const lastNos = new Map<string, number>()
  const buffers = new Map<string, Buffer>()
  const deviations = new Map<string, Map<string, Deviation>>()
  const unknown = new Map<string, Unknown>()
  let flushing = Promise.resolve()

  const nextNo = (chargerId: string) => {
    const no = (lastNos.get(chargerId) ?? 0) + 1
    lastNos.set(chargerId, no)
    return no
  }
  const removeDue = (isDue: (buffer: Buffer) => boolean): Buffer[] => {
    const due = [...buffers.values()].filter(isDue)
    for (const buffer of due) {
      buffers.delete(buffer.chargerId)
      buffer.frames = buffer.frames.slice(-framesKept)
    }
    return due
  }
  let turn = 0
  const write = async (isDue: (buffer: Buffer) => boolean) => {
    const due = removeDue(isDue)
    if (due.length === 0 && deviations.size === 0 && unknown.size === 0) return
    const dueDeviations = [...deviations.values()].flatMap((ofCharger) => [...ofCharger.values()])
    const dueUnknown = [...unknown.values()]
    deviations.clear()
    unknown.clear()
    await records.system(async (tx) => {
      await savePieces(tx, due, nextNo)
      await saveDeviations(tx, dueDeviations)
      await saveUnknown(tx, dueUnknown, new Date(now()))
    })
  }
  const next = (isDue: (buffer: Buffer) => boolean) =>
    (flushing = flushing.then(() => write(isDue)).catch(options.onError))
  const flush = () => next(() => true)
  const timer = setInterval(() => {
    turn = (turn + 1) % turns
    const current = turn
    void next(({ chargerId, frames }) => frames.length <= few || turnOf(chargerId) === current)
  }, options.everyMs ?? 1000).unref()

  return {
    resume: ({ chargerId }: Charger, storedNo: number) =>
      void lastNos.set(chargerId, Math.max(lastNos.get(chargerId) ?? 0, storedNo)),
    note: ({ customerId, chargerId }: Charger, direction: 'in' | 'out', text: string) => {
      const buffer = buffers.get(chargerId) ?? { customerId, chargerId, frames: [] }
      buffers.set(chargerId, buffer)
      buffer.frames.push([now(), direction, text])
      if (buffer.frames.length > maxWaiting) buffer.frames.splice(0, maxWaiting - framesKept)
    },
    deviations: ({ customerId, chargerId }: Charger, names: readonly string[]) => {
      const counts = deviations.get(chargerId) ?? new Map<string, Deviation>()
      deviations.set(chargerId, counts)
      for (const name of names.map((text) => storable(text).slice(0, 120))) {
        const deviation = counts.has(name) || counts.size < maxDeviations ? name : otherDeviations
        const count = (counts.get(deviation)?.count ?? 0) + 1
        const row = { customer_id: customerId, charger_id: chargerId, deviation, count, last_at: new Date(now()) }
        counts.set(deviation, row)
      }
    },
    unknown: (identity: string, customerKey: string | null, address: string) => {
      if (customerKey === null) return
      const key = `${customerKey} ${identity}`
      const { tries } = unknown.get(key) ?? { tries: 0 }
      const [oldest] = unknown.size >= maxUnknownAtOnce ? unknown.keys() : []
      if (oldest !== undefined) unknown.delete(oldest)
      unknown.set(key, { identity, customerKey, address, tries: tries + 1 })
    },
    flush,
    close: async () => {
      clearInterval(timer)
      await flush()
    },
  }
}
