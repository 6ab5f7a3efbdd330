import { planAnswer } from '@gridmast/contract/planning/load-plan-answer.ts'
import { expect, test } from 'vitest'
import { bindingWords, relaxationWords } from './plan-words.ts'

const bill = { spot: '0', tariff: '0', tax: '0', capacity: '0', reserve: '0', stored: '0', total: '0' }
const schedule = { loads: [], bill, kgCo2: null, peakKw: 0, peakAtMs: null }
const answerOf = (binding: object[]) => {
  const answer = planAnswer.parse({
    status: 'optimal',
    plan: schedule,
    baseline: schedule,
    scaled: [],
    savedDkk: '0',
    savedKgCo2: null,
    missed: [],
    binding,
    roundedUp: [],
    assumedMs: [],
    left: [],
    leavingSavesDkk: null,
    solveMs: 1,
  })
  if (!('plan' in answer)) throw new Error('no plan')
  return answer
}
const binding = (limit: string, dkkPerUnit: string | null) => ({
  limit,
  id: null,
  unit: 'kWh',
  dkkPerUnit,
  quarters: 4,
  fromMs: Date.parse('2026-11-21T05:00:00Z'),
  toMs: Date.parse('2026-11-21T06:00:00Z'),
})

const less = ['need', 'target', 'sold-reserve', 'stored-lowest']
const more = ['site-limit', 'capacity-peak', 'stored-capacity']

test.each([
  ...less.map((limit): [string, string | null, string] => [limit, '0.5', 'one kWh less would save 0,50 DKK.']),
  ...more.map((limit): [string, string | null, string] => [limit, '0.5', 'one kWh more would save 0,50 DKK.']),
  ['site-limit', null, 'without it more targets would be met.'],
])('%s worth %s limits the plan: %s', (limit, dkk, words) => {
  const [text] = bindingWords(answerOf([binding(limit, dkk)]), { names: {} })
  expect(text?.endsWith(words)).toBe(true)
})

test('slots of one product that limit the plan are one notice, and worthless ones are omitted', () => {
  const slot = (hour: string, dkk: string) => ({
    ...binding('sold-reserve', dkk),
    id: `FCR-D-DEC 2026-11-21T${hour}:00:00.000Z`,
  })
  const notices = bindingWords(answerOf([slot('05', '0.14'), slot('06', '0.07'), binding('need', '0.004')]), {
    names: {},
  })
  expect(notices).toHaveLength(1)
  expect(notices[0]).toMatch(/^2 sold slots of FCR-D-DEC .* would save 0,21 DKK together\.$/)
})

test('sold slots are one notice, after the limits that can be changed', () => {
  const slot = (hour: string, now: number) => ({
    limit: 'sold-reserve' as const,
    id: `FCR-D-INC 2026-11-21T${hour}:00:00.000Z`,
    unit: 'kW' as const,
    now,
    works: 60,
    isEnough: false,
  })
  const need = { limit: 'need' as const, id: 'a', unit: 'kWh' as const, now: 100, works: 640.03, isEnough: true }
  const answer = { status: 'infeasible' as const, relaxations: [slot('06', 400), need, slot('05', 300)] }
  expect(relaxationWords(answer, { names: { a: 'Cold 1' } })).toEqual([
    'The energy need (Cold 1) is 100 kWh. With 640,1 kWh a plan is possible.',
    '2 slots of FCR-D-INC from 21.11. 06:00 are sold with up to 400 kW and must be delivered.',
  ])
  const alone = { status: 'infeasible' as const, relaxations: [{ ...slot('05', 300), isEnough: true }] }
  expect(relaxationWords(alone, { names: {} })).toEqual([
    'The sold capacity (FCR-D-INC 21.11. 06:00) is 300 kW. With 60 kW a plan is possible.',
  ])
})

test('a limit that would have to more than double is omitted, unless it is the only one', () => {
  const power = {
    limit: 'load-power' as const,
    id: null,
    unit: 'kW' as const,
    now: 100,
    works: 45_259.9,
    isEnough: true,
  }
  const need = { limit: 'need' as const, id: null, unit: 'kWh' as const, now: 800, works: 700, isEnough: true }
  const words = (relaxations: (typeof power | typeof need)[]) =>
    relaxationWords({ status: 'infeasible', relaxations }, { names: {} })
  expect(words([power, need])).toEqual(['The energy need is 800 kWh. With 700 kWh a plan is possible.'])
  expect(words([power])).toEqual(['The power of the equipment is 100 kW. With 45.259,9 kW a plan is possible.'])
})
