import { afterAll, expect, test } from 'vitest'
import type { Records } from '#platform/records/records.ts'
import { openTestApp } from '#testing/app.ts'
import { findViewer, forgetViewers } from './viewer.ts'

let readings = 0
const app = await openTestApp()
const counting: Records = {
  ...app.records,
  system: (work) => {
    readings++
    return app.records.system(work)
  },
}
afterAll(() => app.close())

const find = (token: string) => findViewer(counting, token, app.clock.now())

test('the calls of one screen read their session once, also while it is being read', async () => {
  const token = await app.tokenOf('expert@north.example')
  forgetViewers()
  readings = 0
  const found = await Promise.all(Array.from({ length: 16 }, () => find(token)))
  expect(new Set(found.map((viewer) => viewer?.email))).toEqual(new Set(['expert@north.example']))
  expect(await find(token)).toBe(found[0])
  expect(readings).toBe(1)
})

test('what was on its way when something changed is not believed', async () => {
  const token = await app.tokenOf('expert@north.example')
  forgetViewers()
  const before = find(token)
  forgetViewers()
  await before
  readings = 0
  await find(token)
  expect(readings).toBe(1)
})

test('a token that stands for nobody, or a reading that failed, is asked again', async () => {
  const token = await app.tokenOf('expert@north.example')
  forgetViewers()
  const away: Records = { ...app.records, system: () => Promise.reject(new Error('away')) }
  await expect(findViewer(away, token, app.clock.now())).rejects.toThrow('away')
  expect((await find(token))?.email).toBe('expert@north.example')
  const nobody = 'A'.repeat(token.length)
  readings = 0
  expect([await find(nobody), await find(nobody)]).toEqual([null, null])
  expect(readings).toBe(2)
})
