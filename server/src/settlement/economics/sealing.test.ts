import { settlementRecord } from '@gridmast/contract/settlement/economics.ts'
import { afterAll, expect, test } from 'vitest'
import { sealFinal } from '#delivery/flight-record/sealing.ts'
import { verifyRecord } from '#delivery/flight-record/verify.ts'
import { openTestApp, type TestApp } from '#testing/app.ts'
import { storedRows } from '#testing/rows.ts'
import { addBid, decide, measure, placeRequest, setContract } from './economics.fixture.ts'
import { finalDays } from './record.ts'
import { settleDue } from './settle-due.ts'

const [date, next] = ['2026-09-01', '2026-09-02']
const weekLater = '2026-09-08T22:00:00Z'

const app = await openTestApp()
app.setNow('2026-09-03T06:00:00Z')
const of = await placeRequest(app.records, date)
await setContract(app.records, of)
for (const day of [date, next]) {
  await addBid(app.records, of, day, 10)
  await measure(app, of, day)
}
await decide(app.records, '2.50')
await settleDue(app, 0)
afterAll(() => app.close())

const sealAt = (iso: string) => {
  app.setNow(iso)
  return sealFinal(app, [finalDays])
}
const download = async () => {
  const token = await app.tokenOf('auditor@north.example')
  return app.ask(settlementRecord, { token, params: { instanceId: of.instance_id, date, type: 'FCR-D-DEC' } })
}
const files = () => storedRows(app.records, 'flight_record_file', {}, ['record_no', 'subject'], ['record_no'])

test('a day is sealed once a week after its end, and later samples keep its file', async () => {
  expect(await sealAt('2026-09-08T21:59:00Z')).toBe(0)
  expect(await sealAt(weekLater)).toBe(1)
  expect(await sealAt(weekLater)).toBe(0)
  expect(await files()).toEqual([{ record_no: 1, subject: `settlement ${of.instance_id} ${date} FCR-D-DEC` }])
  const { text: kept } = await download()
  expect(verifyRecord(kept)).toMatchObject({ wrong: [], own: { no: 1, at: '2026-09-08T22:00:00.000Z' } })
  await app.readings.insert([{ signalNo: of.power, t0Ms: Date.parse('2026-09-01T18:00:30Z'), dtMs: 1000, values: [1] }])
  expect((await download()).text).toBe(kept)
})

test('a day that is due waits, and a correction is sealed a day later as another record', async () => {
  app.setNow('2026-09-20T06:00:00Z')
  await decide(app.records, '3.00')
  expect(await sealAt('2026-09-20T07:00:00Z')).toBe(0)
  await settleDue(app, 0)
  expect(await sealAt('2026-09-20T08:00:00Z')).toBe(0)
  expect(await sealAt('2026-09-21T08:00:00Z')).toBe(2)
  expect((await files()).map(({ record_no }) => record_no)).toEqual([1, 2, 3])
  const { text: corrected } = await download()
  expect(verifyRecord(corrected)).toMatchObject({ wrong: [], own: { no: 2 } })
  expect(corrected).toContain('{"part":"settlement version 2"')
})

test('without a published result a day is sealed after 60 days', async () => {
  await addBid(app.records, of, '2026-09-10', 10)
  app.setNow('2026-09-21T09:00:00Z')
  await settleDue(app, 0)
  expect(await sealAt('2026-11-08T12:00:00Z')).toBe(0)
  expect(await sealAt('2026-11-10T12:00:00Z')).toBe(1)
})

test('a crash during sealing keeps the sealed records, and the next run continues the chain', async () => {
  app.setNow('2026-11-11T12:00:00Z')
  await decide(app.records, '3.50')
  await settleDue(app, 0)
  app.setNow('2026-11-12T13:00:00Z')
  const there = (await files()).length
  let isDead = false
  const dying: TestApp['records'] = {
    ...app.records,
    tenant: (customerId, work) =>
      app.records.tenant(customerId, async (tx) => {
        const done = await work(tx)
        const { n } = await tx
          .selectFrom('flight_record_file')
          .select((is) => is.fn.countAll<number>().as('n'))
          .executeTakeFirstOrThrow()
        isDead ||= n === there + 2
        if (isDead) throw new Error('killed')
        return done
      }),
  }
  await expect(sealFinal({ ...app, records: dying }, [finalDays])).rejects.toThrow('killed')
  expect(await files()).toHaveLength(there + 1)
  expect(await sealFinal(app, [finalDays])).toBe(2)
  const { text } = await download()
  expect(verifyRecord(text).wrong).toEqual([])
})
