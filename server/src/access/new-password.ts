import { m } from '@gridmast/contract/messages.ts'
import { dictionary } from '@zxcvbn-ts/language-common'

const common = new Set(dictionary['passwords-common'].filter((word) => word.length >= 8))

/** What is wrong with a password that someone wants to choose, or null. Its length is the contract's business (security rule S2). */
export const passwordProblem = (password: string): string | null => {
  const plain = password.normalize('NFKC').toLowerCase()
  const sameCharacter = new Set(plain).size === 1
  return common.has(plain) || plain.includes('gridmast') || sameCharacter ? m.commonPassword : null
}
