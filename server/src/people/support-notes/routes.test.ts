import { limits } from '@gridmast/contract/limits.ts'
import { m } from '@gridmast/contract/messages.ts'
import * as contract from '@gridmast/contract/people/support-notes.ts'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { idOf, newId } from '#platform/records/ids.ts'
import { openTestApp } from '#testing/app.ts'
import { addRows, storedRows } from '#testing/rows.ts'

const app = await openTestApp({ OPERATOR_EMAIL: 'support@operator.example' })
app.setNow('2026-11-20T08:00:00Z')
const expert = await app.tokenOf('expert@north.example')
const west = await app.tokenOf('sudoer@west.example')
afterAll(() => app.close())
beforeEach(async () => {
  app.setNow('2026-11-20T08:00:00Z')
  await app.records.system(async (tx) => {
    for (const table of ['attempt', 'support_note', 'mail_outbox'] as const) await tx.deleteFrom(table).execute()
  })
})

const form = { title: 'Meter gap', description: 'No values\n- since Friday', released: '2026-11-19', enable: true }
const create = (part: object = {}, token = expert) =>
  app.ask(contract.createSupportNote, { token, body: { supportNote: { ...form, ...part } } })
const update = (id: string, part: object = {}, token = expert) =>
  app.ask(contract.updateSupportNote, { token, params: { id }, body: { supportNote: { ...form, ...part } } })
const find = async (query: Record<string, string> = {}, token = expert) =>
  await app.data(contract.findSupportNotes, { token, query })
const titles = async (query = {}) => (await find(query)).supportNotes.map(({ title }: contract.SupportNote) => title)
const mails = () => storedRows(app.records, 'mail_outbox')
const trail = () => app.trail('support-note.%')
const fill = (count: number) =>
  addRows(
    app.records,
    'support_note',
    Array.from({ length: count }, () => ({ customer_id: idOf('customer', 'north'), note_id: newId(), ...form })),
  )

describe('a note', () => {
  test('C4 a note is created, mailed to the operator and on the trail in one transaction', async () => {
    const answer = await create()
    expect(answer).toMatchObject({ status: 200, body: { message: 'The team will reach out to you in 24 hours.' } })
    const { supportNote } = answer.body.data
    expect(supportNote).toEqual({ _id: expect.any(String), application: 'Gridmast', ...form })
    expect(await find()).toEqual({ supportNotes: [supportNote], totalCount: 1 })
    expect((await trail()).at(-1)).toMatchObject({ action: 'support-note.create', subject: 'Meter gap', after: form })
    const [mail, ...more] = await mails()
    expect(more).toEqual([])
    expect(mail).toMatchObject({ recipient: 'support@operator.example', subject: 'New support note' })
    expect(mail?.body).toBe(
      'Expert of North created a support note. Reply to expert@north.example within 24 hours.\n\nMeter gap (19.11.2026)\n\nNo values\n- since Friday',
    )
  })

  test('released with a time is stored as the local day', async () => {
    const answer = await create({ released: '2026-11-18T23:30:00.000Z' })
    expect(answer.body.data.supportNote.released).toBe('2026-11-19')
  })

  test('C4 a note is edited and closed, with a mail to the operator and before and after on the trail', async () => {
    const { supportNote } = (await create()).body.data
    const closed = { ...form, title: 'Meter gap, solved', enable: false }
    const answer = await update(supportNote._id, closed)
    expect(answer.body).toMatchObject({ message: 'Support note updated', data: { supportNote: closed } })
    expect(await find()).toMatchObject({ supportNotes: [closed], totalCount: 1 })
    expect((await trail()).at(-1)).toMatchObject({ action: 'support-note.update', before: form, after: closed })
    const mail = (await mails()).find(({ subject }) => subject === 'Support note changed')
    expect(mail?.body).toContain('Reply to expert@north.example: the note is closed.')
  })

  test('C4 a note is not stored without its mail', async () => {
    const { tenant } = app.records
    app.records.tenant = (id, work) =>
      tenant(id, async (tx) => {
        await work(tx)
        throw new Error('the store went away before the commit')
      })
    expect((await create()).status).toBe(500)
    app.records.tenant = tenant
    expect(await find()).toEqual({ supportNotes: [], totalCount: 0 })
    expect(await mails()).toEqual([])
  })

  test.each([
    ['a blank title', { title: '  ' }, { 'supportNote.title': m.required }],
    ['no title', { title: undefined }, { 'supportNote.title': m.required }],
    ['a long title', { title: 'x'.repeat(101) }, { 'supportNote.title': 'Must be at most 100 characters' }],
    ['a title of two lines', { title: 'two\nlines' }, { 'supportNote.title': m.characters }],
    ['no description', { description: '' }, { 'supportNote.description': m.required }],
    ['a long description', { description: 'x'.repeat(2001) }, { 'supportNote.description': m.longest(2000) }],
    ['no date', { released: undefined }, { 'supportNote.released': m.required }],
    ['an empty date', { released: '' }, { 'supportNote.released': m.required }],
    ['a day that does not exist', { released: '2026-02-30' }, { 'supportNote.released': m.date }],
    ['enable as text', { enable: 'yes' }, { 'supportNote.enable': m.yesOrNo }],
    ['a further field', { application: 'Other' }, { 'supportNote.application': 'Unknown field: application' }],
  ])('R3 %s is refused with its message and without a mail', async (_, part, errors) => {
    expect(await create(part)).toMatchObject({ status: 400, body: { errors } })
    expect(await mails()).toEqual([])
  })
})

