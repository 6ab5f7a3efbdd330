import { expect, test } from 'vitest'
import { blocksOf, excerptOf } from './TextCards.tsx'

test('headings, lists and paragraphs are separate; an item may continue in the next line', () => {
  expect(blocksOf('### Added\n- One\n  goes on\n- Two\n\nFirst line\nsecond line\n\n* Three\nafter it')).toEqual([
    { kind: 'heading', text: 'Added' },
    { kind: 'list', items: ['One goes on', 'Two'] },
    { kind: 'paragraph', text: 'First line\nsecond line' },
    { kind: 'list', items: ['Three'] },
    { kind: 'paragraph', text: 'after it' },
  ])
})

test('a line that is no heading or item is plain text', () => {
  const text = '#hash -dash <b>bold</b> [link](javascript:alert(1))'
  expect(blocksOf(text)).toEqual([{ kind: 'paragraph', text }])
})

test('an excerpt is one line without headings and marks', () => {
  expect(excerptOf('### Added\n- `npm run`\n- Two\n\nThree')).toBe('npm run · Two Three')
  expect(excerptOf('### Only this')).toBe('Only this')
  expect(excerptOf('')).toBe('')
})
