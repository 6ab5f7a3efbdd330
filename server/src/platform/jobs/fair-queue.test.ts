import { setImmediate as nextTurn } from 'node:timers/promises'
import { m } from '@gridmast/contract/messages.ts'
import { expect, test } from 'vitest'
import { openFairQueue } from './fair-queue.ts'

const open = (limits: { lanes: number; waiting?: number; bytes?: number; longestMs?: number }) => {
  const inTurn = openFairQueue({ waiting: 10, longestMs: 60_000, ...limits })
  const begun: string[] = []
  const ends = new Map<string, () => void>()
  const bring = (file: string, options: { signal?: AbortSignal; bytes?: number } = {}) =>
    inTurn(
      file.slice(0, 1),
      (signal) => {
        begun.push(file)
        return new Promise<string>((resolve) => {
          ends.set(file, () => resolve(file))
          signal.addEventListener('abort', () => resolve('stopped'))
        })
      },
      options,
    )
  const end = async (...files: string[]) => {
    for (const file of files) {
      await nextTurn()
      ends.get(file)?.()
      await nextTurn()
    }
  }
  return { begun, bring, end, inTurn }
}

test('L1 tasks of a company wait behind its own tasks only', async () => {
  const { begun, bring, end } = open({ lanes: 2 })
  const all = ['n1', 'n2', 'n3', 'w1', 'e1'].map((file) => bring(file))
  await nextTurn()
  expect(begun).toEqual(['n1', 'w1'])
  await end('n1')
  expect(begun).toEqual(['n1', 'w1', 'e1'])
  await end('w1', 'e1', 'n2', 'n3')
  expect(begun).toEqual(['n1', 'w1', 'e1', 'n2', 'n3'])
  await Promise.all(all)
})

test('L1 with one lane a new company is served before the waiting tasks of another', async () => {
  const { begun, bring, end } = open({ lanes: 1 })
  const all = ['n1', 'n2', 'n3', 'w1'].map((file) => bring(file))
  await end('n1', 'w1', 'n2', 'n3')
  expect(begun).toEqual(['n1', 'w1', 'n2', 'n3'])
  await Promise.all(all)
})

test('L1 too many waiting tasks of a company and too many bytes in total are refused', async () => {
  const { bring, end } = open({ lanes: 1, waiting: 1, bytes: 100 })
  const all = [bring('n1', { bytes: 40 }), bring('n2', { bytes: 40 })]
  await expect(bring('n3')).rejects.toMatchObject({ status: 429, message: m.tooMany })
  await expect(bring('w1', { bytes: 40 })).rejects.toMatchObject({ status: 429 })
  await end('n1', 'n2')
  await Promise.all(all)
  const later = bring('w1', { bytes: 100 })
  await end('w1')
  expect(await later).toBe('w1')
})

test('L1 waiting tasks of disconnected callers never start, and the running one keeps its lane until its end', async () => {
  const { begun, bring, end } = open({ lanes: 1, waiting: 40 })
  const left = new AbortController()
  const gone = Array.from({ length: 40 }, (_, i) => bring(`n${i}`, { signal: left.signal }))
  const other = bring('w1')
  await nextTurn()
  left.abort()
  const settled = await Promise.allSettled(gone)
  expect(begun).toEqual(['n0', 'w1'])
  expect(settled[0]).toEqual({ status: 'fulfilled', value: 'stopped' })
  expect(settled.slice(1).every(({ status }) => status === 'rejected')).toBe(true)
  await expect(bring('n40', { signal: left.signal })).rejects.toMatchObject({ status: 503 })
  await end('w1')
  expect(await other).toBe('w1')
})

test('L1 a task past its time limit is aborted, and a failed task releases its lane', async () => {
  const { bring } = open({ lanes: 1, longestMs: 1 })
  expect(await bring('n1')).toBe('stopped')
  const { inTurn } = open({ lanes: 1 })
  await expect(inTurn('north', () => Promise.reject(new Error('no')))).rejects.toThrow('no')
  expect(await inTurn('north', () => Promise.resolve('read'))).toBe('read')
})
