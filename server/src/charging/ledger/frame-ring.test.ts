import { afterAll, expect, test } from 'vitest'
import { idOf } from '#platform/records/ids.ts'
import { addChargers } from '#testing/chargers.ts'
import { provisionTwoCustomers } from '#testing/factories.ts'
import { openTestRecords } from '#testing/records.ts'
import { storedRows } from '#testing/rows.ts'
import type { Charger } from './directory.ts'
import { openFrameRing, storedFrames } from './frame-ring.ts'

const records = await openTestRecords()
await provisionTwoCustomers(records)
await addChargers(records, [{ identity: 'ring' }, { identity: 'busy' }])
afterAll(() => records.close())

const chargerOf = (identity: string) =>
  ({ customerId: idOf('customer', 'north'), chargerId: idOf('charger', 'north', identity) }) as Charger // the ring reads no other field
const onError = (error: unknown) => {
  throw error
}
const open = () => openFrameRing({ records, now: () => 1000, onError, everyMs: 3_600_000 })

const piecesOf = (identity: string) =>
  storedRows(records, 'charger_frames', { charger_id: chargerOf(identity).chargerId }, ['slot', 'no', 'frames'], ['no'])
const framesOf = async (identity: string) =>
  (await piecesOf(identity)).flatMap(({ frames }) => storedFrames.parse(frames)).map(([, , frame]) => frame)

test('the newest frames are stored in order, one row for each flush, also across a restart', async () => {
  const charger = chargerOf('ring')
  let ring = open()
  for (let i = 0; i < 230; i++) {
    ring.note(charger, 'in', `question ${i}`)
    ring.note(charger, 'out', `answer ${i}`)
    await ring.flush()
  }
  const kept = await piecesOf('ring')
  expect([kept.length, kept[0]?.no, kept.at(-1)?.no]).toEqual([200, 31, 230])
  await ring.close()
  ring = open()
  ring.resume(charger, 230)
  ring.note(charger, 'in', 'after')
  await ring.close()
  expect((await framesOf('ring')).slice(-3)).toEqual(['question 229', 'answer 229', 'after'])
  expect(await piecesOf('ring')).toHaveLength(200)
})

test('a burst keeps its newest frames in rows of limited length', async () => {
  const ring = open()
  for (let i = 0; i < 1000; i++) ring.note(chargerOf('busy'), 'in', `${i} ${'x'.repeat(400)}`)
  ring.note(chargerOf('busy'), 'in', 'y'.repeat(100_000))
  await ring.close()
  const frames = await framesOf('busy')
  expect(frames.slice(-200, -1).map((frame) => Number.parseInt(frame, 10))).toEqual(
    Array.from({ length: 199 }, (_, i) => 801 + i),
  )
  expect(frames.at(-1)).toHaveLength(8000)
  const lengths = (await piecesOf('busy')).map((piece) => JSON.stringify(piece.frames).length)
  expect(lengths.slice(0, -1).every((length) => length < 2000)).toBe(true)
})

test('a quiet charger is written at once, a busy one in intervals and up to the size of the ring', async () => {
  await addChargers(records, [{ identity: 'quiet' }, { identity: 'chatty' }])
  const ring = openFrameRing({ records, now: () => 1000, onError, everyMs: 10 })
  ring.note(chargerOf('quiet'), 'in', 'one')
  for (let i = 0; i < 300; i++) ring.note(chargerOf('chatty'), 'in', String(i))
  await expect.poll(() => framesOf('quiet')).toEqual(['one'])
  await expect.poll(async () => (await framesOf('chatty')).length).toBe(200)
  expect((await framesOf('chatty')).at(-1)).toBe('299')
  await ring.close()
  expect(await framesOf('chatty')).toHaveLength(200)
})

test('the list of unknown chargers keeps the newest, has a limit for each address and forgets an entry after a day', async () => {
  let nowMs = Date.parse('2027-01-10T10:00:00Z')
  const ring = openFrameRing({ records, now: () => nowMs, onError, everyMs: 3_600_000 })
  const listed = () => storedRows(records, 'charger_unknown', {}, ['identity', 'tries'], ['identity'])
  const flood = async (count: number, addressOf: (i: number) => string) => {
    for (let i = 0; i < count; i++) ring.unknown(`invented-${nowMs}-${i}`, 'north', addressOf(i))
    await ring.flush()
    nowMs += 1000
  }
  ring.unknown('real', 'north', '192.0.2.1')
  await flood(200, () => '198.51.100.1')
  expect(await listed()).toHaveLength(21)
  for (let i = 0; i < 3; i++) {
    ring.unknown('real', 'north', '192.0.2.1')
    await flood(200, (no) => `203.0.113.${no}`)
  }
  const full = await listed()
  expect(full).toHaveLength(100)
  expect(full.at(-1)).toEqual({ identity: 'real', tries: 4 })
  nowMs += 24 * 3_600_000
  ring.unknown('next day', 'north', '192.0.2.1')
  await ring.close()
  expect(await listed()).toEqual([{ identity: 'next day', tries: 1 }])
})

test('unknown actions of a charger are a list of limited length with a common counter above it', async () => {
  await addChargers(records, [{ identity: 'inventive' }])
  for (const round of [0, 1, 2]) {
    const ring = open()
    ring.deviations(chargerOf('inventive'), ['Invented1 is not ocpp1.6'])
    for (let i = 0; i < 1000; i++)
      ring.deviations(chargerOf('inventive'), [`Invented${round * 1000 + i} is not ocpp1.6`])
    await ring.close()
  }
  const rows = await records.system((tx) =>
    tx
      .selectFrom('charger_deviation')
      .select(['deviation', 'count'])
      .where('charger_id', '=', chargerOf('inventive').chargerId)
      .orderBy('count', 'desc')
      .execute(),
  )
  expect(rows.length).toBe(99)
  expect(rows.reduce((sum, { count }) => sum + count, 0)).toBe(3003)
  expect(rows.slice(0, 2)).toMatchObject([
    { deviation: 'other deviations' },
    { deviation: 'Invented1 is not ocpp1.6', count: 4 },
  ])
})
