import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Language, languageOf } from '@gridmast/contract/people/user.ts'
import { hourMs } from '@gridmast/contract/time.ts'
import { createTransport } from 'nodemailer'
import { type Kind, type Queued, queueItems } from './outbox.ts'
import type { Tx } from '#platform/records/records.ts'
import { sqlRows } from '#platform/records/rows.ts'

export type Mail = {
  to: string
  subject: string
  text: string
  /** One-click unsubscribe address of mail clients (RFC 8058); a browser shows a confirmation first. */
  unsubscribe?: string
  attachments?: Attachment[]
}

/** Text, or bytes in base64, because the outbox is JSON. */
export type Attachment = { name: string; content: string } | { name: string; base64: string }

/** Total size of the attachments before base64, which adds a third; usual mail servers accept that. */
export const maxAttachedBytes = 6_000_000
export const attachedBytes = (attachments: readonly Attachment[]): number =>
  attachments.reduce(
    (sum, one) => sum + ('base64' in one ? Buffer.byteLength(one.base64, 'base64') : Buffer.byteLength(one.content)),
    0,
  )

export type Letter = Record<Language, Omit<Mail, 'to'>>

export type InBoth = Record<Language, string>

type Template = {
  subject: InBoth
  /** Paragraphs; a plain string is the same in both languages, null is omitted. */
  body: readonly (InBoth | string | null)[]
  attachments?: Record<Language, Attachment[]>
  unsubscribe?: string
}

const inLanguage = ({ subject, body, attachments, unsubscribe }: Template, language: Language): Omit<Mail, 'to'> => ({
  subject: subject[language],
  text: inLines(body, '\n\n')[language],
  ...(attachments && { attachments: attachments[language] }),
  ...(unsubscribe !== undefined && { unsubscribe }),
})

export const letter = (template: Template): Letter => ({
  en: inLanguage(template, 'en'),
  da: inLanguage(template, 'da'),
})

/** Lines in both languages; a plain string is the same in both, null is omitted. */
export const inLines = (lines: readonly (InBoth | string | null)[], end = '\n'): InBoth => {
  const joined = (language: Language) =>
    lines
      .filter((line) => line !== null)
      .map((line) => (typeof line === 'string' ? line : line[language]))
      .join(end)
  return { en: joined('en'), da: joined('da') }
}

export const hello = (name: string): InBoth => ({ en: `Hello ${name},`, da: `Hej ${name}` })
export const danishTimes: InBoth = { en: 'Times are Danish.', da: 'Tiderne er danske.' }
export const simulatedFigures: InBoth = {
  en: 'Simulated: nothing behind these figures was measured.',
  da: 'Simuleret: intet bag tallene er målt.',
}

/** `customerId` is null for mail without a customer; `language` is null when it must be looked up. */
export type Reader = { customerId: string | null; to: string; language?: string | null }

const keyOf = ({ customerId, to }: Reader) => `${customerId} ${to}`

/** Languages of readers without one of their own: that of the account, else of the company, also for an address without an account. */
const findLanguages = async (tx: Tx, readers: readonly Reader[]): Promise<Map<string, string>> => {
  const unresolved = new Map(
    readers.flatMap((one) => (one.language || one.customerId === null ? [] : [[keyOf(one), one]])),
  )
  if (unresolved.size === 0) return new Map()
  const keys = [...unresolved].map(([key, { customerId, to }]) => ({
    key,
    customer: customerId,
    email: to.toLowerCase(),
  }))
  const rows = await sqlRows<{ key: string; language: string }>(tx)`
    select asked.key, coalesce(u.language, c.language) as language
    from jsonb_to_recordset(${JSON.stringify(keys)}::jsonb) as asked(key text, customer uuid, email text)
    join customer c on c.customer_id = asked.customer
    left join app_user u on u.customer_id = c.customer_id and lower(u.email) = asked.email`
  return new Map(rows.map(({ key, language }) => [key, language]))
}

const written = (reader: Reader, letter: Letter, languages: ReadonlyMap<string, string>): Mail => ({
  to: reader.to,
  ...letter[languageOf(reader.language ?? languages.get(keyOf(reader)) ?? 'en')],
})

