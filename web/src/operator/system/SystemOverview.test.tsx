import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { show } from '#testing/render.tsx'
import { FailedSources } from './SystemOverview.tsx'

const source = (name: string, detail: string | null, nextDue: string | null = null) => ({
  source: name,
  lastSuccess: null,
  lagS: null,
  simulated: false,
  detail,
  nextDue,
})

test('failures with one reason share one banner, with the reason and the next try', async () => {
  const late = 'The source took too long (no whole answer within 30000 ms)'
  await show(
    <FailedSources
      sources={[
        source('energi-data-service: FcrDK1', late, '2099-11-20T17:14:00Z'),
        source('statnett: BySecond', late, '2026-01-01T12:00:00Z'),
        source('energi-data-service: CO2Emis', 'The source could not be reached'),
        source('energi-data-service: FfrDK2', null),
      ]}
    />,
  )
  const banners = page.getByRole('alert')
  await expect
    .element(banners.nth(0))
    .toHaveTextContent(
      'FCR prices, Frequency DK2: The source took too long (no whole answer within 30000 ms). Next try 18:14:00.',
    )
  await expect.element(banners.nth(1)).toHaveTextContent('Emission: The source could not be reached.')
  expect(banners.elements()).toHaveLength(2)
})
