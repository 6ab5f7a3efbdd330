import { removeChargerTag } from '@gridmast/contract/charging/tags.ts'
import { limits } from '@gridmast/contract/limits.ts'
import { type EmailSubscription, findEmailSubscriptions } from '@gridmast/contract/people/email-subscriptions.ts'
import type { SavedView } from '@gridmast/contract/people/saved-views.ts'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { useSavedList } from '#lib/list.ts'
import { useRemoval } from '#lib/removal.ts'
import { deviceStorage } from '#lib/store.ts'
import { connectToasts, type Toast } from '#lib/toast.ts'
import { oneOf, searchParams, text } from '#lib/search-params.ts'
import { UserProvider } from '#lib/user.tsx'
import { answerCalls } from '#testing/answers.ts'
import { showAt } from '#testing/render.tsx'
import { toasts } from '#testing/toasts.ts'
import { someUser } from '#testing/user.ts'
import * as column from './columns.tsx'
import type { Columns } from './DataTable.tsx'
import { SavedList } from './SavedList.tsx'

const rows: EmailSubscription[] = ['anna', 'bo', 'carl'].map((name, i) => ({
  _id: `018f0000-0000-7000-8000-00000000000${i}`,
  email: `${name}@north.example`,
  eventType: 'fcr_based',
  instanceId: '018f0000-0000-7000-8000-000000000009',
  instanceName: `Køl ${i}`,
  activation: true,
  bidResult: false,
}))
const [anna, bo] = rows
const filters = searchParams({ filter: text(20), kind: oneOf('a', 'b') })
const opened: string[] = []

const List = ({ existing = {} }: { existing?: Record<string, string[]> }) => {
  const { remove, isRemoved } = useRemoval(removeChargerTag, {
    sent: ({ _id }: EmailSubscription) => ({ params: { id: _id } }),
  })
  const list = useSavedList(
    findEmailSubscriptions,
    { query: { eventType: 'fcr_based' } },
    {
      rows: ({ subscriptions }) => subscriptions,
      isRemoved,
      views: { list: 'email-subscriptions', filters, existing },
    },
  )
  const columns: Columns<EmailSubscription> = [
    column.text('email', 'Email', ({ email }) => email),
    column.text('instance', 'Instance', ({ instanceName }) => instanceName),
    column.text('id', 'Number', ({ _id }) => _id, { extra: true }),
    column.actions('Actions', (row) => [{ label: `Delete ${row.email}`, text: 'Delete', onClick: () => remove(row) }]),
  ]
  return (
    <SavedList
      title="Emails"
      {...list}
      failed="Failed"
      note={`${list.paging.total} rows`}
      columns={columns}
      rowKey={({ _id }) => _id}
      onOpen={({ email }) => opened.push(email)}
      bulk={{
        name: ({ email }) => email,
        can: ({ email }) => !email.startsWith('carl'),
        renderActs: (chosen, onDone) => (
          <button
            type="button"
            onClick={() =>
              onDone({
                done: chosen.slice(1).map(({ _id }) => _id),
                failed: chosen.slice(0, 1).map(({ _id }) => ({ _id, message: 'Input is not valid' })),
              })
            }
          >
            Act on {chosen.length}
          </button>
        ),
      }}
    />
  )
}

const view = (part: Partial<SavedView>): SavedView => ({
  _id: '018f0000-0000-7000-8000-0000000000aa',
  name: 'Only Bo',
  shared: false,
  isDefault: false,
  search: 'filter=bo&columns=instance',
  ...part,
})
const answers = (views: SavedView[]) => ({
  'GET /client/email-subscription': () => ({ data: { subscriptions: rows, totalCount: rows.length } }),
  'GET /client/saved-view': () => ({ data: { views } }),
})
const showList = (
  search = '',
  props: { existing?: Record<string, string[]> } = {},
  role: 'sudoer' | 'expert' = 'sudoer',
) =>
  showAt(
    '/list',
    <UserProvider value={someUser({ userRole: role })}>
      <List {...props} />
    </UserProvider>,
    'en',
    search,
  )
const heads = () =>
  page
    .getByRole('columnheader')
    .elements()
    .map((head) => head.textContent)
const openMenu = (name = 'View: Standard view') => userEvent.click(page.getByRole('button', { name }))

beforeEach(() => {
  opened.length = 0
  deviceStorage.write('GM_DENSITY', null)
})

