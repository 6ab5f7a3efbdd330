import { expect, test } from 'vitest'
import { battery, shiftable } from '#planning/solver/planning.fixture.ts'
import { soldOf } from './sold-slots.ts'

const slot = { id: 's', fromMs: 0, toMs: 3_600_000, kw: 90, lostDkk: null }
const store = battery({ chargeKw: 300, dischargeKw: 300 })

test.each([
  ['FCR-N', 'FCR-N', { upKw: 90 * 1.34, downKw: 90 * 1.34, upKwh: 90, downKwh: 90 }],
  ['FCR-D-INC', 'FCR-D-INC', { upKw: 90, downKw: 18, upKwh: 30, downKwh: 0 }],
  ['FCR-D-DEC', 'FCR-D-DEC', { upKw: 18, downKw: 90, upKwh: 0, downKwh: 30 }],
  ['FCR', 'FCR', { upKw: 112.5, downKw: 112.5, upKwh: 45, downKwh: 45 }],
  ['aFRR', 'aFRR-DK1-INC', { upKw: 90, downKw: 0, upKwh: 90, downKwh: 0 }],
  ['aFRR', 'aFRR-DK1-DEC', { upKw: 0, downKw: 90, upKwh: 0, downKwh: 90 }],
] as const)('a storage reserves energy for 90 kW of %s (%s) as the market requires', (market, product, held) => {
  expect(soldOf([{ ...slot, market, product }], [store])).toMatchObject([{ soldKw: 90, ...held }])
})

test('a fully sold storage reserves its power; other equipment reserves the sold power in one direction', () => {
  const [full] = soldOf([{ ...slot, market: 'FCR', product: 'FCR' }], [battery({ chargeKw: 95, dischargeKw: 110 })])
  expect(full).toMatchObject({ upKw: 110, downKw: 95 })
  const [heat] = soldOf([{ ...slot, market: 'FCR-D-INC', product: 'FCR-D-INC' }], [shiftable([])])
  expect(heat).toMatchObject({ upKw: 90, downKw: 0 })
})
