import type { App } from '#context.ts'
import { newId } from '#platform/records/ids.ts'
import { workOnDue } from '#platform/jobs/due-work.ts'
import type { Job } from '#platform/jobs/jobs.ts'
import type { Tx } from '#platform/records/records.ts'
import { compareDay, type Line, theirsOf } from './compare.ts'
import {
  type Due,
  type DueDay,
  findDue,
  postponeDue,
  readDue,
  removeLines,
  type StoredLine,
  claimDue,
  updateLines,
} from './day-queries.ts'
import { addLines } from './queries.ts'

/** Compares days again that were settled or corrected after the import of their statement; lines marked as settled stay so, with the new difference. */

const daysAtOnce = 200

const rowsOf = (lines: readonly StoredLine[]) =>
  lines.flatMap(({ row_no, auction, period, theirs }) =>
    row_no === null || theirs === null ? [] : [{ row: row_no, auction, period, theirs: theirsOf(theirs) }],
  )

const withoutBids = (line: StoredLine): Line => ({
  row: null,
  auction: line.auction,
  period: line.period,
  startMs: null,
  kind: 'agrees',
  theirs: null,
  ours: null,
  oursEur: '0.00',
  theirsEur: null,
  differenceEur: '0.00',
  parts: null,
  version: line.version,
})

const save = async (tx: Tx, days: readonly DueDay[], nowMs: number) => {
  const changed: { stored: StoredLine; line: Line }[] = []
  const orphaned: StoredLine[] = []
  const added: { of: DueDay; line: Line }[] = []
  for (const of of days) {
    const unmatched = new Map(of.lines.map((line) => [line.row_no, line]))
    for (const line of compareDay(rowsOf(of.lines), of.settlement, of.compares)) {
      const stored = unmatched.get(line.row)
      unmatched.delete(line.row)
      if (stored) changed.push({ stored, line })
      else added.push({ of, line })
    }
    orphaned.push(...unmatched.values())
  }
  for (const stored of await removeLines(tx, orphaned)) changed.push({ stored, line: withoutBids(stored) })
  await updateLines(tx, changed)
  for (const [statement_id, some] of Map.groupBy(added, ({ of }) => of.statement_id))
    await addLines(
      tx,
      { customer_id: some[0]?.of.customer_id ?? '', statement_id },
      some.map(({ of: { instance_id, day, product }, line }) => ({
        ...line,
        instance_id,
        day,
        product,
        lineId: newId(nowMs),
      })),
    )
}

type From = Pick<App, 'records' | 'clock' | 'log'>

const recompare = ({ records, clock }: From, marked: readonly Due[]): Promise<number> =>
  records.system(async (tx) => {
    const due = await claimDue(tx, marked)
    if (due.length > 0) await save(tx, await readDue(tx, due), clock.now())
    return due.length
  })

export const recompareDue = (app: From): Promise<void> =>
  workOnDue(daysAtOnce, {
    find: () => app.records.system((tx) => findDue(tx, daysAtOnce)),
    work: (some) => recompare(app, some),
    failed: (one, error) => {
      app.log.error({ err: error, instance: one.instance_id, day: one.day }, 'day not compared')
      return app.records.system((tx) => postponeDue(tx, one))
    },
  })

export const recompareJob: Job<App> = {
  name: 'reconciliation',
  cron: '* * * * *',
  after: 'settlements',
  atStart: true,
  run: recompareDue,
}
