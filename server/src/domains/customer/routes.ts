import { requireSecondFactor, updateDetails } from '@gridmast/contract/customer.ts'
import { m } from '@gridmast/contract/messages.ts'
import { forgetViewers } from '#access/viewer.ts'
import { writeAudit } from '#platform/audit.ts'
import { Refusal } from '#platform/errors.ts'
import { route } from '#route.ts'
import { leaveSecondFactorFree, lockCustomer, requireSecondFactorOfAll, saveAddress } from './queries.ts'

const details = route(updateDetails, async ({ app, viewer, body, requestId }) => {
  const { customerId } = viewer
  await app.records.tenant(customerId, async (tx) => {
    const before = await lockCustomer(tx, customerId)
    await saveAddress(tx, customerId, body)
    await writeAudit(tx, customerId, app.clock.now(), {
      userId: viewer.userId,
      who: viewer.email,
      action: 'customer.details',
      subject: before.name,
      before: before.address,
      after: body,
      result: 'ok',
      requestId,
    })
  })
  return { address: body }
})

const secondFactor = route(requireSecondFactor, async ({ app, viewer, body, requestId }) => {
  const { customerId } = viewer
  await app.records.tenant(customerId, async (tx) => {
    const before = await lockCustomer(tx, customerId)
    if (!body.required) await leaveSecondFactorFree(tx, customerId)
    else if (!(await requireSecondFactorOfAll(tx, customerId, viewer.userId)))
      throw new Refusal(409, m.secondFactorFirst)
    await writeAudit(tx, customerId, app.clock.now(), {
      userId: viewer.userId,
      who: viewer.email,
      action: 'customer.second-factor',
      subject: before.name,
      before: { required: before.second_factor_required },
      after: { required: body.required },
      result: 'ok',
      requestId,
    })
  })
  forgetViewers()
  return undefined
})

export const customers = [details, secondFactor]
