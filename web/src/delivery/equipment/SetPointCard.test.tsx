import { hourMs } from '@gridmast/contract/time.ts'
import { useState } from 'react'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { answerCalls, answerOnce } from '#testing/answers.ts'
import { show } from '#testing/render.tsx'
import { SetPointCard } from './SetPointCard.tsx'

const fromMs = Date.parse('2026-11-20T10:00:00Z')
const instance = (name: string) => ({ _id: name, name, licenseId: 'l', market: ['aFRR'], area: 'DK1' })
const setPoint = {
  graph: [{ name: 'Set Point', unit: '%', kind: 'step', x: [fromMs, fromMs + 60_000], y: [41.5, 41.5] }],
  instance: { _id: '44444444-4444-4444-8444-444444444444', name: 'Fryselager' },
  simulated: false,
  lastReported: '2026-11-20T10:55:00Z',
}

const Card = () => {
  const [name, setName] = useState('Fryselager')
  const [moved, setMoved] = useState(0)
  return (
    <>
      <button onClick={() => setName('Varmepumpe')}>Varmepumpe</button>
      <button onClick={() => setMoved(1000)}>Later</button>
      <SetPointCard instance={instance(name)} span={{ fromMs, toMs: fromMs + hourMs + moved }} running keepWhile="" />
    </>
  )
}

test('another instance is loading: no data of the previous one is shown', async () => {
  const requests = answerCalls({ 'GET /client/data/set-point': answerOnce(setPoint) })
  await show(<Card />)
  const reported = page.getByText('Last Reported: 20.11.2026 11:55:00', { exact: false })
  await expect.element(reported).toBeVisible()
  await userEvent.click(page.getByRole('button', { name: 'Show as table' }))
  await expect.element(page.getByText('41,5').first()).toBeVisible()
  // The same instance, a second later: what is known stays.
  await userEvent.click(page.getByRole('button', { name: 'Later' }))
  await expect.poll(() => requests.length).toBe(2)
  await expect.element(page.getByText('41,5').first()).toBeVisible()
  await userEvent.click(page.getByRole('button', { name: 'Varmepumpe' }))
  await expect.poll(() => requests.length).toBe(3)
  await expect.element(page.getByText('41,5')).not.toBeInTheDocument()
  await expect.element(reported).not.toBeInTheDocument()
})
