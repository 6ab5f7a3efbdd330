import { monthBounds } from '@gridmast/contract/time.ts'
import { expect, test } from 'vitest'
import { revenueModel } from './revenue-model.ts'

const month = (name: string, coverage: number) => ({ month: name, revenueDkk: '7460', revenueEuro: '1000', coverage })
const request = { currency: 'DKK', startDate: '2026-05', endDate: '2026-08', missing: 'No prices' } as const

test('every requested month has its place; an unknown one is a gap, not 0', () => {
  const model = revenueModel([month('2026-06', 100), month('2026-07', 0)], request)
  expect(model.series[0]).toMatchObject({ unit: 'DKK', y: [null, 7460, null, null] })
  expect(model.span).toEqual({ fromMs: monthBounds('2026-05').fromMs, toMs: monthBounds('2026-08').toMs })
  expect(model.gaps?.map(({ fromMs }) => fromMs)).toEqual(
    ['2026-05', '2026-07', '2026-08'].map((name) => monthBounds(name).fromMs),
  )
})

test('no data: the chart shows the reason, without gaps', () => {
  expect(revenueModel([], { ...request, currency: 'Euro' })).toMatchObject({ unit: 'EUR', gaps: [] })
})
