import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { answerCalls } from '#testing/answers.ts'
import { showAt } from '#testing/render.tsx'
import { UserProvider } from '#lib/user.tsx'
import { expectClean } from '#testing/axe.ts'
import { someUser } from '#testing/user.ts'
import { SessionList } from './SessionList.tsx'
import { toasts } from '#testing/toasts.ts'

const here = {
  _id: '01930000-0000-7000-8000-000000000001',
  current: true,
  createdAt: '2026-11-20T10:00:00Z',
  lastUsedAt: '2026-11-20T17:12:08Z',
  remembered: false,
  wall: null,
  wallShow: null,
  userAgent: 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36',
  address: '192.0.2.7',
}
const phone = {
  ...here,
  _id: '01930000-0000-7000-8000-000000000002',
  current: false,
  remembered: true,
  userAgent:
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1',
  address: null,
}

const open = async () => {
  let sessions = [phone, here]
  const requests = answerCalls({
    'GET /user/sessions': () => ({ data: { sessions } }),
    [`DELETE /user/sessions/${phone._id}`]: () => {
      sessions = [here]
      return { message: 'The session has ended' }
    },
  })
  await showAt('/security', <SessionList />)
  return () => requests.filter(({ call }) => call.startsWith('DELETE'))
}

test('each session has browser, system, address and times in words; the current one is first and marked', async () => {
  await open()
  const row = (name: RegExp) => page.getByRole('row', { name })
  await expect
    .element(row(/^Chrome on Linux ?This session 192\.0\.2\.7 20\.11\.2026 18:12:08 20\.11\.2026 11:00:00$/))
    .toBeVisible()
  await expect.element(row(/^Safari on iPhone ?Remembered – .* Sign out Safari on iPhone$/)).toBeVisible()
  expect(page.getByRole('row').elements()[1]?.textContent).toContain('This session')
  expect(page.getByRole('button', { name: /^Sign out/ }).elements()).toHaveLength(1)
})

test('another session is signed out after a confirmation, and leaves the list', async () => {
  const deleted = await open()
  await userEvent.click(page.getByRole('button', { name: 'Sign out Safari on iPhone' }))
  await expect.element(page.getByRole('dialog', { name: 'Sign out this session?' })).toBeVisible()
  expect(deleted()).toEqual([])
  await userEvent.click(page.getByRole('button', { name: 'Sign out', exact: true }))
  await expect.poll(() => page.getByRole('row').elements().length).toBe(2)
  expect(toasts).toEqual(['The session has ended'])
  await expect.element(page.getByRole('region', { name: 'Sessions' })).toHaveFocus()
})

test('a failed read shows its reason', async () => {
  answerCalls({ 'GET /user/sessions': () => ({ status: 404, message: 'Not found' }) })
  await showAt('/security', <SessionList />)
  await expect
    .poll(() => page.getByRole('alert').element().textContent)
    .toContain('Your sessions could not be loaded. Not found')
})

const wall = {
  ...phone,
  _id: '01930000-0000-7000-8000-000000000003',
  remembered: false,
  wall: 'Control room',
  wallShow: { cards: [{ card: 'alerts' }, { card: 'energy' }], seconds: 45 },
}
const someInstance = { _id: here._id, name: 'Køl 1', licenseId: here._id, market: [], area: 'DK2' }
const priceSignals = ['DK1', 'DK2'].map((area, i) => ({ _id: `${here._id.slice(0, -1)}${i + 4}`, name: area, area }))

test('the cards of a wall screen are changed in its row: which, in which order, how long', async () => {
  const requests = answerCalls({
    'GET /user/sessions': () => ({ data: { sessions: [here, wall] } }),
    [`PATCH /user/wall/${wall._id}`]: () => ({ message: 'Cards saved' }),
  })
  const user = someUser({ customerId: { instances: [someInstance], powerCost: priceSignals } })
  await showAt(
    '/security',
    <UserProvider value={user}>
      <SessionList />
    </UserProvider>,
  )
  await userEvent.click(page.getByRole('button', { name: 'Change cards of Control room' }))
  const dialog = page.getByRole('dialog', { name: 'Cards of Control room' })
  await expect.element(dialog.getByRole('checkbox', { name: 'Faults and alerts' })).toBeChecked()
  await expect.element(dialog.getByRole('checkbox', { name: 'Power cost · DK1' })).not.toBeChecked()
  await userEvent.click(dialog.getByRole('checkbox', { name: 'Power cost · DK2' }))
  await userEvent.click(dialog.getByRole('button', { name: 'Move Power cost · DK2 up' }))
  await userEvent.click(dialog.getByRole('checkbox', { name: 'Energy now' }))
  await expectClean()
  await userEvent.click(dialog.getByRole('button', { name: 'Save cards' }))
  await expect.poll(() => toasts).toEqual(['Cards saved'])
  expect(requests.find(({ call }) => call.startsWith('PATCH'))?.body).toEqual({
    show: {
      cards: [{ card: 'alerts' }, { card: 'price', priceSignalId: priceSignals[1]?._id }],
      seconds: 45,
    },
  })
  await expect.element(dialog).not.toBeInTheDocument()
})
