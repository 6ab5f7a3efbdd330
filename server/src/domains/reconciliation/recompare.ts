import type { App } from '#context.ts'
import { newId } from '#platform/ids.ts'
import type { Job } from '#platform/jobs.ts'
import type { Tx } from '#platform/records.ts'
import { compareDay, type Line, theirsOf } from './compare.ts'
import {
  type Due,
  type DueDay,
  findDue,
  pushBack,
  readDue,
  removeLine,
  type StoredLine,
  takeDue,
  updateLine,
} from './day-queries.ts'
import { addLines } from './queries.ts'

/** Compares again what was settled or corrected after its statement was taken. What was marked as settled stays so, beside the new difference. */

const daysAtOnce = 200

const rowsOf = (lines: readonly StoredLine[]) =>
  lines.flatMap(({ row_no, auction, period, theirs }) =>
    row_no === null || theirs === null ? [] : [{ row: row_no, auction, period, theirs: theirsOf(theirs) }],
  )

/** A line that the statement left out and that is worth nothing any more. */
const nothing = (line: StoredLine): Line => ({
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

const save = async (tx: Tx, { lines, settlement, compares, ...of }: DueDay, nowMs: number) => {
  const left = new Map(lines.map((line) => [line.row_no, line]))
  const own = { customer_id: of.customer_id, statement_id: of.statement_id }
  for (const line of compareDay(rowsOf(lines), settlement, compares)) {
    const stored = left.get(line.row)
    left.delete(line.row)
    if (stored) await updateLine(tx, stored, line)
    else {
      const { instance_id, day, product } = of
      await addLines(tx, own, [{ ...line, instance_id, day, product, lineId: newId(nowMs) }])
    }
  }
  for (const gone of left.values()) if (!(await removeLine(tx, gone))) await updateLine(tx, gone, nothing(gone))
}

type From = Pick<App, 'records' | 'clock' | 'log'>

/** Answers how many of the marks were taken. */
const compareTogether = ({ records, clock }: From, marked: readonly Due[]): Promise<number> =>
  records.system(async (tx) => {
    const due = await takeDue(tx, marked)
    for (const day of due.length > 0 ? await readDue(tx, due) : []) await save(tx, day, clock.now())
    return due.length
  })

/** One that cannot be compared holds up none of the others. */
const compareSome = async (app: From): Promise<number> => {
  const marked = await app.records.system((tx) => findDue(tx, daysAtOnce))
  try {
    return await compareTogether(app, marked)
  } catch {
    for (const one of marked)
      try {
        await compareTogether(app, [one])
      } catch (error) {
        app.log.error({ error, instance: one.instance_id, day: one.day }, 'day not compared')
        await app.records.system((tx) => pushBack(tx, one))
      }
    return marked.length
  }
}

export const recompareDue = async (app: From): Promise<void> => {
  while ((await compareSome(app)) === daysAtOnce);
}

export const recompareJob: Job<App> = {
  name: 'reconciliation',
  cron: '* * * * *',
  after: 'settlements',
  atStart: true,
  run: recompareDue,
}
