import { addDays, datesBetween, type LocalDate, localDateOf } from '@gridmast/contract/time.ts'
import type { Clock } from '#platform/process/clock.ts'
import { forEachIsolated } from '#platform/jobs/due-work.ts'
import type { Job } from '#platform/jobs/jobs.ts'
import type { Log } from '#platform/process/log.ts'
import type { Records, Tx } from '#platform/records/records.ts'
import type { Own } from '#platform/http/route.ts'
import type { Readings } from '#readings/readings.ts'
import { findMadeOf, keepRecord, type Subject, type Written } from './seal.ts'
import { sqlRows } from '#platform/records/rows.ts'

/* Seals final records, each in its own transaction, so that a run that dies loses nothing and the next one continues (docs/flight-record.md). */

const correctedForDays = 7

type Sealing = { records: Records; readings: Readings; clock: Clock; log: Log }
type Final = Subject & { write: () => Promise<Written> }

export type FinalOf = (
  app: Pick<Sealing, 'readings'>,
  own: Own['own'],
  day: LocalDate,
  nowMs: number,
) => Promise<Final[]>

const findFirstDay = async (tx: Tx, customerId: string): Promise<LocalDate | null> => {
  const rows = await sqlRows<{ day: LocalDate | null }>(tx)`
    select least(
      (select min(day) from settlement where customer_id = ${customerId}),
      (select (min(started_at) at time zone 'Europe/Berlin')::date from event where customer_id = ${customerId}))::text as day`
  return rows[0]?.day ?? null
}

const sealDay = async (app: Sealing, own: Own['own'], finals: readonly Final[]): Promise<number> => {
  const subjects = finals.map(({ subject }) => subject)
  const madeOf = await own((tx, customerId) => findMadeOf(tx, customerId, subjects))
  let sealed = 0
  await forEachIsolated(
    finals.filter((one) => madeOf.get(one.subject) !== one.madeOf),
    async ({ write, ...subject }) => {
      const written = await write()
      await own((tx, customerId) => keepRecord(tx, customerId, subject, { written, nowMs: app.clock.now() }))
      sealed++
    },
    ({ subject }, error) => app.log.error({ err: error, subject }, 'record not sealed'),
  )
  return sealed
}

export const sealFinal = async (app: Sealing, kinds: readonly FinalOf[]): Promise<number> => {
  const nowMs = app.clock.now()
  const last = addDays(localDateOf(nowMs), -correctedForDays - 1)
  const customers = await app.records.system((tx) => tx.selectFrom('customer').select('customer_id').execute())
  let sealed = 0
  for (const { customer_id: customerId } of customers) {
    const own: Own['own'] = (work) => app.records.tenant(customerId, (tx) => work(tx, customerId))
    const first = await own(findFirstDay)
    if (first === null || first > last) continue
    for (const day of datesBetween(first, last))
      for (const find of kinds) sealed += await sealDay(app, own, await find(app, own, day, nowMs))
  }
  return sealed
}

export const sealingJob = (kinds: readonly FinalOf[]): Job<Sealing> => ({
  name: 'flight-records',
  cron: '40 */6 * * *',
  run: async (app) => {
    const sealed = await sealFinal(app, kinds)
    if (sealed > 0) app.log.info({ sealed }, 'flight records sealed')
  },
})
