import { ticketHeader } from '@gridmast/contract/envelope.ts'
import { m } from '@gridmast/contract/messages.ts'
import { addDays, formatDate, today } from '@gridmast/contract/time.ts'
import { expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { answerCalls, fetched } from '#testing/answers.ts'
import { expectClean } from '#testing/axe.ts'
import { showAt } from '#testing/render.tsx'
import { groupId, meterId, someGroup, someMeter, twoGroups } from './data-hub.fixture.ts'
import { MeterDownloadDialog } from './MeterDownloadDialog.tsx'
import { toasts } from '#testing/toasts.ts'

const path = 'POST /client/data-hub/download'
const open = async (answer: Parameters<typeof answerCalls>[0][string] = () => ({}), groups = twoGroups) => {
  const requests = answerCalls({ [path]: answer })
  await showAt('/', <MeterDownloadDialog groups={groups} opened onClose={() => {}} />)
  await expect.element(page.getByRole('dialog')).toBeVisible()
  return requests
}
const box = (name: string) => page.getByRole('checkbox', { name })
const download = () => userEvent.click(page.getByRole('button', { name: 'Download', exact: true }))
const range = async (from: string, to: string) => {
  await userEvent.click(page.getByRole('textbox', { name: 'Date' }))
  await userEvent.fill(page.getByRole('textbox', { name: 'From' }), from)
  await userEvent.fill(page.getByRole('textbox', { name: 'To', exact: true }), to)
}
const now = today(Date.now())

test('meters with readings are selected; the file is requested at the selected resolution', async () => {
  const requests = await open()
  await expect.element(box('Kølehal A')).toBeChecked()
  await expect.element(box('Værksted')).not.toBeChecked()
  await userEvent.click(page.getByRole('radio', { name: 'Hour' }))
  await userEvent.click(box('Fryselager'))
  await expect.element(page.getByText('Meters: 2 · rows: 1.440')).toBeVisible()
  await expectClean()
  await download()
  await expect
    .poll(() => requests.map(({ body }) => body))
    .toEqual([{ devices: [meterId(1), meterId(2)], startDate: addDays(now, -30), endDate: addDays(now, -1) }])
  expect(fetched().at(-1)).toBe('/api/client/data-hub/download?format=xlsx&resolution=hour')
})

test('one group, and all of its meters at once', async () => {
  const requests = await open()
  await userEvent.click(
    page
      .getByRole('combobox', { name: 'Group' })
      .or(page.getByRole('textbox', { name: 'Group' }))
      .first(),
  )
  await userEvent.click(page.getByRole('option', { name: /Nordhavn Frost/ }))
  await expect.poll(() => box('Fryselager').elements().length).toBe(0)
  await userEvent.click(box('31 24 58 07 Nordhavn Frost A/S'))
  await expect.element(box('Værksted')).toBeChecked()
  await download()
  await expect.poll(() => requests[0]?.body).toMatchObject({ devices: [meterId(1), meterId(2), meterId(3)] })
})

test('without a meter nothing is sent, with the reason', async () => {
  const requests = await open()
  await userEvent.click(box('31 24 58 07 Nordhavn Frost A/S')) // some were chosen: now all
  await userEvent.click(box('31 24 58 07 Nordhavn Frost A/S'))
  await userEvent.click(box('38 90 12 44 Esbjerg Kulde ApS'))
  await expect.element(page.getByText(m.meterRequired)).toBeVisible()
  await expect.element(page.getByRole('button', { name: 'Download', exact: true })).toBeDisabled()
  await userEvent.keyboard('{Enter}')
  expect(requests).toEqual([])
})

test('the date range closes when the start is not after the end, and not before', async () => {
  const requests = await open()
  await range(formatDate(addDays(now, -2)), formatDate(addDays(now, -9)))
  await expect.element(page.getByRole('button', { name: 'Apply' })).toBeDisabled()
  await userEvent.keyboard('{Enter}')
  await expect.element(page.getByRole('button', { name: 'Apply' })).toBeVisible()
  await range(formatDate(addDays(now, -9)), formatDate(addDays(now, -2)))
  await userEvent.click(page.getByRole('button', { name: 'Apply' }))
  await expect.poll(() => page.getByRole('button', { name: 'Apply' }).elements().length).toBe(0)
  await download()
  await expect.poll(() => requests[0]?.body).toMatchObject({ startDate: addDays(now, -9), endDate: addDays(now, -2) })
})

test('more days than a file covers, and more rows than a sheet has, are reported before anything is sent', async () => {
  const many = Array.from({ length: 31 }, (_, i) => someMeter(i + 1, `Meter ${i + 1}`))
  const requests = await open(undefined, [{ ...someGroup(1, '31245807', null, many), _id: groupId(1) }])
  await range(formatDate(addDays(now, -401)), formatDate(addDays(now, -1)))
  await userEvent.click(page.getByRole('button', { name: 'Apply' }))
  await expect.element(page.getByText(m.exportTooLong(400))).toBeVisible()
  await range(formatDate(addDays(now, -365)), formatDate(addDays(now, -1)))
  await userEvent.click(page.getByRole('button', { name: 'Apply' }))
  await expect.element(page.getByText(/^A file holds at most 1048575 rows/)).toBeVisible()
  await expect.element(page.getByRole('button', { name: 'Download', exact: true })).toBeDisabled()
  expect(requests).toEqual([])
  await userEvent.click(page.getByRole('radio', { name: 'Day' }))
  await expect.element(page.getByText(/^A file holds at most 1048575 rows/)).not.toBeInTheDocument()
})

test('the browser downloads the file by a link that the server has accepted before; the file is not in memory', async () => {
  const links: string[] = []
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    links.push(this.getAttribute('href') ?? '')
  })
  await open()
  await download()
  await expect.element(page.getByText('The download has started')).toBeVisible()
  const [, init] = vi.mocked(window.fetch).mock.lastCall ?? []
  expect(new Headers(init?.headers).has(ticketHeader)).toBe(true)
  expect(links).toEqual(['/api/client/data-hub/download?format=xlsx&resolution=own'])
  expect(fetched()).toHaveLength(1)
  expect(toasts).toEqual([])
})

test('a refusal shows the reason of the server', async () => {
  await open(() => ({ status: 400, message: m.invalidInput, errors: { endDate: m.exportTooLong(400) } }))
  await download()
  await expect.poll(() => toasts).toEqual([m.exportTooLong(400)])
})
