import { hourMs } from '@gridmast/contract/time.ts'
import { useState } from 'react'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { answerCalls, answerOnce } from '#testing/answers.ts'
import { show } from '#testing/render.tsx'
import { someUser } from '#testing/user.ts'
import { FrequencyWindowCard } from './FrequencyWindowCard.tsx'

const fromMs = Date.parse('2026-11-20T10:00:00Z')
const frequency = {
  graph: [{ name: 'Frequency', unit: 'Hz', kind: 'line', x: [fromMs, fromMs + 1000], y: [49.987, 50.012] }],
  lastReported: '2026-11-20T10:55:00Z',
  source: null,
  simulated: true,
}

const Card = () => {
  const [signal, setSignal] = useState('DK1')
  const [hours, setHours] = useState(1)
  return (
    <>
      <button onClick={() => setSignal('DK2')}>DK2</button>
      <button onClick={() => setHours(2)}>Two hours</button>
      <FrequencyWindowCard
        customer={someUser().customerId}
        signal={{ _id: signal, name: signal, area: signal, instanceId: 'edge' }}
        span={{ fromMs, toMs: fromMs + hours * hourMs }}
        running={false}
        keepWhile={`${hours}`}
      />
    </>
  )
}

test.each(['DK2', 'Two hours'])('%s is loading: no old data is shown', async (choice) => {
  const ids = ['DK1', 'DK2'].map((id) => `GET /client/data/frequency/${id}`)
  const once = answerOnce(frequency)
  const requests = answerCalls(Object.fromEntries(ids.map((id) => [id, once])))
  await show(<Card />)
  const lowest = page.getByText('49,987Hz')
  await expect.element(lowest).toBeVisible()
  await expect.element(page.getByText('Simulated')).toBeVisible()
  await userEvent.click(page.getByRole('button', { name: choice }))
  await expect.poll(() => requests.length).toBe(2)
  await expect.element(lowest).not.toBeInTheDocument()
  await expect.element(page.getByText('Simulated')).not.toBeInTheDocument()
})
