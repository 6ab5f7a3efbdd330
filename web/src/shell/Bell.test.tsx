import { beforeEach, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { answerCalls } from '#testing/answers.ts'
import { expectClean } from '#testing/axe.ts'
import { showAt, Verified } from '#testing/render.tsx'
import { someUser } from '#testing/user.ts'
import { Bell } from './Bell.tsx'

const open = async (totalCount: number, user = someUser(), budgets: object[] = []) => {
  const latestData = Array.from({ length: Math.min(30, totalCount) }, (_, i) => ({
    _id: `01930000-0000-7000-8000-${String(i).padStart(12, '0')}`,
    name: `Alert ${i + 1}`,
    type: 'power',
    source: 'FCR-D-INC',
    triggerTime: '2026-11-20T12:34:00Z',
  }))
  answerCalls({
    'GET /user/verify': () => ({ data: { user, due: null } }),
    'GET /client/alert/notification': () => ({
      data: { totalCount: totalCount + budgets.length, latestData, budgets },
    }),
    'GET /client/live': () => ({ status: 403 }),
  })
  await showAt(
    '/',
    <Verified>
      <main>
        <h1>Home</h1>
        <Bell />
      </main>
    </Verified>,
  )
}
beforeEach(() => localStorage.clear())

const bell = (name: string) => page.getByRole('button', { name, exact: true })
const list = () => page.getByRole('dialog', { name: /^Notifications/ })

test('an empty bell has the words of the specification', async () => {
  await open(0)
  await userEvent.click(bell('Notifications'))
  await expect.element(list()).toHaveTextContent('No notifications for today!')
  await expectClean()
})

test('a bell with one notification has a badge, and the title, source and time, with a link to its page', async () => {
  await open(1)
  await expect.element(bell('Notifications: 1 new')).toHaveTextContent('1')
  await userEvent.click(bell('Notifications: 1 new'))
  const link = list().getByRole('link')
  await expect.poll(() => link.element().textContent).toMatch(/Alert 113:34:00FCR-D-INC/)
  expect(link.element().getAttribute('href')).toBe('/e3-Legacy/FCR-D-INC?trigger=01930000-0000-7000-8000-000000000000')
  await expectClean()
})

test('a bell with 120 notifications lists the newest 30 and the number of others', async () => {
  await open(120)
  await expect.element(bell('Notifications: 120 new')).toHaveTextContent('99+')
  await userEvent.click(bell('Notifications: 120 new'))
  await expect.poll(() => list().getByRole('listitem').elements().length).toBe(30)
  await expect
    .element(list().getByRole('link', { name: 'and 90 more today' }))
    .toHaveAttribute('href', '/e3-App/FCR-D-INC?tab=alerts&subTab=triggered')
})

test('a spent charging budget links to its tags or groups', async () => {
  const triggerTime = '2026-11-20T12:34:00Z'
  await open(1, someUser(), [
    { scope: 'group', name: 'Vans', state: 'spent', triggerTime },
    { scope: 'tag', name: 'Lene', state: 'warned', triggerTime },
  ])
  await userEvent.click(bell('Notifications: 3 new'))
  const link = (name: RegExp) => list().getByRole('link', { name })
  await expect
    .element(link(/^Charging budget of Vans is spent/))
    .toHaveAttribute('href', '/e3-App/evCharging?tab=tag&subTab=group')
  await expect
    .element(link(/^Charging budget of Lene is nearly spent/))
    .toHaveAttribute('href', '/e3-App/evCharging?tab=tag')
  await expectClean()
})

test('a user without E3 apps reads the alert, without a link to a closed page', async () => {
  await open(1, someUser({ userRole: 'custom', allowed: { dashboard: true } }))
  await userEvent.click(bell('Notifications: 1 new'))
  await expect.element(list()).toHaveTextContent('Alert 113:34:00FCR-D-INC')
  expect(list().getByRole('link').elements()).toHaveLength(0)
  await expectClean()
})

test('a read notification is no longer counted; the list stays', async () => {
  await open(2)
  await userEvent.click(bell('Notifications: 2 new'))
  await expect.poll(() => list().getByRole('listitem').elements().length).toBe(2)
  await userEvent.keyboard('{Escape}')
  await userEvent.click(bell('Notifications'))
  await expect.poll(() => list().getByRole('listitem').elements().length).toBe(2)
})