test('columns are chosen, ordered by buttons and reset; columns of actions stay the last', async () => {
  answerCalls(answers([]))
  await showList()
  await expect.poll(heads).toEqual(['', 'Email', 'Instance', 'Actions'])
  await userEvent.click(page.getByRole('button', { name: 'Columns of the table' }))
  await userEvent.click(page.getByRole('checkbox', { name: 'Number' }))
  await userEvent.click(page.getByRole('button', { name: 'Move Number up' }))
  await userEvent.click(page.getByRole('button', { name: 'Move Number up' }))
  await expect.poll(heads).toEqual(['', 'Number', 'Email', 'Instance', 'Actions'])
  await userEvent.click(page.getByRole('checkbox', { name: 'Email' }))
  await userEvent.click(page.getByRole('checkbox', { name: 'Instance' }))
  await expect.element(page.getByRole('checkbox', { name: 'Number' })).toBeDisabled()
  await userEvent.click(page.getByRole('radio', { name: 'Dense' }))
  expect(deviceStorage.read('GM_DENSITY')).toBe('dense')
  await userEvent.click(page.getByRole('button', { name: 'Standard columns' }))
  await expect.poll(heads).toEqual(['', 'Email', 'Instance', 'Actions'])
})

test('the default view opens with the list, and another link is not replaced by it', async () => {
  answerCalls(answers([view({ isDefault: true })]))
  await showList()
  await expect.element(page.getByRole('button', { name: 'View: Only Bo' })).toBeVisible()
  expect(heads()).toEqual(['', 'Instance', 'Actions'])
  await openMenu('View: Only Bo')
  await userEvent.click(page.getByRole('menuitem', { name: 'Standard view' }))
  await expect.poll(heads).toEqual(['', 'Email', 'Instance', 'Actions'])
})

test('a link with filters opens without the default view', async () => {
  answerCalls(answers([view({ isDefault: true })]))
  await showList('?filter=anna')
  await expect.element(page.getByRole('button', { name: 'View: Standard view' })).toBeVisible()
  await expect.poll(heads).toEqual(['', 'Email', 'Instance', 'Actions'])
})

test('a view is saved with the content of the URL, and renamed, shared and made the default', async () => {
  const sent = answerCalls({
    ...answers([view({})]),
    'POST /client/saved-view': () => ({ data: { view: view({ name: 'New' }) } }),
    [`PATCH /client/saved-view/${view({})._id}`]: () => ({ data: { view: view({ shared: true }) } }),
    'PUT /client/saved-view/default': () => ({}),
  })
  await showList('?filter=bo&sort=email&order=desc&page=2')
  await openMenu()
  await userEvent.click(page.getByRole('menuitem', { name: 'Save as new view …' }))
  await userEvent.fill(page.getByRole('textbox', { name: 'Name' }), 'New')
  await userEvent.click(page.getByRole('button', { name: 'Save view' }))
  await expect
    .poll(() => sent.find(({ call }) => call.startsWith('POST'))?.body)
    .toEqual({ list: 'email-subscriptions', name: 'New', shared: false, search: 'filter=bo&sort=email&order=desc' })
  await openMenu('View: Only Bo')
  await userEvent.click(page.getByRole('menuitem', { name: 'Share with the company' }))
  await expect.poll(() => sent.find(({ call }) => call.startsWith('PATCH'))?.body).toEqual({ shared: true })
  await openMenu('View: Only Bo')
  await userEvent.click(page.getByRole('menuitem', { name: 'Open by default' }))
  await expect
    .poll(() => sent.find(({ call }) => call.startsWith('PUT'))?.body)
    .toEqual({ list: 'email-subscriptions', viewId: view({})._id })
})

test('R1 only a sudoer changes a view of the company', async () => {
  answerCalls(answers([view({ shared: true })]))
  await showList('?saved=018f0000-0000-7000-8000-0000000000aa', {}, 'expert')
  await openMenu('View: Only Bo')
  await expect.element(page.getByRole('menuitem', { name: 'Open by default' })).toBeVisible()
  for (const name of ['Rename …', 'Delete view', 'Save for the company …'])
    expect(page.getByRole('menuitem', { name }).elements()).toEqual([])
})

test.each<[string, Partial<SavedView>, Record<string, string[]>]>([
  ['a column', { search: 'columns=instance,gone' }, {}],
  ['a filter', { search: 'filter=bo&kind=gone&columns=instance' }, {}],
  ['the value of a filter', { search: 'filter=bo&columns=instance' }, { filter: ['anna'] }],
  ['hostile text', { search: 'columns=instance&__proto__=x&filter=%22%3E%3Cscript%3E%00toolongforthisfilter' }, {}],
])('a view opens without %s that is gone, and reports it', async (_, part, existing) => {
  answerCalls(answers([view(part)]))
  await showList('?saved=018f0000-0000-7000-8000-0000000000aa', { existing })
  await expect.element(page.getByText(/^A filter or column of this view no longer exists/)).toBeVisible()
  expect(heads()).toEqual(['', 'Instance', 'Actions'])
})

