import type { PlannedLoad } from '@gridmast/contract/planning/load-shifting.ts'
import { expect, test } from 'vitest'
import { draftOf, planBody } from './draft.ts'

const load: PlannedLoad = {
  target: { kind: 'instance', _id: '018f0000-0000-7000-8000-00000000a001', name: 'Cold 1' },
  area: 'DK2',
  chargers: [],
  simulated: false,
  suggested: { kind: 'shiftable', maxKw: 100, needKwh: 50, socPercent: null },
}

test('in the hour that October repeats a start is the first and a deadline the second', () => {
  const draft = draftOf(load, Date.parse('2026-10-24T10:00:00Z'))
  const twice = { startDate: '2026-10-25', startTime: '02:30', deadlineDate: '2026-10-25', deadlineTime: '02:30' }
  expect(planBody({ ...draft, ...twice }, load)).toMatchObject({
    start: '2026-10-25T00:30:00.000Z',
    deadline: '2026-10-25T01:30:00.000Z',
  })
})
