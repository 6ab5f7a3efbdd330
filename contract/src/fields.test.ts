import { expect, test } from 'vitest'
import { findAudit } from '#people/audit.ts'
import { email, givenPassword, longText, newPassword, requiredText, shortText, text } from './fields.ts'
import { m } from './messages.ts'
import { addWebhook } from '#people/webhooks.ts'

const name = (point: number) => `U+${point.toString(16).padStart(4, '0')}`
/** NUL, bell, escape, delete, next line, line and paragraph separators, bidi controls, half a pair, no character at all. */
const hostile = [
  0, 7, 0x1b, 0x7f, 0x85, 0x2028, 0x2029, 0x202a, 0x202e, 0x2066, 0x2069, 0xd800, 0xdbff, 0xdc00, 0xdfff, 0xfffe,
  0xffff, 0x1fffe,
]

test.each(hostile.map((point) => [name(point), String.fromCodePoint(point)]))(
  'L1 no text accepts %s, at any position',
  (_, character) => {
    for (const schema of [text(100), requiredText(100), shortText, longText, givenPassword, newPassword])
      expect(schema.safeParse(`abcd${character}efgh`).error?.issues.map((issue) => issue.message)).toEqual([
        m.characters,
      ])
    for (const given of [`${character}abc`, `abc${character}`]) expect(text(100).safeParse(given).success).toBe(false)
  },
)

test('L1 only a multi-line text accepts line breaks and tabs', () => {
  expect(longText.parse('First\r\nsecond\n\n\tthird ')).toBe('First\nsecond\n\n\tthird')
  expect(longText.safeParse('First\rsecond').success).toBe(false)
  for (const given of ['First\nsecond', 'First\tsecond']) {
    for (const schema of [text(100), shortText, newPassword]) expect(schema.safeParse(given).success).toBe(false)
  }
  const url = 'https://hooks.example/a\nb'
  const form = { name: 'Hook', url, events: ['alert'], enabled: true }
  expect(addWebhook.body.safeParse(form).error?.issues[0]?.path).toEqual(['url'])
})

test('L1 a name without visible characters is refused', () => {
  for (const given of ['\u200b\u200b\u200b', '\u2060 \u00ad', '\ufeff', '\u3164', '  '])
    expect(shortText.safeParse(given).error?.issues.map((issue) => issue.message)).toContain(m.required)
})

test('ordinary names and texts are accepted', () => {
  for (const given of ['Ærø Køl & Frys A/S', 'نیروگاه\u200cها', '👩‍🔧 Service', 'José', '東京電力', 'x'.repeat(100)])
    expect(shortText.parse(` ${given}`)).toBe(given)
  expect(email().parse(' mette@north.example ')).toBe('mette@north.example')
})

test('L1 a search text follows the rules of a text', () => {
  expect(findAudit.query.safeParse({ who: '\0' }).error?.issues[0]?.path).toEqual(['who'])
  expect(findAudit.query.safeParse({ who: '' }).success).toBe(true)
})
