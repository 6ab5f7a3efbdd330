import { dashboardEvents } from '@gridmast/contract/delivery/events.ts'
import type { EventType } from '@gridmast/contract/markets.ts'
import { useState } from 'react'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { answerCalls, answerOnce } from '#testing/answers.ts'
import { expectClean } from '#testing/axe.ts'
import { showAt } from '#testing/render.tsx'
import { EventsCard } from './EventsCard.tsx'
import { anEvent, koel } from './events.fixture.ts'

const path = `GET ${dashboardEvents.path}`
const answer = (eventType: EventType) => ({
  events: [
    eventType === 'fcr_based'
      ? anEvent()
      : anEvent({ market: 'aFRR', maxSetPoint: 62.5, direction: 'decreased', consumption: null }),
  ],
  today: eventType === 'fcr_based' ? 7 : 0,
  eventType,
  eventTypes: ['fcr_based', 'frr_based'],
})

const Card = () => {
  const [eventType, setEventType] = useState<EventType>()
  return (
    <main>
      <h1>E3 Dashboard</h1>
      <EventsCard eventType={eventType} onEventType={setEventType} />
    </main>
  )
}
const cells = () => [...page.getByRole('row').nth(1).element().querySelectorAll('td')].map((cell) => cell.textContent)

test('the newest activations with the columns of the market group; each links to its market', async () => {
  answerCalls({ [path]: () => ({ data: answer('fcr_based') }) })
  await showAt('/', <Card />)
  await expect
    .poll(cells)
    .toEqual(['FCR-D-INC', 'Nordhavn Køl 1', 'Increased', '20.11.2026 14:59:58', '70,0', '00:01:09', '13,65'])
  await expect
    .element(page.getByRole('link', { name: 'FCR-D-INC' }))
    .toHaveAttribute('href', `/demandResponse/FCR-D-INC?instance=${koel}`)
  await expect.element(page.getByText('Simulated')).toBeVisible()
  await expect.element(page.getByText('7 today')).toBeVisible()
  await expectClean()
})

test('FRR Markets show the largest set point; no FCR data is shown while they load', async () => {
  let answered = () => {}
  const first = answerOnce(answer('fcr_based'))
  let requests = 0
  answerCalls({
    [path]: () =>
      requests++ === 0 ? first() : new Promise((resolve) => (answered = () => resolve({ data: answer('frr_based') }))),
  })
  await showAt('/', <Card />)
  await expect.poll(() => cells()[0]).toBe('FCR-D-INC')
  await userEvent.click(page.getByRole('radio', { name: 'FRR Markets' }))
  await expect.element(page.getByText('Nordhavn Køl 1')).not.toBeInTheDocument()
  await expect.element(page.getByRole('columnheader', { name: 'Max Setpoint' })).toBeVisible()
  answered()
  await expect
    .poll(cells)
    .toEqual(['aFRR', 'Nordhavn Køl 1', 'Decreased', '20.11.2026 14:59:58', '62,5', '00:01:09', '–'])
})

test('on a phone a figure has its unit once', async () => {
  await page.viewport(390, 844)
  answerCalls({ [path]: () => ({ data: answer('fcr_based') }) })
  await showAt('/', <Card />)
  await expect.element(page.getByText('Nordhavn Køl 1 · FCR-D-INC')).toBeVisible()
  expect(document.body.textContent.match(/70,0.*?%\s*%|70,0 %/)?.[0]).toBe('70,0 %')
  await page.viewport(1280, 800)
})

test('an empty list is stated', async () => {
  answerCalls({ [path]: () => ({ data: { ...answer('fcr_based'), events: [] } }) })
  await showAt('/', <Card />)
  await expect.element(page.getByText('No Records To Display')).toBeVisible()
  await expect.element(page.getByText('Activations of your instances will be listed here.')).toBeVisible()
})
