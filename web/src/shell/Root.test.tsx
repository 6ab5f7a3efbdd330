import { health } from '@gridmast/contract/operator/system.ts'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { api, pendingCalls } from '#lib/api.ts'
import { answerCalls } from '#testing/answers.ts'
import { show } from '#testing/render.tsx'
import { PendingBar } from './Root.tsx'

const bar = () => page.getByRole('progressbar', { name: 'Loading' })
const held = () => {
  let release = () => {}
  const until = new Promise<void>((resolve) => (release = resolve))
  return { until, release: () => release() }
}

test('the indicator is visible from the first pending call until the last answer, refused ones too', async () => {
  const [first, second] = [held(), held()]
  const order = [first, second]
  answerCalls({
    'GET /health': async () => {
      await order.shift()?.until
      return { status: 500, message: 'x' }
    },
  })
  pendingCalls.set(0) // an earlier test left a call unanswered
  await show(<PendingBar />)
  await expect.element(bar()).not.toBeInTheDocument()
  const calls = [api(health), api(health)].map((call) => call.catch(() => null))
  await expect.element(bar()).toBeVisible()
  first.release()
  await calls[0]
  await expect.element(bar()).toBeVisible()
  second.release()
  await calls[1]
  await expect.element(bar()).not.toBeInTheDocument()
})
