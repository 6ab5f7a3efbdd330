import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { turnsOf } from './turns.ts'

test('L1 what one company brings waits behind its own, never others behind it', async () => {
  const inTurn = turnsOf(2)
  const begun: string[] = []
  const ends = new Map<string, () => void>()
  const bring = (company: string, file: string) =>
    inTurn(company, () => {
      begun.push(file)
      return new Promise<void>((resolve) => ends.set(file, resolve))
    })
  const end = async (file: string) => {
    ends.get(file)?.()
    await nextTurn()
  }
  const all = [
    bring('north', 'n1'),
    bring('north', 'n2'),
    bring('north', 'n3'),
    bring('west', 'w1'),
    bring('east', 'e1'),
  ]
  await nextTurn()
  expect(begun).toEqual(['n1', 'w1'])
  await end('n1')
  expect(begun).toEqual(['n1', 'w1', 'e1'])
  for (const file of ['w1', 'e1', 'n2', 'n3']) await end(file)
  expect(begun).toEqual(['n1', 'w1', 'e1', 'n2', 'n3'])
  await Promise.all(all)
})

test('L1 work that fails gives its turn back', async () => {
  const inTurn = turnsOf(1)
  await expect(inTurn('north', () => Promise.reject(new Error('no')))).rejects.toThrow('no')
  expect(await inTurn('north', () => Promise.resolve('read'))).toBe('read')
})
