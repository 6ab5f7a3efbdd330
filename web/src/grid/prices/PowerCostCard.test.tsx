import { today } from '@gridmast/contract/time.ts'
import { useState } from 'react'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { UserProvider } from '#lib/user.tsx'
import { answerCalls, answerOnce } from '#testing/answers.ts'
import { hourPrices, somePowerCost } from '#testing/samples.ts'
import { showAt } from '#testing/render.tsx'
import { someUser } from '#testing/user.ts'
import { PowerCostCard, type PriceDay } from './PowerCostCard.tsx'

const powerCost = somePowerCost({
  prices: hourPrices(today(Date.now()), (hour) => (hour === 4 ? 12.25 : 100.5)),
})

const Card = () => {
  const [day, setDay] = useState<PriceDay>('today')
  return <PowerCostCard priceSignal="DK2" day={day} resolution="hour" onDay={setDay} onResolution={() => {}} />
}
const at = (who: Parameters<typeof someUser>[0] = {}) =>
  showAt(
    '/',
    <UserProvider value={someUser(who)}>
      <Card />
    </UserProvider>,
  )
const card = () => page.getByRole('region', { name: 'Power cost (DKK/MWh)' })

test('tomorrow is loading: no data of today is shown', async () => {
  answerCalls({ 'GET /client/data/power-cost': answerOnce(powerCost) })
  await at()
  // Lowest of the day; 'Now' too, in the hour that it is.
  await expect.element(card().getByText('12,25').first()).toBeVisible()
  await expect.element(card().getByText(/Simulated/)).toBeVisible()
  await userEvent.click(card().getByText('Tomorrow'))
  await expect.poll(() => card().getByText('12,25').elements().length).toBe(0)
  await expect.element(card().getByText(/Simulated/)).not.toBeInTheDocument()
})

test('the title links to the day-ahead prices, for users with access', async () => {
  answerCalls({ 'GET /client/data/power-cost': answerOnce(powerCost) })
  const { unmount } = await at()
  await userEvent.click(card().getByRole('link', { name: 'Power cost' }))
  await expect.element(page.getByText('at /demandResponse/dayahead')).toBeVisible()
  unmount()
  await at({ userRole: 'custom' })
  await expect.element(card().getByRole('heading', { name: 'Power cost (DKK/MWh)' })).toBeVisible()
  await expect.element(card().getByRole('link')).not.toBeInTheDocument()
})
