import { limits } from '@gridmast/contract/limits.ts'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { type ProviderNotice, readNotice, contentHash, isSigned } from '#connectors/vipps/parse.ts'
import type { App } from '#context.ts'
import type { Tx } from '#platform/records/records.ts'
import { hasRow, insertRow } from '#platform/records/rows.ts'
import { readAccount, webhookPath } from './account.ts'
import { paymentJobName } from './follow.ts'

/** A notice of the provider is stored and triggers a query, whose answer alone counts: notices arrive twice, late, and in any order. */

/** False where the payment is unknown or the notice is a repetition. */
const storeNotice = async (tx: Tx, customerId: string, notice: ProviderNotice, nowMs: number): Promise<boolean> => {
  const id = z.uuid().safeParse(notice.reference)
  const key = { payment_id: id.data ?? '' }
  if (!id.success || !(await hasRow(tx, customerId, 'payment', key))) return false
  const added = await insertRow(tx, customerId, 'payment_event', {
    ...key,
    event: 'told',
    at: new Date(nowMs),
    amount_ore: notice.amount.value,
    words: notice.name.slice(0, 100),
    told: `${notice.name} ${notice.pspReference}`.slice(0, 200),
  })
    .onConflict((conflict) => conflict.columns(['customer_id', 'payment_id', 'told']).doNothing())
    .executeTakeFirst()
  return added.numInsertedOrUpdatedRows === 1n
}

const thanks = `<!doctype html><html lang="da"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>MobilePay</title>
<h1>Tak</h1><p>Laderen starter, når betalingen er godkendt. Du betaler kun for det, du lader.</p>
<p lang="en">The charger starts once the payment is approved. You pay only for what you charge.</p></html>`

export const servePayments = (http: FastifyInstance, app: App): void => {
  void http.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    const raw = { parseAs: 'buffer', bodyLimit: limits.publicBodyBytes } as const
    scope.addContentTypeParser('*', raw, (_request, body, done) => done(null, body))
    scope.get('/payments/approved', (_request, reply) => reply.type('text/html; charset=utf-8').send(thanks))
    scope.post<{ Params: { customerId: string } }>(webhookPath(':customerId'), async (request, reply) => {
      const customerId = z.uuid().safeParse(request.params.customerId)
      const account = customerId.success
        ? await app.records.tenant(customerId.data, (tx) => readAccount(tx, customerId.data))
        : undefined
      const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
      const header = (name: string) => String(request.headers[name] ?? '')
      const { PUBLIC_URL } = app.config
      // A proxy may replace the host header.
      const host = PUBLIC_URL ? new URL(PUBLIC_URL).host : header('host')
      const signed = { path: request.url, date: header('x-ms-date'), body, host }
      const secret = account?.webhook_secret_sealed ? app.secret.unseal(account.webhook_secret_sealed) : null
      const signature = {
        hash: header('x-ms-content-sha256') || contentHash(body),
        authorization: header('authorization'),
      }
      // The same answer for every caller and customer: it reveals nothing.
      if (!customerId.success || secret === null || !isSigned(secret, signed, signature))
        return reply.code(401).send({})
      const notice = readNotice(body.toString())
      const isNew =
        notice &&
        (await app.records.tenant(customerId.data, (tx) => storeNotice(tx, customerId.data, notice, app.clock.now())))
      if (isNew) await app.jobs.kick(paymentJobName)
      return reply.code(200).send({})
    })
  })
}
