import { hourMs } from '@gridmast/contract/time.ts'
import { useState } from 'react'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { answerCalls, fetched } from '#testing/answers.ts'
import { expectClean } from '#testing/axe.ts'
import { showAt } from '#testing/render.tsx'
import { someUser } from '#testing/user.ts'
import { SoldCapacityTab } from './SoldCapacityTab.tsx'

const instance = '01930000-0000-7000-8000-000000000011'
const { customerId: customer } = someUser({
  customerId: { instances: [{ _id: instance, name: 'Cold store 1', licenseId: 'l', market: ['FFR'], area: 'DK2' }] },
})
const startMs = Date.parse('2026-11-19T23:00:00Z')
const slots = [0, 1].map((hour) => ({
  ...{
    start: new Date(startMs + hour * hourMs).toISOString(),
    end: new Date(startMs + (hour + 1) * hourMs).toISOString(),
  },
  ...{ sold: hour === 0 ? [{ product: 'FFR', kw: 200 }] : [], availableKw: hour === 0 ? 412.5 : null },
}))
const sold = { slots, instances: [{ _id: instance, name: 'Cold store 1' }], simulated: true, lastReported: null }

const Tab = () => {
  const [search, setSearch] = useState<{ date?: string | undefined; instance?: string | undefined }>({
    date: '2026-11-20',
  })
  return (
    <main>
      <h1>FFR</h1>
      <SoldCapacityTab
        market="FFR"
        customer={customer}
        search={search}
        onSearch={(part) => setSearch({ ...search, ...part })}
      />
    </main>
  )
}

test('bars of what is sold and a step line of what stood ready, by day and instance', async () => {
  answerCalls({ 'GET /client/data/sold-capacity': () => ({ data: sold }) })
  await showAt('/demandResponse/x', <Tab />)
  const card = page.getByRole('region', { name: /^Sold Capacity \(kW\)/ })
  await userEvent.click(card.getByRole('button', { name: 'Show as table' }))
  await expect.element(card.getByRole('row').nth(2)).toHaveTextContent('20.11.2026 00:00:00200,0412,5')
  await expect.element(card.getByRole('row').nth(1)).toHaveTextContent('20.11.2026 01:00:000,0–')
  await expectClean()
  await userEvent.click(page.getByRole('combobox', { name: 'Instance' }))
  await userEvent.click(page.getByRole('option', { name: 'Cold store 1' }))
  await expect.poll(() => fetched().at(-1)).toContain(`instanceId=${instance}`)
  expect(fetched().at(-1)).toContain('date=2026-11-20')
})

test('a day with nothing says so', async () => {
  const none = slots.map((slot) => ({ ...slot, sold: [], availableKw: null }))
  answerCalls({ 'GET /client/data/sold-capacity': () => ({ data: { ...sold, slots: none } }) })
  await showAt('/demandResponse/x', <Tab />)
  await expect.element(page.getByText('Nothing sold on this day')).toBeVisible()
})
