import { isIP } from 'node:net'
import { m } from '@gridmast/contract/messages.ts'
import { formatDateTime } from '@gridmast/contract/time.ts'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { App } from '#context.ts'
import { escapeHtml, page } from './page.ts'
import { findDemoMail } from './queries.ts'

const isLoopback = (address: string) => /^(::1|(::ffff:)?127(\.\d{1,3}){3})$/.test(address)

/** Codes stand in mails: shown to whoever sits at this machine, not through a proxy, nor to a page that has bent a name of its own to this address. */
const isAtThisMachine = ({ socket, headers, hostname }: FastifyRequest) =>
  isLoopback(socket.remoteAddress ?? '') &&
  ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip'].every(
    (name) => headers[name] === undefined,
  ) &&
  (hostname === 'localhost' || isIP(hostname.replace(/^\[|\]$/g, '')) !== 0)

/** The mails of a demo at /dev/mail, newest first: what would have been sent. Only ever served while DEMO is on. */
export const serveDevMail = (http: FastifyInstance, app: App): void => {
  http.get('/dev/mail', async (request, reply) => {
    if (!isAtThisMachine(request)) return reply.code(404).send({ success: false, message: m.notFound })
    const mails = await app.records.system(findDemoMail)
    const entries = mails.map((mail) => {
      const state = mail.sent_at ? `sent ${formatDateTime(mail.sent_at.getTime())}` : (mail.last_error ?? 'waiting')
      return `<details><summary><b>${escapeHtml(mail.subject)}</b><span>${escapeHtml(mail.recipient)} · ${escapeHtml(state)}</span></summary><pre>${escapeHtml(mail.body)}</pre></details>`
    })
    return reply
      .type('text/html; charset=utf-8')
      .header('cache-control', 'no-store')
      .send(
        page(
          'Mail',
          `<h1>Mail</h1><p>The last 100 mails of this demo.</p>${entries.join('') || '<p>No mail yet.</p>'}`,
        ),
      )
  })
}
