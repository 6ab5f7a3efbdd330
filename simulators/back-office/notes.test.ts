import { createSupportNote, updateSupportNote } from '@gridmast/contract/people/support-notes.ts'
import { expect, test } from 'vitest'
import { notes, writeNotes } from './notes.ts'
import type { Portal } from './portal.ts'

test('each note is one that the contract takes, dated before today; the settled one is closed afterwards', async () => {
  const id = '01930000-0000-7000-8000-000000000001'
  const sent: unknown[] = []
  const ask = (async (call, { body }: { body: unknown }) => {
    const form = call.path === createSupportNote.path ? createSupportNote.body : updateSupportNote.body
    const { supportNote } = form.parse(body)
    sent.push([call.method, supportNote.title, supportNote.released, supportNote.enable])
    return { supportNote: { _id: id } }
  }) as Portal['ask'] // the two calls in use
  expect(await writeNotes(ask, Date.parse('2026-11-20T12:00:00Z'))).toBe(2)
  const [settled, open] = notes
  expect(sent).toEqual([
    ['POST', settled?.title, '2026-11-08', true],
    ['PATCH', settled?.title, '2026-11-08', false],
    ['POST', open?.title, '2026-11-19', true],
  ])
})
