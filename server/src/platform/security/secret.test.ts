import { mkdtempSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openSecret, secretOf } from './secret.ts'

test('an encrypted text is decrypted and differs each time', () => {
  const secret = secretOf('a key of the installation')
  const [one, two] = [secret.seal('JBSWY3DP'), secret.seal('JBSWY3DP')]
  expect(one.equals(two)).toBe(false)
  expect(one.toString('latin1')).not.toContain('JBSWY3DP')
  expect([secret.unseal(one), secret.unseal(two)]).toEqual(['JBSWY3DP', 'JBSWY3DP'])
})

test('a changed byte or another key is refused', () => {
  const sealed = secretOf('a').seal('JBSWY3DP')
  expect(() => secretOf('b').unseal(sealed)).toThrow()
  sealed[20] = (sealed[20] ?? 0) ^ 1
  expect(() => secretOf('a').unseal(sealed)).toThrow()
})

test('codes of different purposes never match', () => {
  const secret = secretOf('a')
  expect(secret.hmac('reset', '12345678').equals(secret.hmac('reset', '12345678'))).toBe(true)
  expect(secret.hmac('reset', '12345678').equals(secret.hmac('challenge', '12345678'))).toBe(false)
})

test('without SECRET_KEY a key is created once, readable by its owner only', () => {
  const file = join(mkdtempSync(join(tmpdir(), 'gridmast-secret-')), 'data', 'secret.key')
  const sealed = openSecret(undefined, file).seal('x')
  expect(openSecret(undefined, file).unseal(sealed)).toBe('x')
  expect(statSync(file).mode & 0o777).toBe(0o600)
})

test('a rotation: the other key is accepted, and new values are of the current key', () => {
  const [previous, next] = [secretOf('previous'), secretOf('next')]
  const during = secretOf('next', 'previous')
  const sealed = previous.seal('JBSWY3DP')
  expect(during.unseal(sealed)).toBe('JBSWY3DP')
  expect(next.unseal(during.reseal(sealed) ?? Buffer.alloc(0))).toBe('JBSWY3DP')
  expect(during.reseal(next.seal('JBSWY3DP'))).toBeNull()
  expect(during.hmacs('recovery', 'K7QF')).toEqual([next.hmac('recovery', 'K7QF'), previous.hmac('recovery', 'K7QF')])
  expect(next.hmacs('recovery', 'K7QF')).toHaveLength(1)
})
