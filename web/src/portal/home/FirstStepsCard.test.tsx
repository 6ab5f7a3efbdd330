import type { findFirstSteps } from '@gridmast/contract/people/first-steps.ts'
import type { Data } from '@gridmast/contract/call.ts'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { answerCalls } from '#testing/answers.ts'
import { expectClean } from '#testing/axe.ts'
import { showAt, Verified } from '#testing/render.tsx'
import { someUser } from '#testing/user.ts'
import Home from './Home.tsx'
import { FirstStepsEntry } from '#people/first-steps/FirstStepsEntry.tsx'

type Steps = Data<typeof findFirstSteps>['steps']
const steps: Steps = [
  { step: 'licence', done: true },
  { step: 'contract', done: false },
  { step: 'edge', done: false },
  { step: 'sample', done: false },
  { step: 'alert', done: false },
  { step: 'secondFactor', done: false },
  { step: 'user', done: true },
]

const newCompany = (over: Parameters<typeof someUser>[0] = {}) =>
  someUser({
    firstSteps: { open: ['contract', 'edge', 'meters', 'alert', 'secondFactor'], hidden: false },
    ...over,
    customerId: { biddingMarkets: ['FCR-D-INC'], ...over.customerId },
  })

const open = async (user = newCompany(), language: 'en' | 'da' = 'en') => {
  const world = { user, steps }
  const requests = answerCalls({
    'GET /user/verify': () => ({ data: { user: world.user, due: null } }),
    'GET /client/first-steps': () => ({ data: { steps: world.steps } }),
    'PUT /user/first-steps': ({ body }) => {
      world.user = { ...world.user, firstSteps: { ...world.user.firstSteps, ...(body as { hidden: boolean }) } } // the body of the call
      return {}
    },
  })
  await showAt(
    '/',
    <Verified>
      <Home />
      <FirstStepsEntry className="" onChoose={() => {}} />
    </Verified>,
    language,
  )
  return { changes: () => requests.filter(({ call }) => call === 'PUT /user/first-steps').map(({ body }) => body) }
}
const card = () => page.getByRole('region', { name: 'First steps' })

test('an open step leads to its page, a done one is ticked, and nothing jumps', async () => {
  await open()
  const below = page.getByRole('heading', { name: 'Frequency (Hz)' })
  await expect.element(below).toBeVisible()
  const topBefore = below.element().getBoundingClientRect().top
  await expect.element(card().getByText('2 of 7 done')).toBeVisible()
  for (const [title, href] of [
    ['Contract', '/insights/supportNotes'],
    ['Edge gateway', '/edges'],
    ['First measurement', '/edges'],
    ['First alert', '/e3-App'],
    ['Two-step sign-in', '/security'],
  ] as const)
    await expect.element(card().getByRole('link', { name: new RegExp(`^${title}`) })).toHaveAttribute('href', href)
  expect(
    card()
      .getByRole('link', { name: /^First license/ })
      .elements(),
  ).toEqual([])
  expect(card().getByRole('img', { name: 'Done' }).elements()).toHaveLength(2)
  expect(below.element().getBoundingClientRect().top).toBe(topBefore)
  await expectClean()
})

test('hidden by a person, and shown again from the profile menu', async () => {
  const { changes } = await open()
  await userEvent.click(card().getByRole('button', { name: 'Hide' }))
  await expect.poll(() => card().elements()).toEqual([])
  await userEvent.click(page.getByRole('button', { name: 'First steps' }))
  await expect.element(card()).toBeVisible()
  expect(changes()).toEqual([{ hidden: true }, { hidden: false }])
})

test.each([
  ['a company that is done', newCompany({ firstSteps: { open: [], hidden: false } })],
  [
    'a company with an open step of the user alone',
    newCompany({ firstSteps: { open: ['secondFactor'], hidden: false } }),
  ],
  ['a role without an open step', newCompany({ userRole: 'auditor', firstSteps: { open: ['edge'], hidden: false } })],
])('%s sees no first steps', async (_who, user) => {
  await open(user)
  await expect.element(page.getByRole('main')).toBeVisible()
  expect(card().elements()).toEqual([])
})

test('in Danish', async () => {
  await open(newCompany(), 'da')
  await expect.element(page.getByRole('region', { name: 'Første skridt' })).toBeVisible()
  await expect.element(page.getByText('2 af 7 gjort')).toBeVisible()
})
