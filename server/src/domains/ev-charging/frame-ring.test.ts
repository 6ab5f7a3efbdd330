import { afterAll, beforeAll, expect, test } from 'vitest'
import { idOf } from '#platform/ids.ts'
import type { Records } from '#platform/records.ts'
import { addChargers } from '#testing/chargers.ts'
import { provisionTwoCustomers } from '#testing/factories.ts'
import { openTestRecords } from '#testing/records.ts'
import type { Charger } from './directory.ts'
import { openFrameRing, storedFrames } from './frame-ring.ts'

let records: Records
beforeAll(async () => {
  records = await openTestRecords()
  await provisionTwoCustomers(records)
  await addChargers(records, [{ identity: 'ring' }, { identity: 'busy' }])
})
afterAll(() => records.close())

const chargerOf = (identity: string) =>
  ({ customerId: idOf('customer', 'north'), chargerId: idOf('charger', 'north', identity) }) as Charger // all that the ring asks of it
const onError = (error: unknown) => {
  throw error
}
const open = () => openFrameRing({ records, now: () => 1000, onError, everyMs: 3_600_000 })

const piecesOf = (identity: string) =>
  records.system((tx) =>
    tx
      .selectFrom('charger_frames')
      .select(['slot', 'no', 'frames'])
      .where('charger_id', '=', chargerOf(identity).chargerId)
      .orderBy('no')
      .execute(),
  )
const framesOf = async (identity: string) =>
  (await piecesOf(identity)).flatMap(({ frames }) => storedFrames.parse(frames)).map(([, , frame]) => frame)

test('the newest frames are kept in their order, a row for what was said at once, and go on after a restart', async () => {
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

test('of one that says a lot at once the newest stays, cut into rows of bounded length', async () => {
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

test('who says little is written at once, who says a lot in its turn, and then only what the ring holds', async () => {
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
