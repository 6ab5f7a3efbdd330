import type { ImportedRow } from '@gridmast/contract/charge-fleet.ts'
import { m } from '@gridmast/contract/messages.ts'
import type { User } from '@gridmast/contract/user.ts'
import { afterEach, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { connectToasts } from '#lib/toast.ts'
import { UserProvider } from '#lib/user.tsx'
import { answerCalls } from '#testing/answers.ts'
import { expectClean } from '#testing/axe.ts'
import { showAt } from '#testing/render.tsx'
import { someUser } from '#testing/user.ts'
import CfmTools from './CfmTools.tsx'

const rowOf = (line: number, over: Partial<ImportedRow> = {}): ImportedRow => ({
  ...{ line, name: `Van ${line}`, tagID: `A${line}`, group: 'Vans', action: true, kind: 'new', errors: {} },
  ...over,
})
const rows = [
  rowOf(2),
  rowOf(3, { kind: 'changed', action: false }),
  rowOf(4, { kind: 'same' }),
  rowOf(5, { kind: 'wrong', tagID: '', errors: { tagID: m.required } }),
]
const counts = { new: 1, changed: 1, same: 1, wrong: 1 }

const toasts: string[] = []
connectToasts(({ message }) => toasts.push(message))
afterEach(() => {
  toasts.length = 0
})

const open = async (answers: Parameters<typeof answerCalls>[0] = {}, userRole: User['userRole'] = 'expert') => {
  const asked = answerCalls({
    'POST /client/cfm/tag-import': () => ({ data: { rows, counts, saved: false } }),
    ...answers,
  })
  const license = { CFM: { enabled: true }, evCharging: { enabled: true } }
  await showAt(
    '/cfm/tools',
    <UserProvider value={someUser({ userRole, allowed: { cfmTools: true }, customerId: { license } })}>
      <h1>CFM Tools</h1>
      <CfmTools />
    </UserProvider>,
  )
  return () => asked.filter(({ call }) => call.includes('tag-import')).map(({ body }) => body)
}
const choose = async () => {
  await expect.element(page.getByRole('button', { name: 'Choose a file' })).toBeVisible()
  const input = document.querySelector('input[type=file]')
  if (!input) throw new Error('no field for a file')
  await userEvent.upload(input, new File(['Name;Tag ID'], 'tags.csv', { type: 'text/csv' }))
}

test('a file is looked at first: each row with what it would do and what is wrong; then it is saved', async () => {
  const sent = await open()
  await choose()
  const table = page.getByRole('table', { name: 'Rows of the file' })
  await expect.element(table.getByText('Van 5')).toBeVisible()
  const text = (i: number) => table.getByRole('row').nth(i).element().textContent
  expect(text(1)).toContain('New')
  expect(text(2)).toContain('Changed')
  expect(text(3)).toContain('Already there')
  expect(text(4)).toContain('Left out')
  expect(text(4)).toContain(m.required)
  expect(sent()).toMatchObject([{ values: '{"save":false}' }])
  await expectClean()
  await userEvent.click(page.getByRole('button', { name: 'Save 2 tags' }))
  await expect.poll(() => toasts).toEqual(['2 tags saved'])
  expect(sent()).toMatchObject([{ values: '{"save":false}' }, { values: '{"save":true}', file: { name: 'tags.csv' } }])
})

test('a file that cannot be read says why', async () => {
  await open({
    'POST /client/cfm/tag-import': () => ({ status: 400, message: 'no', errors: { file: m.tableUnreadable } }),
  })
  await choose()
  await expect.element(page.getByRole('alert').getByText(m.tableUnreadable, { exact: false })).toBeVisible()
})

test('R1 a custom user who sees the tools imports nothing', async () => {
  await open({}, 'custom')
  await expect
    .element(page.getByText('Tags and chargers are added by the sudoer or an expert of your company.'))
    .toBeVisible()
  expect(page.getByRole('button').elements()).toEqual([])
})