test('open notes are listed first, then the newest, by page', async () => {
  await create({ title: 'older', released: '2026-11-01' })
  await create({ title: 'closed', enable: false })
  await create({ title: 'newest' })
  expect(await titles()).toEqual(['newest', 'older', 'closed'])
  expect(await titles({ limit: '2', skip: '1' })).toEqual(['older', 'closed'])
  expect((await find({ limit: '1' })).totalCount).toBe(3)
})

test('T1 a note of another customer is answered like an unknown one', async () => {
  const { supportNote } = (await create()).body.data
  expect(await find({}, west)).toEqual({ supportNotes: [], totalCount: 0 })
  const foreign = await update(supportNote._id, { title: 'mine' }, west)
  const unknown = await update('018f0000-0000-7000-8000-000000000000', {}, west)
  expect(foreign).toMatchObject({ status: 404, text: unknown.text })
  expect(await titles()).toEqual(['Meter gap'])
})

test.each([
  ['auditor', 200, 403],
  ['custom', 403, 403],
])('R1 the %s: the status of reading is %i, of writing %i', async (role, reading, writing) => {
  const token = await app.tokenOf(`${role}@north.example`)
  const { supportNote } = (await create()).body.data
  expect((await app.ask(contract.findSupportNotes, { token })).status).toBe(reading)
  expect((await create({}, token)).status).toBe(writing)
  expect((await update(supportNote._id, {}, token)).status).toBe(writing)
})

test('a customer mails the operator at most 20 times an hour, other customers are not affected', async () => {
  const { supportNote } = (await create()).body.data
  for (let i = 1; i < limits.supportNotesPerHour; i++) expect((await update(supportNote._id)).status).toBe(200)
  app.setNow('2026-11-20T08:20:00Z')
  for (const refused of [await create(), await update(supportNote._id, { title: 'late' })])
    expect(refused).toMatchObject({ status: 429, headers: { 'retry-after': '2400' } })
  expect(await mails()).toHaveLength(limits.supportNotesPerHour)
  expect((await create({}, west)).status).toBe(200)
  app.setNow('2026-11-20T09:00:00Z')
  expect((await create()).status).toBe(200)
})

test('a customer has at most 1,000 notes', async () => {
  await fill(limits.supportNotes - 1)
  expect((await create()).status).toBe(200)
  const refused = await create()
  expect(refused).toMatchObject({ status: 409, body: { message: m.tooManySupportNotes(limits.supportNotes) } })
  expect((await find({ skip: '999' })).supportNotes).toHaveLength(1)
})
