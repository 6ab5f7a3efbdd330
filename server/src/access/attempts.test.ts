import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { openTestRecords } from '#testing/records.ts'
import { type Bucket, delayS, clearTries, returnTry, rules, countOfDay, countTry } from './attempts.ts'

const records = await openTestRecords()
afterAll(() => records.close())
beforeEach(() => records.system(async (tx) => void (await tx.deleteFrom('attempt').execute())))

const bucket: Bucket = { kind: 'login-account', key: Buffer.from('one') }
const take = (atS: number, of = bucket) =>
  records
    .system((tx) => countTry(tx, of, atS * 1000))
    .then(
      () => 'taken',
      (refusal: { status: number; retryAfterS: number }) => `${refusal.status} ${refusal.retryAfterS}`,
    )

test('the waits are those of attempts.md', () => {
  const waits = Array.from({ length: 16 }, (_, i) => delayS(rules['login-account'], i + 1))
  expect(waits).toEqual([0, 0, 0, 0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300, 300])
  expect(delayS(rules['login-account'], 2_000_000_000)).toBe(300)
  expect([99, 100, 101].map((count) => delayS(rules['login-address'], count))).toEqual([0, 1, 2])
})

describe('tries that never succeed', () => {
  test('S3 five are free, then each waits twice as long as the one before', async () => {
    for (let i = 0; i < 5; i++) expect(await take(0)).toBe('taken')
    expect(await take(0.999)).toBe('429 1')
    expect(await take(1)).toBe('taken')
    expect(await take(2.5)).toBe('429 1')
    expect(await take(3)).toBe('taken')
    expect(await take(3)).toBe('429 4')
  })

  test('S3 what is refused while waiting does not lengthen the wait', async () => {
    for (let i = 0; i < 5; i++) await take(0)
    for (let i = 0; i < 100; i++) expect(await take(0.5)).toBe('429 1')
    expect(await take(1)).toBe('taken')
  })

  test('S3 tries at the same moment are counted one by one', async () => {
    const outcomes = await Promise.all(Array.from({ length: 30 }, () => take(0)))
    expect(outcomes.filter((outcome) => outcome === 'taken')).toHaveLength(5)
  })

  test('S3 one bucket does not touch another', async () => {
    for (let i = 0; i < 6; i++) await take(0)
    expect(await take(0, { ...bucket, key: Buffer.from('two') })).toBe('taken')
    expect(await take(0, { ...bucket, kind: 'login-device' })).toBe('taken')
  })

  test('after a day of quiet they are forgotten, not a second earlier', async () => {
    for (let i = 0; i < 5; i++) await take(0)
    expect(await take(86_400)).toBe('taken')
    expect(await take(86_400)).toBe('429 2')
    const later = 86_402 + 86_401
    for (let i = 0; i < 5; i++) expect(await take(later)).toBe('taken')
    expect(await take(later)).toBe('429 1')
  })
})

test('S3 where many share a bucket a pause makes no try free again; a day after the first one does', async () => {
  const network: Bucket = { kind: 'login-network', key: Buffer.from('48') }
  await records.system((tx) =>
    tx
      .insertInto('attempt')
      .values({ ...network, count: rules['login-network'].free, first_at: new Date(0), last_at: new Date(0) })
      .execute(),
  )
  expect([await take(2 * 3600, network), await take(2 * 3600, network)]).toEqual(['taken', '429 2'])
  expect([await take(86_401, network), await take(86_401, network)]).toEqual(['taken', 'taken'])
})

test('a success forgets what came before; a try given back only itself', async () => {
  for (let i = 0; i < 5; i++) await take(0)
  await records.system((tx) => returnTry(tx, bucket))
  expect(await take(0)).toBe('taken')
  expect(await take(0)).toBe('429 1')
  await records.system((tx) => clearTries(tx, bucket))
  for (let i = 0; i < 5; i++) expect(await take(0)).toBe('taken')
  expect(await take(0)).toBe('429 1')
})

test('a daily number begins again 24 hours after its first', async () => {
  const key = Buffer.from('day')
  const one = (atS: number) => records.system((tx) => countOfDay(tx, { kind: 'letters', key, most: 2 }, atS * 1000))
  expect([await one(0), await one(100), await one(100)]).toEqual([0, 0, 86_400_000])
  expect([await one(86_399), await one(86_400), await one(86_401)]).toEqual([86_400_000, 0, 0])
  expect(await one(86_402)).toBe(2 * 86_400_000)
})
