import { settlementRecord } from '@gridmast/contract/settlement/economics.ts'
import { m } from '@gridmast/contract/messages.ts'
import { addDays, dayBounds, dayMs, hourMs, type LocalDate, localDateOf } from '@gridmast/contract/time.ts'
import { type RawBuilder, sql } from 'kysely'
import { type App, route } from '#context.ts'
import { readEvidence } from '#delivery/flight-record/evidence.ts'
import {
  findKept,
  type Subject,
  format,
  type Part,
  seriesParts,
  sealRecord,
  writeParts,
} from '#delivery/flight-record/seal.ts'
import type { FinalOf } from '#delivery/flight-record/sealing.ts'
import { notFound, Refusal } from '#platform/http/errors.ts'
import type { Tx } from '#platform/records/records.ts'
import { sqlRows, selectRows } from '#platform/records/rows.ts'
import type { Own } from '#platform/http/route.ts'
import { readAllSamples } from '#readings/samples.ts'
import { getVersions, type SettlementVersion } from './queries.ts'
import type { SettlementRow } from './settle.ts'
import { soldKwOf } from './settle-due.ts'

const series = [
  ['power', 'kW'],
  ['capacityUp', 'kW'],
  ['capacityDown', 'kW'],
  ['setPoint', '%'],
] as const

const readSignals = async (tx: Tx, customerId: string, instanceId: string): Promise<Map<string, number>> => {
  const rows = await selectRows(tx, customerId, 'signal', { instance_id: instanceId }).select(['kind', 'no']).execute()
  return new Map(rows.map(({ kind, no }) => [kind, no]))
}

const readEvents = async (tx: Tx, customerId: string, { instance_id, market }: SettlementVersion, day: string) => {
  const { fromMs, toMs } = dayBounds(day)
  return sqlRows<Record<string, unknown>>(tx)`
    select e.event_id::text as id, e.market, e.direction, to_char(e.started_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "start",
      to_char(e.ended_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "end", e.delta_load as "deltaLoad", e.score, e.verdict
    from event e where e.customer_id = ${customerId} and e.instance_id = ${instance_id} and e.market = ${market}
      and e.started_at >= ${new Date(fromMs)} and e.started_at < ${new Date(toMs)}
      order by e.started_at, e.event_id`
}

const toVersion = ({ version, made_at, inputs, instance_id: _, day: __, ...row }: SettlementVersion): Part => ({
  part: `settlement version ${version}`,
  version,
  madeAt: made_at.toISOString(),
  settlement: row,
  inputs,
})

type Key = { instanceId: string; date: LocalDate; type: string }
type DaySettlement = Pick<SettlementRow, 'instance_id' | 'product' | 'version' | 'inputs_sha256' | 'is_closed'> & {
  name: string
  is_final: boolean
}

/** After this many days a day is final even without a result or a price. */
const waitsForDays = 60

const findSettled = (
  tx: Tx,
  customerId: string,
  { date, nowMs, more = sql`` }: { date: LocalDate; nowMs: number; more?: RawBuilder<unknown> },
): Promise<DaySettlement[]> =>
  sqlRows<DaySettlement>(tx)`
    select s.instance_id, i.name, s.product, s.version, s.inputs_sha256, s.is_closed,
      s.is_closed and s.made_at <= ${new Date(nowMs - dayMs)}
        and (s.is_result_fetched and s.energy_state in ('none', 'known') or s.day < ${addDays(localDateOf(nowMs), -waitsForDays)}::date)
        and not exists (select from settlement_due d where (d.customer_id, d.instance_id, d.day) = (s.customer_id, s.instance_id, s.day))
        as is_final
    from settlement s join instance i on i.customer_id = s.customer_id and i.instance_id = s.instance_id
    where s.customer_id = ${customerId} and s.day = ${date}::date ${more}
    order by i.name, s.instance_id, s.product`

const subjectOf = ({ instance_id, product, version, inputs_sha256 }: DaySettlement, date: LocalDate): Subject => ({
  subject: `settlement ${instance_id} ${date} ${product}`,
  madeOf: `${version} ${inputs_sha256}`,
})

const write = async (app: Pick<App, 'readings'>, own: Own['own'], { instanceId, date, type }: Key) => {
  const span = dayBounds(date)
  const { versions, newest, signals, evidence, events } = await own(async (tx, customerId) => {
    const all = await getVersions(tx, customerId, { instanceId, date, type })
    const [first] = all
    if (!first) throw notFound()
    return {
      versions: all,
      newest: first,
      signals: await readSignals(tx, customerId, instanceId),
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
      part: 'about',
      format,
      kind: 'settled day',
      ...evidence.about,
      market: newest.market,
      product: newest.product,
      day: date,
      signs: 'power: consumption is positive; set point: upwards is positive',
    }
    yield* versions.map(toVersion)
    yield {
      part: 'required',
      unit: 'kW',
      note: 'what had to stand ready in each hour that was sold',
      hours: [...sold].map(([fromMs, kw]) => ({
        from: new Date(fromMs).toISOString(),
        to: new Date(fromMs + hourMs).toISOString(),
        kw,
      })),
    }
    yield { part: 'activations', events }
    yield* evidence.parts
    for (const [i, [kind, unit]] of series.entries()) yield* seriesParts(kind, unit, samples[i] ?? { x: [], y: [] })
  }
  return writeParts(all())
}

export const finalDays: FinalOf = async (app, own, date, nowMs) => {
  const settled = await own((tx, customerId) => findSettled(tx, customerId, { date, nowMs }))
  return settled
    .filter(({ is_final }) => is_final)
    .map((one) => ({
      ...subjectOf(one, date),
      write: () => write(app, own, { instanceId: one.instance_id, date, type: one.product }),
    }))
}

export const record = route(settlementRecord, async ({ app, own, nowMs, params }) => {
  const { instanceId, date, type } = params
  const { name, subject, kept } = await own(async (tx, customerId) => {
    const more = sql`and s.instance_id = ${instanceId} and s.product = ${type}`
    const [day] = await findSettled(tx, customerId, { date, nowMs, more })
    if (!day) throw notFound()
    if (!day.is_closed) throw new Refusal(409, m.recordNotFinal)
    const of = subjectOf(day, date)
    return { name: day.name, subject: of.subject, kept: await findKept(tx, customerId, of) }
  })
  const seal = async () => {
    const written = await write(app, own, params)
    return own((tx, customerId) => sealRecord(tx, customerId, { subject, written, nowMs }))
  }
  const { no, content } = kept ?? (await seal())
  return { kept: { name: `Flight record ${no} ${name} ${type} ${date}.jsonl`, content } }
})
