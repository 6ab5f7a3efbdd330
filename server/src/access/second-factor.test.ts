import { Secret } from 'otpauth'
import { expect, test } from 'vitest'
import { matchingStep, newTotpSecret, totpUri } from './second-factor.ts'

// RFC 6238, appendix B: the SHA-1 key of 20 ASCII digits; its codes have 8 digits, their last 6 are used here.
const rfcSecret = Secret.fromUTF8('12345678901234567890').base32

test.each([
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_234_567_890, '005924'],
  [20_000_000_000, '353130'],
])('at %d s the code of RFC 6238 is %s', (seconds, code) => {
  expect(matchingStep(rfcSecret, code, seconds * 1000, null)).toBe(Math.floor(seconds / 30))
})

test('one step of drift to either side is taken, two are not', () => {
  const codeAt59 = '287082'
  expect([29, 59, 89].map((s) => matchingStep(rfcSecret, codeAt59, s * 1000, null))).toEqual([1, 1, 1])
  expect(matchingStep(rfcSecret, codeAt59, 120_000, null)).toBeNull()
})

test('S3 a code works once', () => {
  expect(matchingStep(rfcSecret, '287082', 59_000, 1)).toBeNull()
  expect(matchingStep(rfcSecret, '287082', 59_000, 0)).toBe(1)
})

test('what is no code matches nothing', () => {
  for (const code of ['', '12345', 'abcdef', '2870820', '０８１８０４'])
    expect(matchingStep(rfcSecret, code, 59_000, null)).toBeNull()
})

test('the secret has 160 bits and its address names the account', () => {
  expect(newTotpSecret()).toMatch(/^[A-Z2-7]{32}$/)
  expect(newTotpSecret()).not.toBe(newTotpSecret())
  expect(totpUri(rfcSecret, 'mads@nordhavn.example')).toMatch(
    /^otpauth:\/\/totp\/Gridmast:mads%40nordhavn\.example\?issuer=Gridmast&secret=GEZD/,
  )
})
