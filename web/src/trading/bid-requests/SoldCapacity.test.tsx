import { hourMs } from '@gridmast/contract/time.ts'
import { useState } from 'react'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { UserProvider } from '#lib/user.tsx'
import { answerCalls, fetched } from '#testing/answers.ts'
import { expectClean } from '#testing/axe.ts'
import { showAt } from '#testing/render.tsx'
import { someUser } from '#testing/user.ts'
import { SoldCapacityTab } from './SoldCapacityTab.tsx'

const instance = '01930000-0000-7000-8000-000000000011'
const user = someUser({
  customerId: { instances: [{ _id: instance, name: 'Cold store 1', licenseId: 'l', market: ['FFR'], area: 'DK2' }] },
})
const { customerId: customer } = user
const startMs = Date.parse('2026-11-19T23:00:00Z')
const slots = [0, 1].map((hour) => ({
  start: new Date(startMs + hour * hourMs).toISOString(),
  end: new Date(startMs + (hour + 1) * hourMs).toISOString(),
  sold: hour === 0 ? [{ product: 'FFR', kw: 200 }] : [],
  availableKw: hour === 0 ? 412.5 : null,
  expectedKw: hour === 0 ? null : 390,
}))
const sold = {
  slots,
  instances: [{ _id: instance, name: 'Cold store 1' }],
  soldNow: [],
  simulated: true,
  lastReported: null,
}

const support = { name: 'Vagt', phone: '+45 70 10 20 30', email: 'vagt@operator.example' }
const quiet = { risks: [], soldCount: 0, unknownCount: 0, support }
const activation = {
  kind: 'activation',
  _id: '01930000-0000-7000-8000-000000000021',
  from: '2026-11-20T00:10:00.000Z',
  to: '2026-11-20T00:20:00.000Z',
  market: 'FFR',
  direction: 'increased',
  deltaLoad: 40,
  score: 97,
}
const answers = (data: object, risks: object = quiet) =>
  answerCalls({
    'GET /client/data/sold-capacity': () => ({ data }),
    'GET /client/data/annotation': () => ({ data: { annotations: [activation], isCut: false } }),
    'GET /client/live': () => ({ status: 403 }),
    'GET /client/data/sold-capacity/risk': () => ({ data: risks }),
  })

const Tab = () => {
  const [search, setSearch] = useState<{ date?: string | undefined; instance?: string | undefined }>({
    date: '2026-11-20',
  })
  return (
    <UserProvider value={user}>
      <main>
        <h1>FFR</h1>
        <SoldCapacityTab
          market="FFR"
          customer={customer}
          search={search}
          onSearch={(part) => setSearch({ ...search, ...part })}
        />
      </main>
    </UserProvider>
  )
}

test('bars of the sold capacity and a step line of the ready capacity, by day and instance', async () => {
  answers(sold)
  await showAt('/demandResponse/x', <Tab />)
  const card = page.getByRole('region', { name: /^Sold Capacity \(kW\)/ })
  await userEvent.click(card.getByRole('button', { name: 'Show as table' }))
  await expect.element(card.getByRole('row').nth(2)).toHaveTextContent('20.11.2026 00:00:00200,0412,5–')
  await expect.element(card.getByRole('row').nth(1)).toHaveTextContent('20.11.2026 01:00:000,0–390,0')
  await expectClean()
  await userEvent.click(page.getByRole('combobox', { name: 'Instance' }))
  await userEvent.click(page.getByRole('option', { name: 'Cold store 1' }))
  await expect
    .poll(() => fetched().filter((url) => url.includes(`instanceId=${instance}`) && url.includes('date=2026-11-20')))
    .toHaveLength(1)
})

test('activations of the chosen instance are drawn on its sold capacity and open their event', async () => {
  answers(sold)
  await showAt('/demandResponse/x', <Tab />)
  await userEvent.click(page.getByRole('combobox', { name: 'Instance' }))
  await userEvent.click(page.getByRole('option', { name: 'Cold store 1' }))
  await userEvent.click(page.getByRole('button', { name: 'Activation: FFR' }))
  await expect
    .element(page.getByRole('link', { name: 'Open the event' }))
    .toHaveAttribute('href', expect.stringContaining('/demandResponse/FFR'))
  await expectClean()
})

test('a day without sold capacity is described so', async () => {
  const none = slots.map((slot) => ({ ...slot, sold: [], availableKw: null, expectedKw: null }))
  answers({ ...sold, slots: none })
  await showAt('/demandResponse/x', <Tab />)
  await expect.element(page.getByText('Nothing is sold')).toBeVisible()
})