test('a link to a view that does not exist reports it and lists the rows', async () => {
  answerCalls(answers([]))
  await showList('?saved=018f0000-0000-7000-8000-0000000000aa')
  await expect.element(page.getByText('This view does not exist or is not shared with you.')).toBeVisible()
  await expect.element(page.getByText('anna@north.example')).toBeVisible()
})

test('rows by keyboard: j and k move, Enter opens, x selects, and typing in a field stays typing', async () => {
  answerCalls(answers([]))
  await showList()
  await expect.element(page.getByText('anna@north.example')).toBeVisible()
  await userEvent.keyboard('jj')
  await userEvent.keyboard('{Enter}')
  expect(opened).toEqual([bo?.email])
  await userEvent.keyboard('x')
  await expect.element(page.getByRole('checkbox', { name: 'Select bo@north.example' })).toBeChecked()
  await userEvent.keyboard('k{Enter}')
  expect(opened).toEqual([bo?.email, anna?.email])
  await userEvent.keyboard('kx')
  await expect.element(page.getByRole('checkbox', { name: 'Select all rows' })).toBeChecked()
})

test('a click on a row opens it; one on a control or that selects text does not', async () => {
  answerCalls(answers([]))
  await showList()
  const cell = page.getByRole('cell', { name: 'bo@north.example', exact: true })
  await userEvent.click(cell)
  expect(opened).toEqual([bo?.email])
  await userEvent.click(page.getByRole('checkbox', { name: 'Select anna@north.example' }))
  const text = page.getByRole('cell', { name: 'anna@north.example', exact: true }).element() as HTMLElement // a cell
  getSelection()?.selectAllChildren(text)
  text.click()
  expect(opened).toEqual([bo?.email])
  getSelection()?.removeAllRanges()
  text.click()
  expect(opened).toEqual([bo?.email, anna?.email])
})

test('an act on several rows keeps the refused ones selected, with their reason', async () => {
  answerCalls(answers([]))
  await showList()
  await userEvent.click(page.getByRole('checkbox', { name: 'Select all rows' }))
  expect(page.getByRole('checkbox', { name: 'Select carl@north.example' }).elements()).toEqual([])
  await userEvent.click(page.getByRole('button', { name: 'Act on 2' }))
  await expect.element(page.getByText('Input is not valid')).toBeVisible()
  await expect.element(page.getByText('1 selected')).toBeVisible()
  expect(toasts).toEqual(['Changed: 1. Not changed: 1, with the reason in the row.'])
  await userEvent.click(page.getByRole('button', { name: 'Clear the selection' }))
  await expect.element(page.getByRole('group', { name: 'Selected rows' })).not.toBeInTheDocument()
})

const path = `DELETE /client/evc/tag/${anna?._id}`
const removeAnna = async () => {
  const shown: Toast[] = []
  connectToasts((toast) => shown.push(toast))
  const sent = answerCalls({ ...answers([]), [path]: () => ({}) })
  await showList()
  await userEvent.click(page.getByRole('button', { name: 'Delete anna@north.example' }))
  await expect.element(page.getByText('anna@north.example')).not.toBeInTheDocument()
  return {
    undo: () => shown[0]?.undo?.(),
    isSent: () => sent.some(({ call }) => call === path),
  }
}

afterEach(() => vi.useRealTimers())

test('a deleted row leaves the total, is back after an undo, and nothing was sent', async () => {
  const { undo, isSent } = await removeAnna()
  await expect.element(page.getByText('2 rows')).toBeVisible()
  undo()
  await expect.element(page.getByText('anna@north.example')).toBeVisible()
  await expect.element(page.getByText('3 rows')).toBeVisible()
  window.dispatchEvent(new Event('pagehide'))
  expect(isSent()).toBe(false)
})

test('a deletion is sent when the page is left', async () => {
  const { isSent } = await removeAnna()
  expect(isSent()).toBe(false)
  window.dispatchEvent(new Event('pagehide'))
  await expect.poll(isSent).toBe(true)
})

test('a deletion is sent after the time to undo it', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const { isSent } = await removeAnna()
  vi.advanceTimersByTime(limits.undoMs / 2)
  expect(isSent()).toBe(false)
  vi.advanceTimersByTime(limits.undoMs / 2)
  await expect.poll(isSent).toBe(true)
})
