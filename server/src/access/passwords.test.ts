import { expect, test } from 'vitest'
import { passwordProblem } from './passwords.ts'

test.each(['password1', 'QWERTYUIOP', 'iloveyou1', 'gridmast-demo', 'My-GridMast-2026', 'aaaaaaaaaa'])(
  'S2 %s is refused',
  (password) => expect(passwordProblem(password)).toBe('This password is too easy to guess'),
)

test.each(['correct horse battery', 'Ammoniak-4-kompressorer', 'blåbærgrød på fredag'])('S2 %s is taken', (password) =>
  expect(passwordProblem(password)).toBeNull(),
)
