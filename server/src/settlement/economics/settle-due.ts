import { datesBetween, dayBounds, localDateOf, type LocalDate } from '@gridmast/contract/time.ts'
import type { App } from '#context.ts'
import { workOnDue } from '#platform/jobs/due-work.ts'
import type { Job } from '#platform/jobs/jobs.ts'
import { aroundMs } from './availability.ts'
import {
  findDue,
  getWatermark,
  isTaken,
  markEnded,
  markMeasured,
  pushBack,
  saveWatermark,
  takeDue,
} from './due-marks.ts'
import { type Due, keepRevisions, readInputs, removeSettlements, saveSettlements } from './due-queries.ts'
import { closesAfterMs, type SettledDay, settleDays } from './settle-days.ts'

/*
 * Settles the days of instances that bids, results, contracts or telemetry have flagged as due, newest first. A day is always settled from all
 * its stored data, and a run that dies leaves its rows due. Rules: settlement.md.
 */

/** Rows wait until they are unchanged for this long: a past that arrives in pieces is settled once. */
const quietMs = 20_000
const daysAtOnce = 100
/** Samples of a version may be committed this long after later versions. */
const lookBackUs = 60_000_000

type From = Pick<App, 'records' | 'readings' | 'clock' | 'log'>

const settleTogether = async (app: From, marked: readonly Due[]): Promise<number> => {
  const nowMs = app.clock.now()
  const all = await app.records.system((tx) => readInputs(tx, marked))
  const days: SettledDay[] = []
  for (const ofInstance of Map.groupBy(all, ({ due }) => due.instance_id).values())
    days.push(...(await settleDays(app, ofInstance, nowMs)))
  await app.records.system(async (tx) => {
    const taken = await takeDue(
      tx,
      all.map(({ due }) => due),
    )
    const mine = days.filter(({ of }) => isTaken(taken, of.due))
    const changes = mine.flatMap((day) => day.changes)
    const gone = mine.flatMap(({ of: { due, stored, products } }) =>
      stored
        .filter(({ product }) => products.every((other) => other.product !== product))
        .map(({ product }) => ({ ...due, product })),
    )
    const before = [...changes.filter(({ isCorrection }) => isCorrection).map(({ row }) => row), ...gone]
    if (before.length > 0) await keepRevisions(tx, before, new Date(nowMs))
    if (gone.length > 0) await removeSettlements(tx, gone)
    if (changes.length > 0)
      await saveSettlements(
        tx,
        changes.map(({ row }) => row),
      )
  })
  return marked.length
}

const markLate = async ({ records, readings, clock }: From): Promise<void> => {
  const known = await records.system(getWatermark)
  const nowUs = clock.now() * 1000
  if (known === null) return records.system((tx) => saveWatermark(tx, nowUs))
  const today = dayBounds(localDateOf(clock.now())).fromMs
  let newest = known
  const days = new Map<string, { no: number; day: LocalDate }>()
  for await (const { signalNo, fromMs, toMs, version } of readings.storedSince(known - lookBackUs)) {
    newest = Math.max(newest, version)
    const [first, end] = [fromMs - aroundMs, Math.min(toMs + aroundMs, today)]
    if (first >= today) continue
    for (const day of datesBetween(localDateOf(first), localDateOf(end - 1)))
      days.set(`${signalNo} ${day}`, { no: signalNo, day })
  }
  await records.system(async (tx) => {
    if (days.size > 0) await markMeasured(tx, [...days.values()])
    await saveWatermark(tx, newest)
  })
}

export const settleDue = async (app: From, quiet = quietMs): Promise<void> => {
  await markLate(app)
  await app.records.system((tx) => markEnded(tx, localDateOf(app.clock.now() - closesAfterMs)))
  await workOnDue(daysAtOnce, {
    find: () => app.records.system((tx) => findDue(tx, { quietMs: quiet, most: daysAtOnce })),
    work: (some) => settleTogether(app, some),
    // A day that cannot be settled (a number that is absurd) delays no other.
    failed: (one, error) => {
      app.log.error({ err: error, instance: one.instance_id, day: one.day }, 'day not settled')
      return app.records.system((tx) => pushBack(tx, one))
    },
  })
}

export const settlementsJob: Job<App> = {
  name: 'settlements',
  cron: '* * * * *',
  after: 'decide-bids',
  atStart: true,
  retries: 0,
  run: (app) => settleDue(app),
}
