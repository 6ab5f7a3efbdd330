import type { Annotation } from '@gridmast/contract/delivery/annotations.ts'
import type { Instance } from '@gridmast/contract/people/instances.ts'
import { dayBounds, quarterMs } from '@gridmast/contract/time.ts'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { InstanceOverview } from '#delivery/instances/InstanceOverview.tsx'
import { UserProvider } from '#lib/user.tsx'
import { answerCalls, fetched } from '#testing/answers.ts'
import { expectClean } from '#testing/axe.ts'
import { solvedAnswer, somePlan, someSchedule } from '#testing/plans.ts'
import { showAt } from '#testing/render.tsx'
import { toasts } from '#testing/toasts.ts'
import { someUser } from '#testing/user.ts'

const [cold, noteId, eventId, planId] = [1, 2, 3, 4].map((n) => `44444444-4444-4444-8444-44444444444${n}`) as [
  string,
  string,
  string,
  string,
]
const day = dayBounds('2026-11-20')
const hostile = '<img src=x onerror="alert(1)"> {{count}}'
const annotations: Annotation[] = [
  {
    kind: 'note',
    _id: noteId,
    instanceId: cold,
    from: '2026-11-20T05:00:00.000Z',
    to: null,
    text: hostile,
    author: 'Anne',
    createdAt: '2026-11-20T05:00:00.000Z',
    changedAt: '2026-11-20T05:00:00.000Z',
    mayChange: true,
  },
  {
    kind: 'activation',
    _id: eventId,
    from: '2026-11-20T10:00:00.000Z',
    to: '2026-11-20T10:20:00.000Z',
    market: 'FCR-D-INC',
    direction: 'increased',
    deltaLoad: 40,
    score: 97,
  },
  { kind: 'plan', _id: planId, from: '2026-11-20T10:01:00.000Z', to: '2026-11-20T20:00:00.000Z', name: 'Ice store' },
]
const plan = somePlan({
  _id: planId,
  quarters: somePlan().quarters.map((quarter, q) => ({
    ...quarter,
    fromMs: Date.parse('2026-11-20T10:00Z') + q * quarterMs,
  })),
  answer: { ...solvedAnswer, plan: someSchedule([3000, 3000, 3000, 3000], '12') },
})
const instance = {
  _id: cold,
  name: 'Køl 1',
  description: '',
  edgeDetails: { deviceId: 'edge', properties: {} },
} as Instance // what the overview reads

const Overview = () => (
  <InstanceOverview
    instance={instance}
    others={[{ _id: planId, name: 'Køl 2' }]}
    date="2026-11-20"
    view="power"
    onDate={() => {}}
    onView={() => {}}
  />
)

const open = (userRole: 'expert' | 'auditor' = 'expert', language: 'en' | 'da' = 'en') => {
  const requests = answerCalls({
    'GET /client/live': () => ({ status: 403 }),
    'GET /client/data/annotation': () => ({ data: { annotations, isCut: false } }),
    'POST /client/data/note': () => ({ message: 'Note saved', data: { note: annotations[0] } }),
    [`DELETE /client/data/note/${noteId}`]: () => ({ message: 'Note deleted' }),
    [`GET /client/load-shifting/plan/${planId}`]: () => ({ data: { plan } }),
    'GET /client/instance-data-logs/overview': () => ({
      data: {
        powerData: [{ name: 'Power', unit: 'kW', kind: 'line', x: [day.fromMs, day.toMs - 60_000], y: [400, 420] }],
        consumptionData: [{ name: 'Consumption', unit: 'kWh', kind: 'column', x: [day.fromMs], y: [410] }],
        group: { _id: cold, name: 'Køl 1' },
        simulated: false,
        lastReported: null,
      },
    }),
  })
  const rendered = showAt(
    '/e3-App/x',
    <UserProvider value={someUser({ userRole })}>
      <h1>x</h1>
      <main>
        <Overview />
      </main>
    </UserProvider>,
    language,
  )
  return rendered.then(({ router }) => ({ router, requests }))
}

test('marks are buttons whose popover opens what they stand for; hostile text is only text', async () => {
  await open()
  const note = page.getByRole('button', { name: `Note: ${hostile}` })
  await expect.element(note).toBeVisible()
  ;(note.element() as HTMLElement).focus() // a button is an HTML element
  await userEvent.keyboard('{Enter}')
  const popover = page.getByRole('dialog', { name: `Note: ${hostile}` })
  await expect.element(popover.getByText('20.11.2026 06:00 · Anne')).toBeVisible()
  expect(popover.element().querySelector('img')).toBeNull()
  await expectClean()
  await userEvent.keyboard('{Escape}')
  await expect.element(popover).not.toBeInTheDocument()
  await expect.element(note).toHaveFocus()

  await userEvent.click(page.getByRole('button', { name: '2 marks' }))
  await expect
    .element(page.getByRole('link', { name: 'Open the event' }))
    .toHaveAttribute('href', expect.stringContaining('/demandResponse/FCR-D-INC'))
  await expect
    .element(page.getByRole('link', { name: 'Open the plan' }))
    .toHaveAttribute('href', expect.stringContaining(planId))
  await expect
    .element(page.getByRole('group', { name: /Køl 1/ }))
    .toHaveAccessibleDescription(/Activation: FCR-D-INC \(11:00\)\. Load plan: Ice store \(11:01\)\./)
})