const risk = {
  product: 'FFR',
  market: 'FFR',
  groupId: instance,
  groupName: 'Cold store 1',
  state: 'short',
  start: slots[0]?.start,
  end: slots[0]?.end,
  raisedAt: '2026-11-19T20:00:00.000Z',
  soldKw: 200,
  expectedKw: 160.4,
  usualErrorKw: 12,
  shortKw: 39.6,
  lossEur: '0.45',
  atStakeEur: '2.40',
  spare: [{ groupName: 'Battery', kw: 120 }],
}
const silent = { state: 'unknown', expectedKw: null, usualErrorKw: null, shortKw: null, lossEur: null }

test('slots at risk: the missing power and its cost, possible replacements, the contact and the deadline; an unknown value is stated', async () => {
  const second = { ...risk, ...silent, ...slots[1], spare: [] }
  answers(sold, { risks: [risk, second], soldCount: 5, unknownCount: 2, support })
  await showAt('/demandResponse/x', <Tab />)
  const panel = page.getByRole('region', { name: 'Slots at risk' }).first()
  await expect.element(panel).toMatchTextContent(/Fix by 20\.11\. 00:00/)
  await expect.element(panel.getByRole('link', { name: '+45 70 10 20 30' })).toHaveAttribute('href', 'tel:+4570102030')
  const [first, unknown] = [panel.getByRole('row').nth(1), panel.getByRole('row').nth(2)]
  for (const words of ['200', '39,6', '0,45 of 2,40', 'Battery (120 kW)', 'At risk'])
    await expect.element(first).toMatchTextContent(words)
  await expect.element(unknown).toMatchTextContent(/Unknown/)
  await expect.element(panel).toMatchTextContent(/No forecast for 2 sold slots yet/)
  await expectClean()
})

test('an instance that is silent over many slots is one row; its slots open below it', async () => {
  const many = Array.from({ length: 38 }, (_, hour) => ({
    ...risk,
    ...silent,
    spare: [],
    start: new Date(startMs + hour * hourMs).toISOString(),
    end: new Date(startMs + (hour + 1) * hourMs).toISOString(),
  }))
  answers(sold, { risks: [risk, ...many], soldCount: 40, unknownCount: 0, support })
  await showAt('/demandResponse/x', <Tab />)
  const panel = page.getByRole('region', { name: 'Slots at risk' }).first()
  await expect.element(panel.getByRole('row').nth(2)).toMatchTextContent(/20\.11\. 00:00–21\.11\. 14:0038200/)
  expect(panel.getByRole('row').elements()).toHaveLength(3)
  const open = panel.getByRole('button', { name: 'Slots of Cold store 1' })
  await userEvent.click(open.nth(1))
  const line = panel.getByRole('listitem')
  await expect.element(line).toMatchTextContent('20.11. 00:00–21.11. 14:00200 kW soldexpected capacity unknown')
  expect(line.elements()).toHaveLength(1)
  await userEvent.click(open.nth(0))
  await expect
    .element(line.first())
    .toMatchTextContent('160,4 ± 12 kW expected39,6 kW missingpossible loss 0,45 of 2,40 EUR')
  await expectClean()
})

test('no slot at risk is stated, not omitted', async () => {
  answers(sold, { ...quiet, soldCount: 3 })
  await showAt('/demandResponse/x', <Tab />)
  await expect.element(page.getByText('Expected capacity covers 3 future sold slots.')).toBeVisible()
})

test('a single slot is in the singular', async () => {
  answers(sold, { ...quiet, soldCount: 1 })
  await showAt('/demandResponse/x', <Tab />)
  await expect.element(page.getByText('Expected capacity covers 1 future sold slot.')).toBeVisible()
})

test('a range replaces the day of the sold capacity', async () => {
  answers(sold)
  await showAt('/demandResponse/FFR', <Tab />, 'en', '?range=2026-11-18T23:00:00Z/2026-11-20T11:00:00Z')
  await expect.element(page.getByRole('region', { name: /19.11.2026 00:00 – 20.11.2026 12:00/ })).toBeVisible()
  const window = 'start=2026-11-18T23%3A00%3A00.000Z&end=2026-11-20T11%3A00%3A00.000Z'
  expect(fetched()).toContainEqual(expect.stringContaining(window))
})
