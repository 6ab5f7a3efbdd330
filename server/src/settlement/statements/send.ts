import { buffer } from 'node:stream/consumers'
import { addMonths, localMonthOf, type LocalMonth } from '@gridmast/contract/time.ts'
import { portalAddress } from '#config.ts'
import type { App } from '#context.ts'
import { dueAt, type MonthlyStatement, type OwnRows, type StatementKind } from '#people/letters/monthly-statement.ts'
import { statementStopId } from '#people/letters/stop-links.ts'
import { writeAudit } from '#platform/records/audit.ts'
import { drawDocument } from '#platform/files/document.ts'
import { forEachIsolated } from '#platform/jobs/due-work.ts'
import type { Job } from '#platform/jobs/jobs.ts'
import { attachedBytes, type Attachment, maxAttachedBytes, queueMails } from '#platform/messaging/mail.ts'
import { tableStream } from '#platform/files/table-file.ts'
import { monthlyStatement } from './mails.ts'
import { type DueReader, findDueReaders, getCompany, markFailed, markSent } from './queries.ts'

/*
 * Mails the statements of a month once it is over and most results are published; the row of a sent statement is saved in the transaction of its
 * mail, so that a process that dies neither loses nor repeats it.
 */

const maxMonthsLate = 3

export const nextMonth = (nowMs: number): LocalMonth => {
  const last = addMonths(localMonthOf(nowMs), -1)
  return dueAt(last) > nowMs ? last : addMonths(last, 1)
}

type Services = Pick<App, 'records' | 'clock' | 'config' | 'secret' | 'log'>

const withinLimit = (files: readonly Attachment[]): Attachment[] =>
  files.reduce<Attachment[]>(
    (attached, file) => (attachedBytes([...attached, file]) > maxAttachedBytes ? attached : [...attached, file]),
    [],
  )

const filesOf = async (customerId: string, { document, file }: MonthlyStatement): Promise<Attachment[]> => {
  const pdf = await drawDocument(customerId, document)
  const sheet = await buffer(tableStream(file, 'xlsx'))
  return [
    { name: `${document.fileName}.pdf`, base64: pdf.toString('base64') },
    { name: `${file.fileName}.xlsx`, base64: sheet.toString('base64') },
  ]
}

type Statement = Pick<DueReader, 'customer_id' | 'kind' | 'group_id'> & { month: LocalMonth }

const send = async (app: Services, kind: StatementKind, of: Statement, readers: readonly DueReader[]) => {
  const { records, clock, config, secret } = app
  const { customer_id: customerId, month, group_id: subjectId } = of
  const nowMs = clock.now()
  const ownRows: OwnRows = (work) => records.tenant(customerId, work)
  const make = await kind.make(ownRows, { customerId, month, subjectId, nowMs, isMailed: true })
  if (!make) return
  const [english, danish] = [await make('en'), await make('da')]
  const [en, da] = [await filesOf(customerId, english), await filesOf(customerId, danish)]
  const page = kind.kind === 'settlement' ? '/eConomics?tab=statements' : '/e3-App/evCharging?tab=tag'
  const content = {
    company: await ownRows((tx) => getCompany(tx, customerId)),
    month,
    en: { title: english.document.title, attachments: withinLimit(en) },
    da: { title: danish.document.title, attachments: withinLimit(da) },
    unsettledDays: english.unsettledDays ?? 0,
    isLeftOut: withinLimit(en).length < en.length || withinLimit(da).length < da.length,
    link: portalAddress(config, page),
  }
  const version = english.version ?? null
  await forEachIsolated(
    readers,
    (reader) =>
      records.system(async (tx) => {
        if (!(await markSent(tx, reader, { month, at: new Date(nowMs), version }))) return
        const stopLink = portalAddress(config, `/auth/unsubscribe/${statementStopId(secret, reader.reader_id)}`)
        const letter = monthlyStatement({ ...content, stopLink })
        await queueMails(tx, [{ reader: { customerId, to: reader.email }, letter, when: { nowMs } }])
        await writeAudit(tx, customerId, nowMs, {
          who: 'Gridmast',
          action: 'statement.send',
          subject: reader.email,
          after: { month, kind: kind.kind, statement: english.document.title, ...(version && { version }) },
        })
      }),
    (reader, error) => failed(app, { customerId, month, kind: kind.kind }, [reader], error),
  )
}

type Failing = { customerId: string; month: LocalMonth; kind: string }

const failed = ({ records, clock, log }: Services, of: Failing, readers: readonly DueReader[], error: unknown) => {
  log.error({ err: error, ...of }, 'statement not sent')
  return records.system((tx) => markFailed(tx, readers, of.month, clock.now()))
}

export const sendDue = async (app: Services, kinds: readonly StatementKind[]): Promise<void> => {
  const nowMs = app.clock.now()
  for (let back = maxMonthsLate; back >= 1; back--) {
    const month = addMonths(localMonthOf(nowMs), -back)
    if (dueAt(month) > nowMs) continue
    const due = await app.records.system((tx) => findDueReaders(tx, month, { due: new Date(dueAt(month)), nowMs }))
    const byStatement = Map.groupBy(due, (one) => `${one.customer_id} ${one.kind} ${one.group_id}`)
    await forEachIsolated(
      byStatement.values(),
      async (readers) => {
        const [first] = readers
        const kind = kinds.find((one) => one.kind === first?.kind)
        if (first && kind) await send(app, kind, { ...first, month }, readers)
      },
      (readers, error) => {
        const { customer_id: customerId = '', kind = '' } = readers[0] ?? {}
        return failed(app, { customerId, month, kind }, readers, error)
      },
    )
  }
}

export const statementsJob = (kinds: readonly StatementKind[]): Job<App> => ({
  name: 'statements',
  cron: '*/5 * * * *',
  atStart: true,
  retries: 0,
  run: (app) => sendDue(app, kinds),
})