export const lettersFor = async (tx: Tx, mails: readonly { reader: Reader; letter: Letter }[]): Promise<Mail[]> => {
  const languages = await findLanguages(
    tx,
    mails.map(({ reader }) => reader),
  )
  return mails.map(({ reader, letter }) => written(reader, letter, languages))
}

export const mailFor = async (tx: Tx, reader: Reader, letter: Letter): Promise<Mail> =>
  written(reader, letter, await findLanguages(tx, [reader]))

export const queueMails = async (
  tx: Tx,
  mails: readonly { reader: Reader; letter: Letter; when?: Queued }[],
): Promise<void> => {
  const payloads = await lettersFor(tx, mails)
  const items = payloads.map((payload, i) => {
    // The author of a mail omits large attachments; a mail that no server accepts would be retried forever.
    if (attachedBytes(payload.attachments ?? []) > maxAttachedBytes) throw new Error('The attachments are too large')
    return { customerId: mails[i]?.reader.customerId ?? null, kind: 'mail', payload, ...mails[i]?.when }
  })
  await queueItems(tx, items)
}

export const queueMail = (tx: Tx, reader: Reader, letter: Letter, when: Queued = {}): Promise<void> =>
  queueMails(tx, [{ reader, letter, when }])

export type Send = (mail: Mail & { id: string }) => Promise<void>

/** Codes of nodemailer for a server that is away or refuses this client, and not a recipient or a mail. */
const serverFaults = /^E(AUTH|OAUTH2|NOAUTH|CONNECTION|SOCKET|TIMEDOUT|DNS|TLS|REQUIRETLS|PROTOCOL|PROXY)$/

type MailerLog = Record<'info' | 'warn', (details: object, message: string) => void>

/** One line when the server begins to fail, and one when it accepts mails again. */
const openTrouble = (host: string, log: MailerLog | undefined) => {
  let trouble: string | null = null
  return (error: unknown) => {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    if (error !== null && !serverFaults.test(code)) return
    const newTrouble = error instanceof Error ? error.message.split('\n')[0] : null
    if (newTrouble === trouble) return
    trouble = newTrouble ?? null
    if (trouble) log?.warn({ code }, `SMTP_URL: ${host} accepts no mails, they wait: ${trouble}`)
    else log?.info({}, `${host} accepts mails again`)
  }
}

/** Without SMTP_URL each mail becomes a file in DATA_DIR/mail. The mail library builds the headers (security rule L3). */
export const openMailer = (from: {
  smtpUrl: string | undefined
  folder: string
  sender: string
  log?: MailerLog
}): Send => {
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
    const note = openTrouble(new URL(from.smtpUrl).host, from.log)
    return async (mail) => {
      try {
        await smtp.sendMail(composed(mail))
        note(null)
      } catch (error) {
        note(error)
        throw error
      }
    }
  }
  const writer = createTransport({ streamTransport: true, buffer: true, newline: 'windows' })
  return async (mail) => {
    const composedMail = await writer.sendMail(composed(mail))
    await mkdir(from.folder, { recursive: true })
    await writeFile(join(from.folder, `${mail.id}.eml`), composedMail.message as Buffer) // `buffer: true` makes it a buffer
  }
}

/**
 * A failed mail is retried after 30 s, doubling to an hour, without end. Sent text is deleted, as it may contain a code; a demo keeps it for
 * /dev/mail.
 */
export const mailKind = (send: Send, { isDemo = false } = {}): Kind => ({
  deliver: async ({ id, payload }) => {
    const error = await send({ id, ...(payload as Mail) }).then(
      () => null,
      (reason: unknown) => (reason instanceof Error ? reason.message : String(reason)),
    ) // the payload is written by queueMails
    return { error }
  },
  waitMs: (attempts) => Math.min(30_000 * 2 ** (attempts - 1), hourMs),
  atOnce: 5,
  forget: [...(isDemo ? [] : ['text']), 'unsubscribe', 'attachments'],
})
