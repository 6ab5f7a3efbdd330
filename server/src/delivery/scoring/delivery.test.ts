import { expect, test } from 'vitest'
import { findActivations } from './activations.ts'
import { consumptionIn } from './consumption.ts'
import { everySecond, follows, lines, t0Ms } from './delivery.fixture.ts'
import { demandOf, products } from './products.ts'
import { scoreActivation, spanToJudge } from './score.ts'

test('the worked example: 50.0 to 49.62 Hz in 6 s, 20 s hold, return', () => {
  const product = products['FCR-D-INC']
  const capacityKw = 420
  const hz = lines([0, 50], [100, 50], [106, 49.62], [126, 49.62], [186, 50], [300, 50])
  const trigger = everySecond(hz)
  const answered = follows(
    hz.map((value) => capacityKw * demandOf(product)(0, value)),
    3,
    3,
  )
  const power = everySecond(answered.map((kw) => 900 - kw))

  const found = findActivations(product, trigger)
  expect(found).toEqual([
    {
      direction: 'increased',
      startMs: t0Ms + 102_000,
      endMs: t0Ms + 171_000,
      endedBy: 'quiet',
      startKnown: true,
      deltaLoadPct: 70,
      extremeHz: 49.62,
      maxSetPointPct: null,
    },
  ])
  const [activation] = found
  if (!activation) throw new Error('none')
  expect(spanToJudge(product, activation)).toEqual({ fromMs: t0Ms + 37_000, toMs: t0Ms + 171_000 })

  const score = scoreActivation(product, { trigger, power, capacityKw }, activation)
  expect(score).toMatchObject({ score: 93.5, verdict: 'partly delivered', baseKw: 900, processedDeltaLoadPct: 69.99 })
  if (score.method !== 'response') throw new Error(score.method)
  expect(score.parts.energy).toBeCloseTo(0.975, 3)
  expect(score.parts.ramp).toBeCloseTo(0.831, 3)
  expect(score.parts.over).toBe(1)
  const row = (second: number) =>
    (['requiredKw', 'floorKw', 'ceilingKw', 'deliveredKw'] as const).map((curve) =>
      Number(score.curves[curve][second]?.toFixed(1)),
    )
  expect([0, 2, 4, 6, 10, 20, 30, 60].map(row)).toEqual([
    [28.0, 0.0, 54.6, 0.0],
    [161.0, 9.3, 214.2, 0.0],
    [294.0, 78.8, 373.8, 37.7],
    [294.0, 183.6, 373.8, 128.4],
    [294.0, 272.2, 373.8, 261.3],
    [294.0, 293.6, 373.8, 293.4],
    [254.1, 254.1, 373.8, 283.4],
    [54.6, 54.6, 166.3, 87.8],
  ])
  const consumption = consumptionIn(power, null, activation.startMs, activation.endMs ?? 0)
  expect(consumption?.isEstimated).toBe(true)
  expect(consumption?.kWh).toBeCloseTo(13.65, 2)
})
