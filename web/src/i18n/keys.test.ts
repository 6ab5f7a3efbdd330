import { m } from '@gridmast/contract/messages.ts'
import { roleNames } from '@gridmast/contract/roles.ts'
import i18next from 'i18next'
import { expect, test } from 'vitest'
import { chooseLanguage, startI18n } from '#lib/i18n.ts'
import { privacyParts } from '#pages/privacy-policy/parts.ts'
import { da } from './da.ts'

const sources = import.meta.glob<string>(
  ['/src/**/*.tsx', '/src/**/*.ts', '!/src/**/*.test.*', '!/src/i18n/**', '!/src/testing/**', '!/src/pages/dev/**'],
  {
    query: '?raw',
    import: 'default',
    eager: true,
  },
)

/** Sentences handed to t(...) as text, and those that stand in tables and reach it by name. */
const literal = /\bt\(\s*'((?:[^'\\]|\\.)*)'/g
const named = /\b(?:title|short|words|name): '([A-Z](?:[^'\\]|\\.)*)'/g
const column = /\bcolumn\((?:[^')]*\? )?'([^']+)'(?: : '([^']+)')?/g

const used = new Set<string>()
for (const text of Object.values(sources))
  for (const pattern of [literal, named, column])
    for (const match of text.matchAll(pattern))
      for (const key of match.slice(1)) if (key) used.add(key.replaceAll("\\'", "'"))

for (const text of privacyParts.flat()) used.add(text)

test('the dictionary knows every sentence on screen', () => {
  expect(used.size).toBeGreaterThan(80)
  expect([...used].filter((key) => !(key in da)).toSorted()).toEqual([])
})

test('the dictionary knows every sentence of the contract and every role', () => {
  const sentences = [...Object.values(m).filter((value) => typeof value === 'string'), ...Object.values(roleNames)]
  expect(sentences.filter((key) => key !== m.jwtMalformed && !(key in da)).toSorted()).toEqual([])
})

test('a translation keeps the places that are filled in', () => {
  const places = (text: string) => (text.match(/\{\{\w+\}\}/g) ?? []).toSorted()
  for (const [english, danish] of Object.entries(da)) expect(places(danish), english).toEqual(places(english))
})

test('a sentence of the contract with a number in it is said in Danish too', async () => {
  await startI18n()
  await chooseLanguage('da')
  expect(i18next.t(m.shortest(8))).toBe('Skal være på mindst 8 tegn')
  expect(i18next.t(m.tooManyAttempts(30))).toBe('For mange forsøg. Prøv igen om 30 s.')
  expect(i18next.t('15 min')).toBe('15 min')
  expect(i18next.t('{{n}} s', { n: 8 })).toBe('8 s')
  await chooseLanguage('en')
  expect(i18next.t(m.shortest(8))).toBe('Must be at least 8 characters')
})
