import { handoff as handoffCall } from '@gridmast/contract/auth.ts'
import { m } from '@gridmast/contract/messages.ts'
import { writeAudit } from '#platform/audit.ts'
import { Refusal } from '#platform/errors.ts'
import { route } from '#context.ts'
import { getCodeOwner, useCode } from './codes.ts'
import { getPerson, isAdmin, maySignIn } from './queries.ts'
import { said } from './said.ts'

export const handoff = [
  route(handoffCall, async ({ app, nowMs, body, requestId }) => {
    const expired = new Refusal(401, m.codeExpired)
    const owner = await app.records.system((tx) => getCodeOwner(tx, app.secret, 'handoff', body.code, nowMs))
    if (!owner) throw expired
    return app.records.tenant(owner.customer_id, async (tx) => {
      const person = await getPerson(tx, owner.customer_id, owner.user_id)
      if (!person || !maySignIn(person) || !isAdmin(person)) throw expired
      if (!(await useCode(tx, app.secret, 'handoff', body.code, nowMs))) throw expired
      await writeAudit(tx, person.customer_id, nowMs, said(person, 'auth.handoff-taken', 'ok', { requestId }))
      return { email: person.email, name: person.name, userRole: person.role, customerId: person.customer_id }
    })
  }),
]
