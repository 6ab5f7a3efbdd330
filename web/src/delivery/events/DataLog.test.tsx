import type { Data } from '@gridmast/contract/call.ts'
import { type ActivationEvent, eventDataLog } from '@gridmast/contract/delivery/events.ts'
import { expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { answerCalls, answerOnce, fetched } from '#testing/answers.ts'
import { expectClean } from '#testing/axe.ts'
import { show } from '#testing/render.tsx'
import { DataLog, powerModel, triggerModel } from './DataLog.tsx'
import { aLog, anEvent, startMs } from './events.fixture.ts'

const open = async (log: Partial<Data<typeof eventDataLog>> = {}, listed: Partial<ActivationEvent> = {}) => {
  const event = anEvent(listed)
  answerCalls({ [`GET ${eventDataLog.path.replace('{id}', event._id)}`]: () => ({ data: aLog({ event, ...log }) }) })
  await show(<DataLog event={event} onClose={() => {}} />, 'en', 'default')
}
const dialog = page.getByRole('dialog', { name: 'Data Log' })
const score = page.getByRole('region', { name: 'Delivery score' })
/** Also while it is not there yet. */
const scoreText = () => score.elements()[0]?.textContent ?? ''

test('the score with its three parts in words, their weights and the formula', async () => {
  await open()
  await expect.poll(scoreText).toContain('Delivery scorePartly delivered93,5 of 100')
  await expect.poll(scoreText).toContain('Energy · weight 0,697,5Delivered share of the required energy.')
  await expect.poll(scoreText).toContain('Ramp · weight 0,383,1Delivered share of the required ramp.')
  await expect.poll(scoreText).toContain('Overshoot · weight 0,1100,0Share of the time without overshoot.')
  await expect
    .poll(scoreText)
    .toContain('Score = 100 · (0,6 · energy + 0,3 · ramp + 0,1 · overshoot) · no seconds missing')
  await expect.element(dialog.getByText('Capacity 420,0 kW, registered as flexible')).toBeVisible()
  await expect.element(dialog.getByText(/^Nordhavn Køl 1 · FCR-D-INC · 20.11.2026 14:59:58 CET/)).toBeVisible()
  await vi.waitFor(expectClean, 5000)
})

test('a ramp without a score shows the reason and is not in the formula', async () => {
  const { score: judged } = aLog()
  if (judged?.method !== 'response') throw new Error('the log of the fixture is judged by its response')
  const weights = { energy: 0.85, ramp: 0, over: 0.15 }
  await open({ score: { ...judged, missingShare: 0.032, parts: { ...judged.parts, ramp: null, weights } } })
  await expect.poll(scoreText).toContain('Ramp–Not scored: the required power was too low.')
  await expect
    .poll(scoreText)
    .toContain('Score = 100 · (0,85 · energy + 0,15 · overshoot) · 3,2 % of the seconds missing')
})

test('frequency, required and delivered power; the measured power instead when it is selected', async () => {
  await open()
  await expect.element(page.getByRole('region', { name: 'Frequency (Hz)' })).toBeVisible()
  const response = page.getByRole('region', { name: 'Required and delivered (kW)' })
  await expect.element(response.getByText('Shortfall')).toBeVisible()
  await userEvent.click(response.getByRole('button', { name: /^Tools of/ }))
  await userEvent.click(page.getByRole('menuitem', { name: 'Show as table' }))
  await expect
    .element(response.getByRole('row').nth(0))
    .toHaveTextContent('Time (CET/CEST)Required (kW)Delivered (kW)Least (kW)Most (kW)')
  await userEvent.click(page.getByRole('radio', { name: 'Measured power' }))
  await expect.element(page.getByRole('region', { name: 'Power (kW)' })).toBeVisible()
})

test('an event of a set point shows the set point', async () => {
  const trigger = { ...aLog().trigger, name: 'Set Point', unit: '%' }
  await open({ trigger }, { market: 'aFRR', maxSetPoint: 62.5, maxFrequency: null })
  await expect.element(page.getByRole('region', { name: 'Set Point (%)' })).toBeVisible()
  await expect.element(dialog.getByText('62,5%')).toBeVisible()
})

test('FCR is judged by quarters of an hour', async () => {
  const part = { score: 88.4, verdict: 'partly delivered' as const, missingShare: 0.01, capacityKw: 600, baseKw: 410 }
  const parts = { insideShare: 0.884, slope: 1.04, biasKwh: -0.75 }
  const span = { from: '2026-11-20T13:45:00.000Z', to: '2026-11-20T14:00:00.000Z' }
  await open({ score: { method: 'band', ...part, ...span, parts }, windows: [{ ...part, ...span, parts }] })
  const row = page.getByRole('table', { name: 'Quarters of an hour' }).getByRole('row').nth(1)
  await expect.element(row).toHaveTextContent('14:45–15:00Partly delivered 88,488,41,04−0,751,0')
  await expect.poll(scoreText).toContain('Slope1,04Delivered power per required kW; 0,9 to 1,2 is correct.')
  await expect.poll(scoreText).toContain('Bias (kWh)−0,75Excess (+) or missing (−) up-regulation.')
})

test('an answer whose slope decided shows the slope, without the overruled score', async () => {
  const part = { score: 99.7, verdict: 'not delivered' as const, missingShare: 0, capacityKw: 600, baseKw: 410 }
  const parts = { insideShare: 0.997, slope: 0.62, biasKwh: 0 }
  const span = { from: '2026-11-20T13:45:00.000Z', to: '2026-11-20T14:00:00.000Z' }
  await open({ score: { method: 'band', ...part, ...span, parts }, windows: [{ ...part, ...span, parts }] })
  await expect
    .poll(scoreText)
    .toContain('Delivery scoreNot delivered0,62 SlopeThe slope decides the verdict; 0,9 to 1,2 is required.')
  const row = page.getByRole('table', { name: 'Quarters of an hour' }).getByRole('row').nth(1)
  await expect.element(row).toHaveTextContent('14:45–15:00Not delivered slope 0,6299,70,620,000,0')
})

test('an event that only the edge reported has no curves, with the reason', async () => {
  const none = { x: [], y: [] }
  await open(
    {
      trigger: { ...aLog().trigger, ...none },
      power: { ...aLog().power, ...none },
      delivery: aLog().delivery.map((curve) => ({ ...curve, ...none })),
      score: null,
    },
    { source: 'edge', score: null, verdict: null, deltaLoad: null, processedDeltaLoad: null, consumption: null },
  )
  await expect.element(dialog.getByText('Reported by the edge, without measurements.').first()).toBeVisible()
  await expect.poll(scoreText).toBe('Delivery score–')
})

test('another event is loading: no data of the previous one is shown', async () => {
  const path = (id: string) => `GET ${eventDataLog.path.replace('{id}', id)}`
  const next = anEvent({ _id: '88888888-8888-4888-8888-888888888889', score: 12, verdict: 'not delivered' })
  answerCalls({ [path(anEvent()._id)]: answerOnce(aLog()), [path(next._id)]: () => new Promise(() => {}) })
  const { rerender } = await show(<DataLog event={anEvent()} onClose={() => {}} />, 'en', 'default')
  await expect.poll(scoreText).toContain('93,5')
  rerender(<DataLog event={next} onClose={() => {}} />)
  await expect.poll(scoreText).toContain('Delivery scoreNot delivered12,0 of 100')
  expect(scoreText()).not.toContain('Energy')
})

test('the file of the log is the export of the event', async () => {
  await open()
  await userEvent.click(dialog.getByRole('button', { name: 'Export' }))
  await userEvent.click(page.getByRole('menuitem', { name: 'Download Excel' }))
  await expect.poll(fetched).toContainEqual(expect.stringMatching(/\/export\?format=xlsx$/))
})

test('where no value was measured the curves break and the gap has its duration', () => {
  const log = aLog()
  const cut = (second: number) => second >= 20 && second < 32
  const { x, y } = log.power
  const power = { ...log.power, y: y.map((kw, i) => (cut(((x[i] ?? 0) - startMs) / 1000) ? null : kw)) }
  const gap = { fromMs: startMs + 19_000, toMs: startMs + 32_000, words: 'No telemetry 13 s' }
  expect(triggerModel(log).gaps).toEqual([])
  expect(powerModel({ ...log, power }, 'power').gaps).toEqual([gap])
  expect(powerModel({ ...log, power }, 'delivery').gaps).toEqual([gap])
  // Required is not known where the frequency is not.
  expect(powerModel({ ...log, trigger: { ...log.trigger, y: power.y } }, 'delivery').gaps).toEqual([gap])
  expect(triggerModel({ ...log, trigger: { ...log.trigger, y: power.y } }).gaps).toEqual([gap])
})
