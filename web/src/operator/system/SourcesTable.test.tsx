import { systemStatus } from '@gridmast/contract/operator/system.ts'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { useCall } from '#lib/query.ts'
import { answerCalls } from '#testing/answers.ts'
import { show } from '#testing/render.tsx'
import { SourcesTable } from './SourcesTable.tsx'
import { StatusFigures } from './StatusFigures.tsx'

const Table = () => <SourcesTable read={useCall(systemStatus, {})} />

const source = {
  source: 'energi-data-service: DayAheadPrices',
  lastSuccess: '2026-11-20T17:00:00Z',
  lagS: 700,
  simulated: false,
  detail: null,
  coveredUntil: '2026-11-20T23:00:00Z',
  lateS: 24 * 3600,
}
const area = (name: string, lateS: number | null) => ({ area: name, coveredUntil: null, lateS })

test('the delay names the price areas that are late and those that are not; an edge has its own age', async () => {
  answerCalls({
    'GET /client/customer/system-status': () => ({
      data: {
        storage: 1,
        countedAt: '2026-11-20T10:00:00.000Z',
        instanceCount: 1,
        lastUpdated: null,
        sources: [
          { ...source, areas: [area('DK1', 24 * 3600), area('DK2', 0)] },
          { ...source, source: 'entsoe: A44 SE1', areas: [area('SE1', null)] },
          { ...source, source: 'Edge edge-nord-01', lateS: null },
        ],
      },
    }),
  })
  await show(<Table />)
  const cells = () =>
    page
      .getByRole('row')
      .elements()
      .slice(1)
      .map((row) => row.querySelector('td:nth-child(5)')?.textContent)
  await expect.poll(cells).toEqual(['DK1 24 h lateDK2', '24 h late', '12 min'])
})

test('an edge that never reported is named so, a published source has no data yet', async () => {
  const silent = { ...source, lastSuccess: null, lagS: null, lateS: null }
  answerCalls({
    'GET /client/customer/system-status': () => ({
      data: {
        storage: 1,
        countedAt: '2026-11-20T10:00:00.000Z',
        instanceCount: 1,
        lastUpdated: null,
        sources: [silent, { ...silent, source: 'Edge edge-lab' }],
      },
    }),
  })
  await show(<Table />)
  const states = () =>
    page
      .getByRole('row')
      .elements()
      .slice(1)
      .map((row) => row.querySelector('td:nth-child(3)')?.textContent)
  await expect.poll(states).toEqual(['No data yet', 'Never reported'])
})

test('before the sources are counted none is shown as on time', async () => {
  const status = { storage: null, countedAt: null, instanceCount: 1, lastUpdated: null, sources: [] }
  await show(<StatusFigures status={status} />)
  await expect.element(page.getByRole('region', { name: 'Sources' })).toHaveTextContent('Sources–Being calculated')
})
