import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { pino } from 'pino'
import PostalMime from 'postal-mime'
import { SMTPServer } from 'smtp-server'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { type Attachment, mailKind, maxAttachedBytes, openMailer, queueMail, type Send } from './mail.ts'
import { openOutbox } from './outbox.ts'
import { openTestRecords } from '#testing/records.ts'
import { storedRows } from '#testing/rows.ts'

const records = await openTestRecords()
beforeEach(() => records.system((tx) => tx.deleteFrom('outbox').execute()))
afterAll(() => records.close())

const drainOutbox = (send: Send, nowMs: number, isDemo = false) =>
  openOutbox({
    records,
    clock: { now: () => nowMs },
    log: pino({ level: 'silent' }),
    kinds: { mail: mailKind(send, { isDemo }) },
  }).drain()

const queue = (subject: string) =>
  records.system((tx) => {
    const words = { subject, text: 'Køl 1 er i drift æøå' }
    return queueMail(tx, { customerId: null, to: 'ops@nordhavn.example' }, { en: words, da: words })
  })
/** The clock of the store, which decides when a mail is due, has fractions of a millisecond. */
const soonMs = () => Date.now() + 1000
const outbox = () => storedRows(records, 'mail_outbox')

test('without SMTP a mail is written as a standard mail file', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'gridmast-mail-'))
  await queue('Kode 1234')
  expect(
    await drainOutbox(openMailer({ smtpUrl: undefined, folder, sender: 'Gridmast <no-reply@x.example>' }), soonMs()),
  ).toBe(1)
  const [name] = await readdir(folder)
  const mail = await PostalMime.parse(await readFile(join(folder, name ?? ''), 'utf8'))
  await rm(folder, { recursive: true })
  expect(mail).toMatchObject({
    subject: 'Kode 1234',
    to: [{ address: 'ops@nordhavn.example' }],
    from: { address: 'no-reply@x.example' },
  })
  expect(mail.text?.trim()).toBe('Køl 1 er i drift æøå')
})

const bodies = () =>
  records.system(async (tx) =>
    (await tx.selectFrom('mail_outbox').select('body').where('subject', '=', 'Later').execute()).map((row) => row.body),
  )

test('L3 line breaks in a subject add no header', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'gridmast-mail-'))
  await queue('Hello\r\nBcc: thief@x.example')
  await drainOutbox(openMailer({ smtpUrl: undefined, folder, sender: 'g@x.example' }), soonMs())
  const [name] = await readdir(folder)
  const mail = await PostalMime.parse(await readFile(join(folder, name ?? ''), 'utf8'))
  await rm(folder, { recursive: true })
  expect(mail.bcc).toBeUndefined()
  expect(mail.headers.map((header) => header.key)).not.toContain('bcc')
})

test('mails wait with growing delays for an unavailable mail server and are sent once', async () => {
  await queue('Later')
  const down = openMailer({ smtpUrl: 'smtp://127.0.0.1:1', folder: '', sender: 'g@x.example' })
  const startMs = soonMs()
  expect(await drainOutbox(down, startMs)).toBe(0)
  expect(await drainOutbox(down, startMs + 29_000)).toBe(0)
  expect((await outbox())[0]).toMatchObject({ attempts: 1, sent_at: null })
  expect(await drainOutbox(down, startMs + 31_000)).toBe(0)
  expect((await outbox())[0]).toMatchObject({ attempts: 2, next_attempt_at: new Date(startMs + 31_000 + 60_000) })

  const received: string[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData: (stream, _session, done) => void text(stream).then((body) => (received.push(body), done())),
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()))
  const { port } = server.server.address() as AddressInfo // a TCP server's address is never a pipe's name
  const up = openMailer({ smtpUrl: `smtp://127.0.0.1:${port}`, folder: '', sender: 'g@x.example' })
  expect(await drainOutbox(up, startMs + 200_000)).toBe(1)
  expect(await drainOutbox(up, startMs + 300_000)).toBe(0)
  await new Promise<void>((resolve) => server.close(() => resolve()))
  expect(received).toHaveLength(1)
  expect(received[0]).toContain('Subject: Later')
  // Sent text is not kept, because it contains a one-time code.
  expect(await bodies()).toEqual([''])
})

