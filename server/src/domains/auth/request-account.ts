import { requestAccount as requestAccountCall } from '@gridmast/contract/auth.ts'
import { addressPrefix } from '#platform/address.ts'
import { takeOfDay } from '#access/attempts.ts'
import { queueMail } from '#platform/mail.ts'
import { route } from '#context.ts'
import { mails } from './mails.ts'

const perEmail = 3
const perAddress = 10

export const requestAccount = [
  // Above the daily numbers nothing is sent, and the answer stays the same.
  route(requestAccountCall, async ({ app, nowMs, body, request }) => {
    const buckets = [
      { kind: 'account-address', text: addressPrefix(request.ip), most: perAddress },
      { kind: 'account-email', text: body.email.toLowerCase(), most: perEmail },
    ]
    await app.records.system(async (tx) => {
      for (const { kind, text, most } of buckets)
        if ((await takeOfDay(tx, { kind, key: app.secret.hmac(kind, text), most }, nowMs)) > 0) return
      await queueMail(tx, null, mails.accountRequested(app.config.OPERATOR_EMAIL, body))
    })
    return undefined
  }),
]
