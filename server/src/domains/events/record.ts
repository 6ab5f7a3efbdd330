import { eventRecord } from '@gridmast/contract/events.ts'
import { m } from '@gridmast/contract/messages.ts'
import { datesBetween, localDateOf, minuteMs } from '@gridmast/contract/time.ts'
import { route } from '#context.ts'
import { products } from '#delivery/products.ts'
import { spanToJudge } from '#delivery/score.ts'
import { readEvidence } from '#flight-record/evidence.ts'
import { format, type Part, seriesParts } from '#flight-record/parts.ts'
import { sealRecord, writeParts } from '#flight-record/seal.ts'
import { Refusal } from '#platform/errors.ts'
import { readAllSamples } from '#readings/all-samples.ts'
import { judgedSpans } from './delivery-log.ts'
import { type Source, type Subject, triggerNo } from './judge.ts'
import { loadEvent } from './load-event.ts'
import type { EventRow } from './queries.ts'
import { judgedOf, toEvent, toOutcome } from './to-event.ts'

/** Shown around what is judged. */
const aroundMs = minuteMs

/** What was asked for and answered, second by second, piece by piece: as the score saw it. */
async function* responseParts(source: Source, row: EventRow, subject: Subject, nowMs: number): AsyncGenerator<Part> {
  for (const span of judgedSpans(source, row, subject, nowMs)) {
    const { curves, baseKw } = await span.judge()
    const [first] = curves.x
    if (first === undefined) continue
    yield {
      ...{
        part: `required and delivered ${new Date(first).toISOString()}`,
        unit: 'kW',
        from: new Date(first).toISOString(),
        stepMs: 1000,
      },
      ...{ baseKw, requiredKw: curves.requiredKw, deliveredKw: curves.deliveredKw },
      ...{ leastKw: curves.floorKw, mostKw: curves.ceilingKw },
    }
  }
}

export const record = route(eventRecord, async ({ app, own, nowMs, params }) => {
  const { row, subject, instance } = await loadEvent(own, params.id, nowMs)
  const judged = judgedOf(row)
  if (judged.endMs === null || !row.is_final) throw new Refusal(409, m.recordNotFinal)
  const product = products[subject.market]
  const { fromMs, toMs } = spanToJudge(product, judged)
  const span = { fromMs: fromMs - aroundMs, toMs: Math.max(toMs ?? 0, judged.endMs) + aroundMs }
  const days = datesBetween(localDateOf(judged.startMs), localDateOf(judged.endMs))
  const { about, parts } = await own((tx, customerId) =>
    readEvidence(
      tx,
      { customerId, instanceId: row.instance_id },
      { fromMs: judged.startMs, toMs: judged.endMs ?? nowMs },
      days,
    ),
  )
  const [trigger, power] = await readAllSamples(
    app.readings,
    [triggerNo(subject.market, instance.nos), instance.nos.power],
    span,
  )
  const byFrequency = product.trigger === 'frequency'
  async function* all(): AsyncGenerator<Part> {
    yield {
      part: 'about',
      format,
      kind: 'event',
      ...about,
      market: subject.market,
      signs: 'power: consumption is positive',
    }
    yield { part: 'event', event: toEvent(row), product }
    yield { part: 'score', score: toOutcome(row.outcome), byHand: subject.tests.map((test) => ({ ...test })) }
    yield* parts
    yield* seriesParts(byFrequency ? 'frequency' : 'set point', byFrequency ? 'Hz' : '%', trigger ?? { x: [], y: [] })
    yield* seriesParts('power', 'kW', power ?? { x: [], y: [] })
    yield* responseParts(app.readings, row, subject, nowMs)
  }
  const written = await writeParts(all())
  const { no, content } = await own((tx, customerId) =>
    sealRecord(tx, customerId, { subject: `event ${row.event_id}`, written, nowMs }),
  )
  return {
    kept: {
      name: `Flight record ${no} ${instance.name} ${row.market} ${row.started_at.toISOString().slice(0, 16)}.jsonl`,
      content,
    },
  }
})
