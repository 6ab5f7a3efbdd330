import { afterEach, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { tokenStore } from '#lib/session.ts'
import { answerCalls, openStream } from '#testing/answers.ts'
import { expectClean } from '#testing/axe.ts'
import { showAt } from '#testing/render.tsx'
import { someUser } from '#testing/user.ts'
import Wall from './Wall.tsx'

const instance = '44444444-4444-4444-8444-444444444444'
const user = someUser({
  name: 'Control room',
  email: '',
  customerId: { instances: [{ _id: instance, name: 'Køl 1', licenseId: instance, market: [], area: 'DK2' }] },
})
afterEach(() => tokenStore.set(null))

const open = async (search = '', wall: { wall?: string } = { wall: 'Control room' }) => {
  const requests = answerCalls({
    'GET /user/verify': () => ({ data: { user, due: null, ...wall } }),
    'GET /client/live': () => ({ stream: openStream().stream }),
    'GET /client/data/event/running': () => ({ data: { running: [] } }),
    'GET /client/alert/fault': () => ({ data: { faults: [] } }),
    'GET /client/data/sold-capacity/risk': () => ({
      data: { risks: [], soldCount: 6, unknownCount: 0, support: { name: '', phone: null, email: '' } },
    }),
    'GET /client/data/energy-now': () => ({
      data: {
        instances: [
          {
            _id: instance,
            name: 'Køl 1',
            part: 'site',
            kw: 1234.4,
            lastReported: new Date().toISOString(),
            simulated: true,
          },
        ],
        chargers: null,
        soc: null,
        reserve: [{ direction: 'up', soldKw: 800, heldKw: 750, silent: 0 }],
      },
    }),
  })
  tokenStore.set('gmw_x')
  await showAt('/wall', <Wall />, 'en', search)
  return requests
}
const card = (name: string) => page.getByRole('region', { name })

test('cards by the keyboard; a wall screen has its name and no way into the portal', async () => {
  await open()
  await expect.element(card('Energy now')).toBeVisible()
  await expect.poll(() => card('Energy now').element().textContent).toContain('1.234kWFrom the grid')
  await expect.element(page.getByText('Nordhavn Frost A/S · Control room')).toBeVisible()
  expect(page.getByRole('link').elements()).toEqual([])
  await expectClean()
  await userEvent.keyboard('{ArrowRight}')
  await expect.element(card('Reserve now').getByText('of 800,0 kW sold')).toBeVisible()
  await expect.element(card('Reserve now').getByText('6 sold slots ahead, none at risk')).toBeVisible()
  await userEvent.keyboard('{ArrowLeft}{ArrowLeft}')
  await expect.element(card('Faults and alerts').getByText('Nothing is open')).toBeVisible()
})

test('the address chooses cards; an own session has the way to a wall screen', async () => {
  await open('?cards=alerts,nothing&seconds=5', {})
  await expect.element(card('Faults and alerts')).toBeVisible()
  expect(page.getByRole('region').elements()).toHaveLength(1)
  await expect.element(page.getByRole('link', { name: 'Make a wall screen without your sign-in' })).toBeVisible()
})

test('a session that ends leaves one sentence and no data', async () => {
  await open()
  await expect.element(card('Energy now')).toBeVisible()
  tokenStore.set(null)
  await expect.element(page.getByText('This screen is signed out and shows no data.')).toBeVisible()
  expect(document.body.textContent).not.toMatch(/Control room|Nordhavn|1\.234/)
})
