import { dayBounds, hourMs } from '@gridmast/contract/time.ts'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { showAt } from '#testing/render.tsx'
import { intervalText } from './range.ts'
import { useDayOrRange } from './RangePicker.tsx'
import { SharedRangeContext, useSharedRange } from './shared-range.ts'
import { SharedZoom } from './SharedZoom.tsx'

const day = dayBounds('2026-11-20')

const Shown = () => {
  const shared = useSharedRange()
  return <output>{shared?.zoom ? intervalText(shared.zoom) : 'whole day'}</output>
}

test.each([
  ['inside the window', 1, 2, true],
  ['of the whole window', 0, 24, true],
  ['that begins before it', -1, 2, false],
  ['that ends after it', 22, 25, false],
  ['larger than it', -1, 25, false],
  ['of another day', 24, 30, false],
])('a zoom %s (from hour %i to %i): kept is %s', async (_, fromHour, toHour, isKept) => {
  const zoom = intervalText({ fromMs: day.fromMs + fromHour * hourMs, toMs: day.fromMs + toHour * hourMs })
  const { router } = await showAt(
    '/insights/x',
    <SharedZoom span={day} place={{ date: '2026-11-20' }}>
      <Shown />
    </SharedZoom>,
    'en',
    `?zoom=${zoom}`,
  )
  await expect.element(page.getByRole('status')).toHaveTextContent(isKept ? zoom : 'whole day')
  await expect.poll(() => router.state.location.search).toEqual(isKept ? { zoom } : {})
})

test.each([
  [31, true],
  [32, false],
])('a zoom of %i days in the address of a screen that can show 31: kept is %s', async (days, isKept) => {
  const zoom = intervalText({ fromMs: day.toMs - days * 24 * hourMs, toMs: day.toMs })
  const Screen = () => (
    <SharedRangeContext value={useDayOrRange('2026-11-20', 31).shared}>
      <Shown />
    </SharedRangeContext>
  )
  await showAt('/insights/x', <Screen />, 'en', `?zoom=${zoom}`)
  await expect.element(page.getByRole('status')).toHaveTextContent(isKept ? zoom : 'whole day')
})
