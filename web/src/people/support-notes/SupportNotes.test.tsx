import type { SupportNote } from '@gridmast/contract/people/support-notes.ts'
import { formatDate, today } from '@gridmast/contract/time.ts'
import { describe, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { UserProvider } from '#lib/user.tsx'
import SupportNotes from './SupportNotes.tsx'
import { answerCalls, fetched } from '#testing/answers.ts'
import { expectClean } from '#testing/axe.ts'
import { showAt } from '#testing/render.tsx'
import { someUser } from '#testing/user.ts'
import { toasts } from '#testing/toasts.ts'

const path = '/insights/supportNotes'
const id = '01930000-0000-7000-8000-000000000001'
const note: SupportNote = {
  _id: id,
  title: 'Meter gap',
  application: 'Gridmast',
  description: 'No values since Friday:\n- meter 7\n- <img src=x onerror=alert(1)>',
  released: '2026-11-19',
  enable: true,
}
const closed: SupportNote = { ...note, _id: id.replace(/1$/, '2'), title: 'Old matter', enable: false }
const form = { title: note.title, description: note.description, released: note.released, enable: true }

type Start = {
  notes?: SupportNote[]
  role?: 'expert' | 'auditor'
  total?: number
  language?: 'en' | 'da'
  create?: () => { status?: number; message?: string; data?: unknown; retryAfterS?: number }
}
const open = async ({ notes = [note, closed], role = 'expert', total, language = 'en', create }: Start = {}) => {
  const requests = answerCalls({
    'GET /client/supportNotes': () => ({ data: { supportNotes: notes, totalCount: total ?? notes.length } }),
    'POST /client/supportNotes':
      create ?? (() => ({ message: 'The team will reach out to you in 24 hours.', data: { supportNote: note } })),
    [`PATCH /client/supportNotes/${id}`]: () => ({ message: 'Support note updated', data: { supportNote: note } }),
  })
  await showAt(
    path,
    <UserProvider value={someUser({ userRole: role })}>
      <SupportNotes />
    </UserProvider>,
    language,
  )
  return () => requests.filter(({ call }) => !call.startsWith('GET')).map(({ call, body }) => ({ call, body }))
}
const field = (name: string) => page.getByRole('textbox', { name })
const button = (name: string) => page.getByRole('button', { name })
const press = (name: string) => userEvent.click(button(name))

test('a card for each note, with its state; it opens the full text, and nothing is rendered as markup', async () => {
  await open()
  const cards = page.getByRole('list', { name: 'Support Notes' }).getByRole('listitem')
  await expect.poll(() => cards.elements().length).toBe(3)
  for (const text of ['Meter gap', 'Open', 'Gridmast · 19.11.2026', 'No values since Friday'])
    expect(cards.nth(1).element().textContent).toContain(text)
  expect(cards.nth(2).element().textContent).toContain('Closed')
  button('Meter gap').element().focus()
  await userEvent.keyboard('{Enter}')
  const dialog = page.getByRole('dialog', { name: 'Meter gap' })
  await expect.element(dialog).toBeVisible()
  expect(
    dialog
      .getByRole('listitem')
      .elements()
      .map(({ textContent }) => textContent),
  ).toEqual(['meter 7', '<img src=x onerror=alert(1)>'])
  expect(dialog.element().querySelector('img')).toBeNull()
  await userEvent.keyboard('{Escape}')
  await expect.element(button('Meter gap')).toHaveFocus()
  await expectClean()
})

describe('writing', () => {
  test('title and description are required; the day is today; the note is sent and the toast states when the team answers', async () => {
    const changes = await open({ notes: [] })
    await press('Add note')
    await expect.element(field('Created at')).toHaveValue(formatDate(today(Date.now())))
    await press('Create note')
    await expect.poll(() => page.getByText('This field is required').elements().length).toBe(2)
    await expect.element(field('Title')).toHaveFocus()
    expect(changes()).toEqual([])
    await userEvent.fill(field('Title'), 'Meter gap')
    await userEvent.fill(field('Description'), form.description)
    await userEvent.fill(field('Created at'), '19.11.2026')
    await press('Create note')
    await expect.poll(changes).toEqual([{ call: 'POST /client/supportNotes', body: { supportNote: form } }])
    await expect.poll(() => toasts).toEqual(['The team will reach out to you in 24 hours.'])
    await expect.poll(() => page.getByRole('dialog').elements().length).toBe(0)
    await expect.element(button('Add note')).toHaveFocus()
  })

  test.each([
    ['', 'This field is required'],
    ['31.02.2026', 'Write a date as DD.MM.YYYY'],
  ])('the day "%s" is not sent as the previous one', async (typed, words) => {
    const changes = await open()
    await press('Edit Meter gap')
    await userEvent.fill(field('Created at'), typed)
    await press('Save changes')
    await expect.element(page.getByText(words)).toBeVisible()
    await userEvent.fill(field('Created at'), typed)
    await userEvent.keyboard('{Enter}')
    await expect.element(page.getByText(words)).toBeVisible()
    expect(changes()).toEqual([])
  })

  test('a note is changed and closed', async () => {
    const changes = await open()
    await press('Edit Meter gap')
    await userEvent.fill(field('Title'), 'Solved')
    await userEvent.click(page.getByRole('switch', { name: /^Open/ }))
    await press('Save changes')
    await expect.poll(changes).toEqual([
      {
        call: `PATCH /client/supportNotes/${id}`,
        body: { supportNote: { ...form, title: 'Solved', enable: false } },
      },
    ])
    await expect.poll(() => toasts).toEqual(['Support note updated'])
  })

  test('closing with unsaved changes requires a confirmation, and the typed text is kept', async () => {
    await open()
    await press('Add note')
    await userEvent.fill(field('Title'), 'Half')
    await userEvent.keyboard('{Escape}')
    const question = page.getByRole('dialog', { name: 'Leave without saving?' })
    await expect.element(question.getByRole('button', { name: 'Keep editing' })).toHaveFocus()
    await expectClean()
    await userEvent.click(question.getByRole('button', { name: 'Keep editing' }))
    await expect.poll(() => question.elements().length).toBe(0)
    await userEvent.keyboard('{Escape}')
    await expect.element(question.getByRole('button', { name: 'Keep editing' })).toHaveFocus()
    await userEvent.keyboard('{Escape}')
    await expect.poll(() => question.elements().length).toBe(0)
    await expect.element(field('Title')).toHaveValue('Half')
    await press('Cancel')
    await userEvent.click(question.getByRole('button', { name: 'Leave' }))
    await expect.poll(() => page.getByRole('dialog').elements().length).toBe(0)
    await expect.element(button('Add note')).toHaveFocus()
    await press('Add note')
    await expect.element(field('Title')).toHaveValue('')
  })

  test('after too many in an hour the waiting time is shown, and the typed text is kept', async () => {
    await open({ create: () => ({ status: 429, message: 'Too many attempts. Try again in 90 s.', retryAfterS: 90 }) })
    await press('Add note')
    await userEvent.fill(field('Title'), 'One more')
    await userEvent.fill(field('Description'), 'Text')
    await press('Create note')
    await expect.element(page.getByRole('button', { name: /Try again in \d+ s/ })).toBeDisabled()
    await expect.element(field('Title')).toHaveValue('One more')
  })
})

test('R1 an auditor reads and can neither add nor edit; an empty list is stated', async () => {
  await open({ role: 'auditor' })
  await expect.element(button('Meter gap')).toBeVisible()
  expect(page.getByRole('button', { name: /^(Add|Edit)/ }).elements()).toEqual([])
})

test('an empty list is stated for a user who cannot add to it', async () => {
  await open({ role: 'auditor', notes: [], language: 'da' })
  await expect.element(page.getByText('Ingen poster at vise')).toBeVisible()
  await expect.element(page.getByText('Jeres virksomhed har ingen supportnoter.')).toBeVisible()
})

test('the second page is requested, and is in the address', async () => {
  await open({ total: 31 })
  await userEvent.click(button('Page 2'))
  await expect.poll(() => fetched().at(-1)).toBe('/api/client/supportNotes?limit=30&skip=30')
})

test('a failed read shows its reason and offers another try', async () => {
  answerCalls({ 'GET /client/supportNotes': () => ({ status: 403, message: 'Not now' }) })
  await showAt(
    path,
    <UserProvider value={someUser({ userRole: 'auditor' })}>
      <SupportNotes />
    </UserProvider>,
  )
  await expect.element(page.getByText('The notes could not be loaded.')).toBeVisible()
  await expect.element(button('Retry now')).toBeVisible()
})