test('a wrong password or address of the mail server is one line, mails wait, and a refused recipient is no line', async () => {
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    onAuth: ({ password }, _session, done) =>
      password === 'right' ? done(null, { user: 'g' }) : done(new Error('Authentication failed')),
    onRcptTo: ({ address }, _session, done) => done(address.startsWith('gone') ? new Error('no such user') : null),
    onData: (stream, _session, done) => void text(stream).then(() => done()),
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()))
  const { port } = server.server.address() as AddressInfo // a TCP server's address is never a pipe's name
  const lines: string[] = []
  const note = (_details: object, line: string) => void lines.push(line)
  const mailer = (smtpUrl: string) =>
    openMailer({ smtpUrl, folder: '', sender: 'g@x.example', log: { info: note, warn: note } })
  const mail = { id: 'a', to: 'eva@x.example', subject: 'x', text: 'x' }
  const wrong = mailer(`smtp://g:wrong@127.0.0.1:${port}`)
  for (let i = 0; i < 2; i++) await expect(wrong(mail)).rejects.toThrow('535')
  expect(lines.splice(0)).toEqual([
    expect.stringMatching(
      /^SMTP_URL: 127\.0\.0\.1:\d+ accepts no mails, they wait: Invalid login: 535 Authentication failed$/,
    ),
  ])
  const right = mailer(`smtp://g:right@127.0.0.1:${port}`)
  await expect(right({ ...mail, to: 'gone@x.example' })).rejects.toThrow('no such user')
  await right(mail)
  expect(lines).toEqual([])
  await new Promise<void>((resolve) => server.close(() => resolve()))
  await expect(right(mail)).rejects.toThrow('ECONNREFUSED')
  expect(lines).toEqual([
    expect.stringMatching(/^SMTP_URL: 127\.0\.0\.1:\d+ accepts no mails, they wait: .*ECONNREFUSED/),
  ])
})

test('a demo keeps sent mails for /dev/mail', async () => {
  await queue('Later')
  expect(await drainOutbox(async () => {}, soonMs(), true)).toBe(1)
  expect(await bodies()).toEqual(['Køl 1 er i drift æøå'])
})

const queueFiles = (attachments: Attachment[]) =>
  records.system((tx) => {
    const letter = { subject: 'Files', text: 'Attached', attachments }
    return queueMail(tx, { customerId: null, to: 'ops@nordhavn.example' }, { en: letter, da: letter })
  })

test('an attachment arrives unchanged and is deleted after delivery', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'gridmast-mail-'))
  const bytes = Buffer.from(Array.from({ length: 70_000 }, (_, i) => (i * 31) % 256))
  await queueFiles([
    { name: 'Opgørelse.pdf', base64: bytes.toString('base64') },
    { name: 'bids.csv', content: 'a;æ' },
  ])
  await drainOutbox(openMailer({ smtpUrl: undefined, folder, sender: 'g@x.example' }), soonMs())
  const [name] = await readdir(folder)
  const { attachments } = await PostalMime.parse(await readFile(join(folder, name ?? ''), 'utf8'))
  await rm(folder, { recursive: true })
  const [pdf, csv] = attachments
  expect([pdf?.filename, pdf?.mimeType, csv?.filename]).toEqual(['Opgørelse.pdf', 'application/pdf', 'bids.csv'])
  expect(Buffer.compare(Buffer.from(pdf?.content as ArrayBuffer), bytes)).toBe(0) // non-text content is bytes
  const [kept] = await storedRows(records, 'outbox', {}, ['payload'])
  expect(kept?.payload).not.toHaveProperty('attachments')
})

test('a mail beyond the size limit is not queued', async () => {
  const letter = (length: number) => [{ name: 'a.pdf', base64: Buffer.alloc(length).toString('base64') }]
  await expect(queueFiles(letter(maxAttachedBytes + 1))).rejects.toThrow('too large')
  await queueFiles(letter(maxAttachedBytes))
  expect(await outbox()).toHaveLength(1)
})
