import { expect, test } from 'vitest'
import { m } from '@gridmast/contract/messages.ts'
import { hashPassword, passwordsHashed, verifyPassword } from './password.ts'

test('S2 a password is verified in any Unicode normalization', async () => {
  const hash = await hashPassword('Cafe\u0301 in Aarhus')
  expect(hash).toMatch(/^argon2id\$19456\$2\$[\w-]{22}\$[\w-]{43}$/)
  expect(await verifyPassword('Caf\u00e9 in Aarhus', hash)).toBe(true)
  expect(await verifyPassword('Cafe in Aarhus', hash)).toBe(false)
})

test('S2 S3 two hashes run at a time, known browsers go first, and the 51st waiting one is refused', async () => {
  const hash = await hashPassword('a long enough password')
  const before = passwordsHashed()
  const ended: string[] = []
  const verify = (name: string, options = {}) =>
    verifyPassword('a guess', hash, options).then(
      () => void ended.push(name),
      (error: unknown) => error,
    )
  const strangers = Array.from({ length: 52 }, () => verify('stranger'))
  expect(passwordsHashed() - before).toBe(2)
  expect(await verify('one too many')).toMatchObject({ status: 503, message: m.unavailable, retryAfterS: 1 })
  await verify('known', { first: true })
  expect(ended.indexOf('known')).toBeLessThan(26) // 53rd in plain order
  await Promise.all(strangers)
  expect(passwordsHashed() - before).toBe(53)
})

test('S3 a first try does not wait for clients with many tries', async () => {
  const hash = await hashPassword('a long enough password')
  const ended: string[] = []
  const verify = (name: string, tries: number) =>
    verifyPassword('a guess', hash, { tries }).then(() => void ended.push(name))
  const all = [...Array.from({ length: 20 }, () => verify('guesser', 4)), verify('honest', 1)]
  await Promise.all(all)
  expect(ended.indexOf('honest')).toBeLessThan(6) // 21st in plain order
})
