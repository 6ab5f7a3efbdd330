import { expect, test } from 'vitest'
import { ratesOf } from './rate.ts'

test('L1 a bucket that is full again is forgotten, one that still fills is not', () => {
  let nowMs = 0
  const kept = new Map()
  const mayPass = ratesOf(2, 60, () => nowMs, kept)
  for (let i = 0; i < 1000; i++) mayPass(`192.0.2.${i}`)
  expect(kept.size).toBe(1000)
  nowMs = 25_000
  for (let i = 0; i < 60; i++) expect(mayPass('busy')).toBe(true)
  expect(mayPass('busy')).toBe(false)
  nowMs = 30_000
  mayPass('next')
  expect([...kept.keys()]).toEqual(['busy', 'next'])
  for (let i = 0; i < 10; i++) expect(mayPass('busy')).toBe(true)
  expect(mayPass('busy')).toBe(false)
})