test('the legend switches a kind off, in the address', async () => {
  const { router } = await open()
  await userEvent.click(page.getByRole('button', { name: 'Load plans' }))
  await expect.poll(() => router.state.location.search).toEqual({ hide: 'plan' })
  await expect.element(page.getByRole('button', { name: 'Activation: FCR-D-INC' })).toBeVisible()
  await expect.element(page.getByRole('button', { name: 'Load plans' })).toHaveAttribute('aria-pressed', 'false')
  await userEvent.click(page.getByRole('button', { name: 'Load plans' }))
  await expect.poll(() => router.state.location.search).toEqual({})
})

test('the power is compared with the accepted load plan of the window', async () => {
  const { router } = await open()
  await userEvent.click(page.getByRole('combobox', { name: 'Compare with' }))
  await userEvent.click(page.getByRole('option', { name: 'Load plan' }))
  await expect.poll(() => router.state.location.search).toEqual({ compare: 'plan' })
  await expect
    .element(page.getByRole('group', { name: /Køl 1/ }))
    .toHaveAccessibleDescription(/Load plan: latest 12,0 kW/)
})

test('a value is read below an open mark, whose popover is above the plot', async () => {
  await open()
  const mark = page.getByRole('button', { name: /^Note:/ })
  await userEvent.click(mark)
  await expect.element(mark).toHaveAttribute('aria-expanded', 'true')
  const popover = page.getByRole('dialog', { name: /^Note:/ })
  await expect.element(popover).toBeVisible()
  const chart = page.getByRole('group', { name: /Køl 1/ })
  const { left, top, height } = chart.element().getBoundingClientRect()
  const at = { clientX: left + 200, clientY: top + height / 2, bubbles: true }
  chart.element().dispatchEvent(new PointerEvent('pointermove', at))
  await expect.poll(() => chart.element().querySelector('[class*=tip]')).not.toBeNull()
  const tip = chart.element().querySelector('[class*=tip]')?.getBoundingClientRect()
  expect(tip?.top).toBeGreaterThan(popover.element().getBoundingClientRect().bottom)
})

test('a note is written from the tools of the chart, and read again', async () => {
  const { requests } = await open()
  await expect.element(page.getByRole('group', { name: 'Marks' })).toBeVisible()
  await userEvent.click(page.getByRole('button', { name: 'Tools of Køl 1' }))
  await userEvent.click(page.getByRole('menuitem', { name: 'Write note' }))
  const dialog = page.getByRole('dialog', { name: 'Write note' })
  await userEvent.fill(dialog.getByRole('textbox', { name: 'Note' }), 'Belt changed')
  await userEvent.fill(dialog.getByRole('textbox', { name: 'From' }), 'soon')
  await userEvent.click(dialog.getByRole('button', { name: 'Write note' }))
  await expect.element(dialog.getByText('Must be a date and a time').first()).toBeVisible()
  await userEvent.fill(dialog.getByRole('textbox', { name: 'From' }), '20.11.2026 08:00')
  await userEvent.fill(dialog.getByRole('textbox', { name: 'To' }), '20.11.2026 09:00')
  await expectClean()
  const read = fetched().filter((path) => path.includes('/annotation')).length
  await userEvent.click(dialog.getByRole('button', { name: 'Write note' }))
  await expect.poll(() => toasts).toEqual(['Note saved'])
  expect(requests.find(({ call }) => call.startsWith('POST'))?.body).toEqual({
    instanceId: cold,
    text: 'Belt changed',
    from: '2026-11-20T07:00:00.000Z',
    to: '2026-11-20T08:00:00.000Z',
  })
  await expect.poll(() => fetched().filter((path) => path.includes('/annotation')).length).toBeGreaterThan(read)
})

test('a note is deleted after a question', async () => {
  const { requests } = await open()
  await userEvent.click(page.getByRole('button', { name: /^Note:/ }))
  await userEvent.click(page.getByRole('button', { name: 'Delete' }))
  await userEvent.click(page.getByRole('dialog', { name: 'Delete this note?' }).getByRole('button', { name: 'Delete' }))
  await expect.poll(() => requests.some(({ call }) => call.startsWith('DELETE'))).toBe(true)
})

test('R1 an auditor reads notes and writes none; in Danish', async () => {
  await open('auditor', 'da')
  await userEvent.click(page.getByRole('button', { name: 'Værktøjer til Køl 1' }))
  await expect.element(page.getByRole('menuitem', { name: 'Fuld skærm' })).toBeVisible()
  expect(page.getByRole('menuitem', { name: 'Skriv bemærkning' }).elements()).toEqual([])
})
