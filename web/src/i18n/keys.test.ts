import { m } from '@gridmast/contract/messages.ts'
import { roleNames } from '@gridmast/contract/roles.ts'
import { expect, test } from 'vitest'
import { chooseLanguage, say, startI18n } from '#lib/i18n.ts'
import { da } from './da.ts'

const parts = import.meta.glob<Record<string, Record<string, string>>>('./da/*.ts', { eager: true })
const sources = import.meta.glob<string>(
  [
    '/src/**/*.{ts,tsx}',
    '!/src/**/*.test.*',
    '!/src/i18n/**',
    '!/src/testing/**',
    '!/src/pages/dev/**',
    // What servers say of a source that fails, in the source list of the system overview.
    '/../server/src/connectors/ask.ts',
    // The unit of a price in words.
    '/../server/src/domains/ev-charging/site-curves.ts',
    '/../server/src/domains/prices/reserves.ts',
    '/../server/src/domains/system/routes.ts',
  ],
  { query: '?raw', import: 'default', eager: true },
)

const ofContract = new Set<string>([
  ...Object.values(m).map((one) => (typeof one === 'function' && 'key' in one ? one.key : String(one))),
  ...Object.values(roleNames),
])

test('each sentence of the dictionary is said somewhere', () => {
  const code = Object.values(sources).join('\n')
  const isSaid = (key: string) =>
    ofContract.has(key) || [`'${key.replaceAll("'", "\\'")}'`, `"${key}"`].some((text) => code.includes(text))
  expect(Object.keys(da).filter((key) => !isSaid(key))).toEqual([])
})

test('each sentence stands in one file of the dictionary', () => {
  const keys = Object.values(parts).flatMap((file) =>
    Object.values(file).flatMap((sentences) => Object.keys(sentences)),
  )
  expect(keys.filter((key, i) => keys.indexOf(key) !== i)).toEqual([])
  expect(keys.toSorted()).toEqual(Object.keys(da).toSorted())
})

test('a translation keeps the places that are filled in', () => {
  const places = (text: string) => (text.match(/\{\{\w+\}\}/g) ?? []).toSorted()
  for (const [english, danish] of Object.entries(da)) expect(places(danish), english).toEqual(places(english))
})

test('a sentence of the contract with a number in it is said in Danish too', async () => {
  await startI18n()
  await chooseLanguage('da')
  expect(say(m.shortest(8))).toBe('Skal være på mindst 8 tegn')
  expect(say(m.tooManyAttempts(30))).toBe('For mange forsøg. Prøv igen om 30 s.')
  expect(say('15 min')).toBe('15 min')
  expect(say('Kølehus 8')).toBe('Kølehus 8')
  await chooseLanguage('en')
  expect(say(m.shortest(8))).toBe('Must be at least 8 characters')
})
