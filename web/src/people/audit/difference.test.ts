import { expect, test } from 'vitest'
import { differencesOf, fieldWords } from './difference.ts'

test('only fields that were changed, added or removed', () => {
  expect(
    differencesOf({ name: 'Mads', email: 'a@b.dk', contact: null }, { name: 'Mads', email: 'c@d.dk', areas: ['DK1'] }),
  ).toEqual([
    { field: 'email', before: 'a@b.dk', after: 'c@d.dk' },
    { field: 'contact', before: null, after: undefined },
    { field: 'areas', before: undefined, after: ['DK1'] },
  ])
})

test('a created or removed record has all its fields', () => {
  expect(differencesOf(null, { required: true })).toEqual([{ field: 'required', before: undefined, after: true }])
  expect(differencesOf({ required: true }, null)).toEqual([{ field: 'required', before: true, after: undefined }])
})

test('a value that is no record is one difference; without values there is none', () => {
  expect(differencesOf(48, 52)).toEqual([{ field: '', before: 48, after: 52 }])
  expect(differencesOf(null, null)).toEqual([])
  expect(differencesOf({ a: [1] }, { a: [1] })).toEqual([])
})

test.each([
  ['primaryContactName', 'Primary contact name'],
  ['country_code', 'Country code'],
  ['scopes', 'What it may read'],
  ['limitA', 'Limit (A)'],
  ['lastSeen', 'Last seen'],
  ['DK2 (DKK/MWh)', 'DK2 (DKK/MWh)'],
])('%s reads %s', (field, words) => {
  expect(fieldWords(field)).toBe(words)
})
