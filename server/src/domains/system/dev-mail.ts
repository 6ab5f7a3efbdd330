import { m } from '@gridmast/contract/messages.ts'
import { formatDateTime } from '@gridmast/contract/time.ts'
import type { FastifyInstance } from 'fastify'
import { isAtThisMachine } from '#platform/address.ts'
import type { App } from '#context.ts'
import { escapeHtml, page } from './page.ts'
import { findDemoMail } from './queries.ts'

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
