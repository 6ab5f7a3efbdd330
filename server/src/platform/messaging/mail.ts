import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Language, languageOf } from '@gridmast/contract/people/user.ts'
import { hourMs } from '@gridmast/contract/time.ts'
import { sql } from 'kysely'
import { createTransport } from 'nodemailer'
import { type Kind, type Queued, queueItems } from './outbox.ts'
import type { Tx } from '#platform/records/records.ts'

export type Mail = {
  to: string
  subject: string
  text: string
  /** Where a mail program ends such mails with one press (RFC 8058), and a browser asks first. */
  unsubscribe?: string
  attachments?: Attachment[]
}

/** A text, or bytes in base64: what waits in the outbox is JSON. */
export type Attachment = { name: string; content: string } | { name: string; base64: string }

/** Of all files of a mail, before they are written for transport, which takes a third more: what usual servers still take. */
export const mostAttachedBytes = 6_000_000
export const attachedBytes = (attachments: readonly Attachment[]): number =>
  attachments.reduce(
    (sum, one) => sum + ('base64' in one ? Buffer.byteLength(one.base64, 'base64') : Buffer.byteLength(one.content)),
    0,
  )

/** A mail in each language of its readers. */
export type Letter = Record<Language, Omit<Mail, 'to'>>

export type InBoth = Record<Language, string>

type Template = {
  subject: InBoth
  /** Paragraphs; a string is the same in both languages, and null is left out. */
  body: readonly (InBoth | string | null)[]
  attachments?: Record<Language, Attachment[]>
  unsubscribe?: string
}

const inLanguage = ({ subject, body, attachments, unsubscribe }: Template, language: Language): Omit<Mail, 'to'> => ({
  subject: subject[language],
  text: body
    .filter((paragraph) => paragraph !== null)
    .map((paragraph) => (typeof paragraph === 'string' ? paragraph : paragraph[language]))
    .join('\n\n'),
  ...(attachments && { attachments: attachments[language] }),
  ...(unsubscribe !== undefined && { unsubscribe }),
})

export const letter = (template: Template): Letter => ({
  en: inLanguage(template, 'en'),
  da: inLanguage(template, 'da'),
})

/** Paragraphs of several mails. */
export const hello = (name: string): InBoth => ({ en: `Hello ${name},`, da: `Hej ${name}` })
export const danishTimes: InBoth = { en: 'Times are Danish.', da: 'Tiderne er danske.' }
export const simulatedFigures: InBoth = {
  en: 'Simulated: nothing behind these figures was measured.',
  da: 'Simuleret: intet bag tallene er målt.',
}

/** `customerId` is null for mail that is about no customer; `language` where the reader's is known. */
export type Reader = { customerId: string | null; to: string; language?: string | null }

const keyOf = ({ customerId, to }: Reader) => `${customerId} ${to}`

/** An account's own language, else that of its company; so too for an address without an account. Only of readers who have not chosen one. */
const findLanguages = async (tx: Tx, readers: readonly Reader[]): Promise<Map<string, string>> => {
  const asked = new Map(readers.flatMap((one) => (one.language || one.customerId === null ? [] : [[keyOf(one), one]])))
  if (asked.size === 0) return new Map()
  const given = [...asked].map(([key, { customerId, to }]) => ({ key, customer: customerId, email: to.toLowerCase() }))
  const { rows } = await sql<{ key: string; language: string }>`
    select asked.key, coalesce(u.language, c.language) as language
    from jsonb_to_recordset(${JSON.stringify(given)}::jsonb) as asked(key text, customer uuid, email text)
    join customer c on c.customer_id = asked.customer
    left join app_user u on u.customer_id = c.customer_id and lower(u.email) = asked.email`.execute(tx)
  return new Map(rows.map(({ key, language }) => [key, language]))
}

const written = (reader: Reader, letter: Letter, languages: ReadonlyMap<string, string>): Mail => ({
  to: reader.to,
  ...letter[languageOf(reader.language ?? languages.get(keyOf(reader)) ?? 'en')],
})

/** Each letter as its reader gets it. */
export const lettersFor = async (tx: Tx, mails: readonly { reader: Reader; letter: Letter }[]): Promise<Mail[]> => {
  const languages = await findLanguages(
    tx,
    mails.map(({ reader }) => reader),
  )
  return mails.map(({ reader, letter }) => written(reader, letter, languages))
}

/** The letter as this reader gets it. */
export const mailFor = async (tx: Tx, reader: Reader, letter: Letter): Promise<Mail> =>
  written(reader, letter, await findLanguages(tx, [reader]))

/** Queues mails in the caller's transaction, each in the language of its reader. */
export const queueMails = async (
  tx: Tx,
  mails: readonly { reader: Reader; letter: Letter; when?: Queued }[],
): Promise<void> => {
  const payloads = await lettersFor(tx, mails)
  const items = payloads.map((payload, i) => {
    // Whoever makes a mail leaves out what is too large: one that no server takes would be tried for ever.
    if (attachedBytes(payload.attachments ?? []) > mostAttachedBytes) throw new Error('The attachments are too large')
    return { customerId: mails[i]?.reader.customerId ?? null, kind: 'mail', payload, ...mails[i]?.when }
  })
  await queueItems(tx, items)
}

export const queueMail = (tx: Tx, reader: Reader, letter: Letter, when: Queued = {}): Promise<void> =>
  queueMails(tx, [{ reader, letter, when }])

export type Send = (mail: Mail & { id: string }) => Promise<void>

/** Without SMTP_URL each mail becomes a file in DATA_DIR/mail. Headers are built by the mail library (security rule L3). */
export const openMailer = (from: { smtpUrl: string | undefined; folder: string; sender: string }): Send => {
  const composed = (mail: Mail & { id: string }) => ({
    from: from.sender,
    to: mail.to,
    subject: mail.subject,
    text: mail.text,
    messageId: `<${mail.id}@gridmast>`,
    attachments: (mail.attachments ?? []).map((one) => ({
      filename: one.name,
      ...('base64' in one ? { content: one.base64, encoding: 'base64' } : { content: one.content }),
    })),
    ...(mail.unsubscribe
      ? {
          list: { unsubscribe: { url: mail.unsubscribe } },
          headers: { 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' },
        }
      : {}),
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

/**
 * A mail that fails waits 30 s, doubling to an hour; none is given up. What was sent is not kept, as a code may stand in it; a demo keeps the
 * text, which is read at /dev/mail only.
 */
export const mailKind = (send: Send, { isDemo = false } = {}): Kind => ({
  deliver: async ({ id, payload }) => {
    const error = await send({ id, ...(payload as Mail) }).then(
      () => null,
      (reason: unknown) => (reason instanceof Error ? reason.message : String(reason)),
    ) // the payload is what queueMail wrote
    return { error }
  },
  waitMs: (attempts) => Math.min(30_000 * 2 ** (attempts - 1), hourMs),
  atOnce: 5,
  forget: [...(isDemo ? [] : ['text']), 'unsubscribe', 'attachments'],
})
