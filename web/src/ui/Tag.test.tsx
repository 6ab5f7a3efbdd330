import { formatDateTime, minuteMs } from '@gridmast/contract/time.ts'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { show } from '#testing/render.tsx'
import { LastReported } from './Tag.tsx'

const shownTime = () =>
  page.getByText('Last Reported:').element().parentElement?.textContent?.replace('Last Reported: ', '') ?? ''

test('an edge whose clock is ahead has not reported later than now', async () => {
  const beforeMs = Date.now()
  await show(<LastReported at={beforeMs + 4 * minuteMs} staleAfterMs={minuteMs} />)
  const times = [beforeMs, Date.now()].map(formatDateTime)
  expect(shownTime() >= (times[0] ?? '')).toBe(true)
  expect(shownTime() <= (times[1] ?? '')).toBe(true)
})

test('an earlier report keeps its time, and has its age once it is stale', async () => {
  const at = Date.now() - 5 * minuteMs
  await show(<LastReported at={at} staleAfterMs={minuteMs} />)
  expect(shownTime()).toContain(`${formatDateTime(at)} · Stale, 5 min ago`)
})

test('without a report it is a dash', async () => {
  await show(<LastReported at={null} />)
  expect(shownTime()).toBe('–')
})
