import { afterAll, expect, test } from 'vitest'
import type { Records } from '#platform/records/records.ts'
import { openTestRecords } from '#testing/records.ts'
import { openGroupCommit } from './group-commit.ts'

const store = await openTestRecords()
afterAll(() => store.close())

const commitThree = (codes: string[]) => {
  const records: Records = {
    ...store,
    system: (work) =>
      store.system(async (tx) => {
        const done = await work(tx)
        const code = codes.shift()
        if (code) throw Object.assign(new Error('failed'), { code })
        return done
      }),
  }
  const group = openGroupCommit(records, { append: async () => {} })
  return Promise.allSettled([1, 2, 3].map((n) => group.commit(async () => n)))
}

test('a deadlock repeats a group, and each of its messages is committed', async () => {
  const done = await commitThree(['40P01', '40P01'])
  expect(done.map((one) => one.status === 'fulfilled' && one.value)).toEqual([1, 2, 3])
})

test('a group is refused at once while the store is away', async () => {
  const done = await commitThree(['ECONNREFUSED', 'ECONNREFUSED'])
  expect(done.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
})
