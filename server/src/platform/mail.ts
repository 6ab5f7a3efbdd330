import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createTransport } from 'nodemailer'
import { newId } from './ids.ts'
import type { Records, Tx } from './records.ts'

export type Mail = { to: string; subject: string; text: string }

/** Queues a mail in the caller's transaction. `customerId` is null for mail to the operator. */
export const queueMail = async (tx: Tx, customerId: string | null, mail: Mail): Promise<void> => {
  await tx
    .insertInto('mail_outbox')
    .values({ customer_id: customerId, mail_id: newId(), recipient: mail.to, subject: mail.subject, body: mail.text })
    .execute()
}

export type Send = (mail: Mail & { id: string }) => Promise<void>

/** Without SMTP_URL each mail becomes a file in DATA_DIR/mail. Headers are built by the mail library (security rule L3). */
export const openMailer = (from: { smtpUrl: string | undefined; folder: string; sender: string }): Send => {
  const composed = (mail: Mail & { id: string }) => ({
    from: from.sender,
    to: mail.to,
    subject: mail.subject,
    text: mail.text,
    messageId: `<${mail.id}@gridmast>`,
  })
  if (from.smtpUrl) {
    const smtp = createTransport({ url: from.smtpUrl, connectionTimeout: 10_000, socketTimeout: 20_000 })
    return async (mail) => void (await smtp.sendMail(composed(mail)))
  }
  const writer = createTransport({ streamTransport: true, buffer: true, newline: 'windows' })
  return async (mail) => {
    const made = await writer.sendMail(composed(mail))
    await mkdir(from.folder, { recursive: true })
    await writeFile(join(from.folder, `${mail.id}.eml`), made.message as Buffer) // `buffer: true` makes it one
  }
}

const waitS = (attempts: number) => Math.min(30 * 2 ** attempts, 3600)

/** Sends what is due, oldest first. A mail that fails waits 30 s, doubling to an hour; nothing is dropped. Answers how many left. */
export const drainOutbox = async (records: Records, send: Send, nowMs: number): Promise<number> => {
  const due = await records.system((tx) =>
    tx
      .selectFrom('mail_outbox')
      .selectAll()
      .where('sent_at', 'is', null)
      .where('next_attempt_at', '<=', new Date(nowMs))
      .orderBy('created_at')
      .limit(50)
      .execute(),
  )
  let sent = 0
  for (const row of due) {
    const outcome = await send({ id: row.mail_id, to: row.recipient, subject: row.subject, text: row.body }).then(
      () => null,
      (error: unknown) => (error instanceof Error ? error.message : String(error)),
    )
    await records.system((tx) =>
      tx
        .updateTable('mail_outbox')
        .set(
          outcome === null
            ? { sent_at: new Date(nowMs), last_error: null, body: '' } // a code in it is nobody's business any more
            : {
                attempts: row.attempts + 1,
                last_error: outcome.slice(0, 500),
                next_attempt_at: new Date(nowMs + waitS(row.attempts) * 1000),
              },
        )
        .where('mail_id', '=', row.mail_id)
        .execute(),
    )
    if (outcome === null) sent++
  }
  return sent
}
