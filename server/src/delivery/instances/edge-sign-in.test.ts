import { expect, test } from 'vitest'
import { proxiesOf } from '#platform/http/address.ts'
import { hashPassword, passwordsHashed } from '#platform/security/password.ts'
import { edgeSignIn } from './edge-sign-in.ts'
import { testDirectory } from './ingest.fixture.ts'

const office = '192.0.2.7'
const world = ({ refusalMs = 0 } = {}) => {
  const clock = { nowMs: Date.UTC(2026, 10, 20, 12) }
  const saved: string[] = []
  const directory = testDirectory()
  const saveHash = async (_edge: object, hash: string) => void saved.push(hash)
  return { clock, saved, directory, signIn: edgeSignIn({ directory, saveHash, now: () => clock.nowMs, refusalMs }) }
}

test('S3: guesses at unknown edges cost no password hashing', async () => {
  const { signIn } = world()
  const before = passwordsHashed()
  const answers = await Promise.all(
    Array.from({ length: 2000 }, (_, i) => signIn(`edge-${(i % 60) + 1}`, `guess ${i}`, `198.51.${i % 100}.9`)),
  )
  expect(answers).not.toContain('welcome')
  expect(passwordsHashed()).toBe(before)
})

test('S3: wrong attempts delay the next one increasingly, and other addresses are unaffected', async () => {
  const { signIn, clock } = world()
  const wrong = () => signIn('edge-1', 'wrong', office)
  for (let i = 0; i < 5; i++) expect(await wrong()).toBe('credentials')
  expect(await signIn('edge-1', 'key', office)).toBe('tries')
  expect(await signIn('edge-1', 'key', '203.0.113.1')).toBe('welcome')
  clock.nowMs += 1000
  expect(await wrong()).toBe('credentials')
  clock.nowMs += 1000
  expect(await wrong()).toBe('tries')
  clock.nowMs += 1000
  expect(await signIn('edge-1', 'key', office)).toBe('welcome')
})

test('S3: an edge that has signed in keeps access from its network whatever others try there', async () => {
  const { signIn } = world()
  expect(await signIn('edge-2', 'key', office)).toBe('welcome')
  for (let i = 0; i < 100; i++) await signIn(i % 2 ? 'edge-2' : `edge-${i}`, 'wrong', office)
  expect(await signIn('edge-3', 'key', office)).toBe('tries')
  expect(await signIn('edge-2', 'key', office)).toBe('welcome')
})

test('S3: an edge with an old secret is delayed and uses no attempts of its network', async () => {
  const { signIn } = world()
  expect(await signIn('edge-2', 'key', office)).toBe('welcome')
  for (let i = 0; i < 5; i++) expect(await signIn('edge-2', 'old key', office)).toBe('credentials')
  for (let i = 0; i < 70; i++) expect(await signIn('edge-2', 'old key', office)).toBe('tries')
  expect(await signIn('edge-3', 'key', office)).toBe('welcome')
  expect(await signIn('edge-2', 'key', office)).toBe('welcome')
})

test('S3: addresses of a proxy are not limited', async () => {
  const { directory, clock } = world()
  const isProxy = proxiesOf('loopback')
  const signIn = edgeSignIn({ directory, saveHash: async () => {}, now: () => clock.nowMs, isProxy, refusalMs: 0 })
  for (const address of ['127.0.0.1', '::1', '::ffff:127.0.0.1']) {
    for (let i = 0; i < 70; i++)
      expect(await signIn(i % 2 ? 'edge-3' : `edge-${i}`, 'wrong', address)).toBe('credentials')
    expect(await signIn('edge-3', 'key', address)).toBe('welcome')
  }
})

test('S3: a known and an unknown edge are refused after the same time', async () => {
  const { signIn } = world({ refusalMs: 40 })
  const timed = async (name: string) => {
    const startedAt = performance.now()
    expect(await signIn(name, 'wrong', office)).toBe('credentials')
    return performance.now() - startedAt
  }
  for (const name of ['edge-1', 'nobody']) expect(await timed(name)).toBeGreaterThanOrEqual(39)
})

test('a slow hash is replaced at the first successful sign-in and not used again', async () => {
  const { signIn, saved, directory } = world()
  const edge = await directory.find('edge-4')
  if (!edge) throw new Error('the fixture has no edge-4')
  edge.passwordHash = await hashPassword('the old way')
  expect(await signIn('edge-4', 'wrong', office)).toBe('credentials')
  expect(saved).toEqual([])
  expect(await signIn('edge-4', 'the old way', office)).toBe('welcome')
  expect(saved).toEqual([expect.stringMatching(/^hmac-sha256\$/)])
  const before = passwordsHashed()
  expect(await signIn('edge-4', 'the old way', '203.0.113.1')).toBe('welcome')
  expect(await signIn('edge-4', 'wrong', '203.0.113.1')).toBe('credentials')
  expect(passwordsHashed()).toBe(before)
})
