import { limits } from '@gridmast/contract/limits.ts'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { contentHash, isSigned } from '#connectors/vipps/signature.ts'
import { readTold, type Told } from '#connectors/vipps/parse.ts'
import type { App } from '#context.ts'
import type { Tx } from '#platform/records/records.ts'
import { findRow, insertRow } from '#platform/records/rows.ts'
import { readAccount, toldPath } from './account.ts'
import { paymentJobName } from './follow.ts'

/** A webhook is stored and triggers a query, whose answer alone counts: webhooks may arrive twice, late, or in any order. */

const keep = async (tx: Tx, customerId: string, told: Told, nowMs: number): Promise<boolean> => {
  const id = z.uuid().safeParse(told.reference)
  if (!id.success) return false
  const known = await findRow(tx, customerId, 'payment', { payment_id: id.data }, ['payment_id'])
  if (!known) return false
  const added = await insertRow(tx, customerId, 'payment_event', {
    payment_id: known.payment_id,
    event: 'told',
    at: new Date(nowMs),
    amount_ore: told.amount.value,
    words: told.name.slice(0, 100),
    told: `${told.name} ${told.pspReference}`.slice(0, 200),
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
    scope.post<{ Params: { customerId: string } }>(toldPath(':customerId'), async (request, reply) => {
      const customerId = z.uuid().safeParse(request.params.customerId)
      const account = customerId.success
        ? await app.records.tenant(customerId.data, (tx) => readAccount(tx, customerId.data))
        : undefined
      const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
      const header = (name: string) => String(request.headers[name] ?? '')
      const { PUBLIC_URL } = app.config
      const from = {
        path: request.url,
        date: header('x-ms-date'),
        body,
        // A proxy may replace the host header.
        host: PUBLIC_URL ? new URL(PUBLIC_URL).host : header('host'),
      }
      const secret = account?.webhook_secret_sealed ? app.secret.unseal(account.webhook_secret_sealed) : null
      const given = { hash: header('x-ms-content-sha256') || contentHash(body), authorization: header('authorization') }
      // The same answer for every caller and customer: it reveals nothing.
      if (!customerId.success || secret === null || !isSigned(secret, from, given)) return reply.code(401).send({})
      const told = readTold(body.toString())
      if (told && (await app.records.tenant(customerId.data, (tx) => keep(tx, customerId.data, told, app.clock.now()))))
        await app.jobs.kick(paymentJobName)
      return reply.code(200).send({})
    })
  })
}
