import { expect, test } from 'vitest'
import { words } from './words.ts'

const counted = ['unknownEnergy', 'doubted', 'refused', 'running', 'more'] as const

test.each(counted)('%s: one session has the singular in both languages', (key) => {
  const say = (language: 'en' | 'da', count: number) => words[language][key](count, '2,5')
  expect(say('en', 1)).toMatch(/^1 (more )?session /)
  expect(say('en', 1)).not.toMatch(/sessions|\bare\b|their|they/)
  expect(say('en', 2)).toMatch(/^2 (more )?sessions /)
  expect(say('da', 1)).toMatch(/^1 opladning /)
  expect(say('da', 1)).not.toMatch(/opladninger|De tæller|deres/)
  expect(say('da', 2)).toMatch(/^2 opladninger /)
})
