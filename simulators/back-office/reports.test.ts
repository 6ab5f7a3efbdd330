import { findMeterGroups } from '@gridmast/contract/meters/data-hub.ts'
import { makeScopeReport } from '@gridmast/contract/meters/scope-2.ts'
import { expect, test } from 'vitest'
import type { Portal } from './portal.ts'
import { writeReport } from './statement.ts'

test('the report covers seven days with readings of every enabled meter', async () => {
  const uuid = (n: number) => `01930000-0000-7000-8000-${String(n).padStart(12, '0')}`
  const meter = (n: number, lastRead: string | null, enabled = true) => ({
    id: uuid(n),
    lastRead,
    dataHub: { enabled },
  })
  const meters = [meter(1, '2026-11-22T23:00:00Z'), meter(2, '2026-11-21T23:00:00Z'), meter(3, null, false)]
  const made: unknown[] = []
  const ask = (async (call, { body }: { body: unknown }) => {
    if (call.path === findMeterGroups.path) return { groups: [{ meterIdData: meters }] }
    if (call.method === 'GET') return { totalCount: 0 }
    made.push(makeScopeReport.body.parse(body))
    return {}
  }) as Portal['ask'] // the three calls in use
  expect(await writeReport(ask)).toBe(true)
  expect(made).toEqual([{ meters: [uuid(1), uuid(2)], startDate: '2026-11-15', endDate: '2026-11-21' }])
})
