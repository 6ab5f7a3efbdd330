import { settlementRecord } from '@gridmast/contract/economics.ts'
import { m } from '@gridmast/contract/messages.ts'
import { dayBounds, hourMs } from '@gridmast/contract/time.ts'
import { sql } from 'kysely'
import { route } from '#context.ts'
import { readEvidence } from '#flight-record/evidence.ts'
import { format, type Part, seriesParts } from '#flight-record/parts.ts'
import { sealRecord, writeParts } from '#flight-record/seal.ts'
import { Refusal } from '#platform/errors.ts'
import type { Tx } from '#platform/records.ts'
import { readAllSamples } from '#readings/all-samples.ts'
import { checkInstance, getVersions, type VersionRow } from './queries.ts'
import { soldKwOf } from './settle-days.ts'

/** What a settled day is judged by. */
const series = [
  ['power', 'kW'],
  ['capacityUp', 'kW'],
  ['capacityDown', 'kW'],
  ['setPoint', '%'],
] as const

const readSignals = async (tx: Tx, customerId: string, instanceId: string): Promise<Map<string, number>> => {
  const found = await tx
    .selectFrom('signal')
    .select(['kind', 'no'])
    .where('customer_id', '=', customerId)
    .where('instance_id', '=', instanceId)
    .execute()
  return new Map(found.map(({ kind, no }) => [kind, no]))
}

type EventRow = Record<string, unknown>

/** The activations of the day on its market, with their scores. */
const readEvents = async (
  tx: Tx,
  customerId: string,
  { instance_id, market }: VersionRow,
  day: string,
): Promise<EventRow[]> => {
  const { fromMs, toMs } = dayBounds(day)
  const { rows } = await sql<EventRow>`
    select e.event_id::text as id, e.market, e.direction, to_char(e.started_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "start",
      to_char(e.ended_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "end", e.delta_load as "deltaLoad", e.score, e.verdict
    from event e where e.customer_id = ${customerId} and e.instance_id = ${instance_id} and e.market = ${market}
      and e.started_at >= ${new Date(fromMs)} and e.started_at < ${new Date(toMs)} order by e.started_at, e.event_id`.execute(
    tx,
  )
  return rows
}

const toVersion = ({ version, made_at, inputs, instance_id: _, day: __, ...row }: VersionRow): Part => ({
  ...{ part: `settlement version ${version}`, version, madeAt: made_at.toISOString() },
  ...{ settlement: row, inputs },
})

export const record = route(settlementRecord, async ({ app, own, nowMs, params }) => {
  const { instanceId, date, type } = params
  const span = dayBounds(date)
  const { versions, newest, signals, evidence, events } = await own(async (tx, customerId) => {
    await checkInstance(tx, customerId, instanceId)
    const all = await getVersions(tx, customerId, params)
    const [first] = all
    if (!first?.is_closed) throw new Refusal(409, m.recordNotFinal)
    return {
      ...{ versions: all, newest: first, signals: await readSignals(tx, customerId, instanceId) },
      evidence: await readEvidence(tx, { customerId, instanceId }, span, [date]),
      events: await readEvents(tx, customerId, first, date),
    }
  })
  const samples = await readAllSamples(
    app.readings,
    series.map(([kind]) => signals.get(kind)),
    span,
  )
  const sold = soldKwOf(newest.inputs)
  function* all(): Generator<Part> {
    yield {
      ...{
        part: 'about',
        format,
        kind: 'settled day',
        ...evidence.about,
        market: newest.market,
        product: newest.product,
        day: date,
      },
      signs: 'power: consumption is positive; set point: upwards is positive',
    }
    yield* versions.map(toVersion)
    yield {
      part: 'required',
      ...{ unit: 'kW', note: 'what had to stand ready in each hour that was sold' },
      hours: [...sold].map(([fromMs, kw]) => ({
        ...{ from: new Date(fromMs).toISOString(), to: new Date(fromMs + hourMs).toISOString(), kw },
      })),
    }
    yield { part: 'activations', events }
    yield* evidence.parts
    for (const [i, [kind, unit]] of series.entries()) yield* seriesParts(kind, unit, samples[i] ?? { x: [], y: [] })
  }
  const written = await writeParts(all())
  const { no, content } = await own((tx, customerId) =>
    sealRecord(tx, customerId, { subject: `settlement ${instanceId} ${date} ${type}`, written, nowMs }),
  )
  return { kept: { name: `Flight record ${no} ${String(evidence.about['instance'])} ${type} ${date}.jsonl`, content } }
})
