import { requestAccount as requestAccountCall } from '@gridmast/contract/people/auth.ts'
import { dayMs } from '@gridmast/contract/time.ts'
import { addressPrefix } from '#platform/http/address.ts'
import { countOfDay } from '#access/attempts.ts'
import { operator } from '#config.ts'
import { type App, route } from '#context.ts'
import type { Job } from '#platform/jobs/jobs.ts'
import { queueMail } from '#platform/messaging/mail.ts'
import { handoff } from './sign-in-answer.ts'
import * as mails from './mails.ts'
import { recovery } from './recovery.ts'
import { secondFactor, signIn } from './sign-in.ts'
import { sessions } from './sessions.ts'
import { walls } from './walls.ts'

const perEmail = 3
const perAddress = 10

// Above the daily limits nothing is sent, and the answer stays the same.
const requestAccount = route(requestAccountCall, async ({ app, nowMs, body, request }) => {
  const buckets = [
    { kind: 'account-address', text: addressPrefix(request.ip), most: perAddress },
    { kind: 'account-email', text: body.email.toLowerCase(), most: perEmail },
  ]
  await app.records.system(async (tx) => {
    for (const { kind, text, most } of buckets)
      if ((await countOfDay(tx, { kind, key: app.secret.hmac(kind, text), most }, nowMs)) > 0) return
    await queueMail(tx, operator(app.config, null), mails.accountRequested(body))
  })
})

export const auth = [...signIn, secondFactor, handoff, ...recovery, requestAccount, ...sessions, ...walls]

export const authJobs: Job<App>[] = [
  {
    name: 'forget-attempts',
    cron: '41 3 * * *',
    run: async (app) => {
      const before = new Date(app.clock.now() - 2 * dayMs)
      await app.records.system(async (tx) => {
        await tx.deleteFrom('attempt').where('last_at', '<', before).execute()
        await tx.deleteFrom('one_time_code').where('expires_at', '<', before).execute()
      })
    },
  },
]
