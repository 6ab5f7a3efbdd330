import { eventRecord } from '@gridmast/contract/delivery/events.ts'
import { m } from '@gridmast/contract/messages.ts'
import { datesBetween, dayBounds, localDateOf, minuteMs } from '@gridmast/contract/time.ts'
import { type RawBuilder, sql } from 'kysely'
import { type App, route } from '#context.ts'
import { products } from '#delivery/scoring/products.ts'
import { spanToJudge } from '#delivery/scoring/score.ts'
import { readEvidence } from '#delivery/flight-record/evidence.ts'
import {
  findKept,
  format,
  type Part,
  seriesParts,
  sealRecord,
  type Written,
  writeParts,
} from '#delivery/flight-record/seal.ts'
import type { FinalOf } from '#delivery/flight-record/sealing.ts'
import { Refusal } from '#platform/http/errors.ts'
import type { Tx } from '#platform/records/records.ts'
import type { Own } from '#platform/http/route.ts'
import { readAllSamples } from '#readings/samples.ts'
import { judgedSpans } from './delivery-log.ts'
import { judgedOf, loadEvent, type Source, type Subject, triggerNo } from './judge.ts'
import { type EventRow, getEvent } from './queries.ts'
import { toEvent, toOutcome } from './to-event.ts'
import { sqlRows } from '#platform/records/rows.ts'

const aroundMs = minuteMs

async function* responseParts(source: Source, row: EventRow, subject: Subject, nowMs: number): AsyncGenerator<Part> {
  for (const span of judgedSpans(source, row, subject, nowMs)) {
    const { curves, baseKw } = await span.judge()
    const [first] = curves.x
    if (first === undefined) continue
    yield {
      part: `required and delivered ${new Date(first).toISOString()}`,
      unit: 'kW',
      from: new Date(first).toISOString(),
      stepMs: 1000,
      baseKw,
      requiredKw: curves.requiredKw,
      deliveredKw: curves.deliveredKw,
      leastKw: curves.floorKw,
      mostKw: curves.ceilingKw,
    }
  }
}

/** Final activations of a day; `made_of` is a hash of the row, which changes when late samples change the score. */
const findFinal = async (tx: Tx, customerId: string, condition: RawBuilder<unknown>) => {
  const rows = await sqlRows<{ event_id: string; made_of: string }>(tx)`
    select event_id, md5(e::text) as made_of from event e
    where customer_id = ${customerId} and is_final and ended_at is not null and ${condition}
    order by started_at, event_id`
  return rows.map(({ event_id, made_of }) => ({ eventId: event_id, subject: `event ${event_id}`, madeOf: made_of }))
}

const write = async (app: Pick<App, 'readings'>, own: Own['own'], eventId: string, nowMs: number): Promise<Written> => {
  const { row, subject, instance } = await loadEvent(own, eventId, nowMs)
  const judged = judgedOf(row)
  const endMs = judged.endMs ?? nowMs
  const product = products[subject.market]
  const { fromMs, toMs } = spanToJudge(product, judged)
  const span = { fromMs: fromMs - aroundMs, toMs: Math.max(toMs ?? 0, endMs) + aroundMs }
  const days = datesBetween(localDateOf(judged.startMs), localDateOf(endMs))
  const { about, parts } = await own((tx, customerId) =>
    readEvidence(tx, { customerId, instanceId: row.instance_id }, { fromMs: judged.startMs, toMs: endMs }, days),
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
  return writeParts(all())
}

export const finalEvents: FinalOf = async (app, own, day, nowMs) => {
  const { fromMs, toMs } = dayBounds(day)
  const began = sql`started_at >= ${new Date(fromMs)} and started_at < ${new Date(toMs)}`
  const events = await own((tx, customerId) => findFinal(tx, customerId, began))
  return events.map(({ eventId, ...subject }) => ({ ...subject, write: () => write(app, own, eventId, nowMs) }))
}

export const record = route(eventRecord, async ({ app, own, nowMs, params }) => {
  const { row, subject, kept } = await own(async (tx, customerId) => {
    const event = await getEvent(tx, customerId, params.id)
    const [final] = await findFinal(tx, customerId, sql`event_id = ${params.id}`)
    if (!final) throw new Refusal(409, m.recordNotFinal)
    return { row: event, subject: final.subject, kept: await findKept(tx, customerId, final) }
  })
  const seal = async () => {
    const written = await write(app, own, params.id, nowMs)
    return own((tx, customerId) => sealRecord(tx, customerId, { subject, written, nowMs }))
  }
  const { no, content } = kept ?? (await seal())
  const start = row.started_at.toISOString().slice(0, 16)
  return { kept: { name: `Flight record ${no} ${row.instance_name} ${row.market} ${start}.jsonl`, content } }
})
