import { expect, test } from 'vitest'
import { UserProvider } from '#lib/user.tsx'
import { showAt } from '#testing/render.tsx'
import { someUser } from '#testing/user.ts'
import { PrintHead } from './PrintHead.tsx'

test.each([
  ['?date=2026-11-20', '20.11.2026'],
  ['?date=2026-11-20&days=3', '20.11.2026 – 22.11.2026'],
  ['?date=2026-11-20&days=1', '20.11.2026'],
  ['?date=2026-11-20&days=99999999999999', /^20\.11\.2026 – /],
  ['?date=2026-02-31', ''],
  ['?dateRange=2026-11-14..2026-11-20', '14.11.2026 – 20.11.2026'],
  ['?startDate=2026-11-14&endDate=2026-11-20', '14.11.2026 – 20.11.2026'],
  ['?month=2026-11', '11.2026'],
  ['?days=7', ''],
])('%s is printed as the time range “%s”', async (search, words) => {
  const user = someUser()
  await showAt(
    '/',
    <UserProvider value={user}>
      <PrintHead title="Events" />
    </UserProvider>,
    'en',
    search,
  )
  const line = document.querySelector('[data-print=head] span')?.textContent ?? ''
  const range = line.slice(user.customerId.name.length).replace(' · ', '')
  if (typeof words === 'string') expect(range).toBe(words)
  else expect(range).toMatch(words)
})
