import { requireSecondFactor, saveDashboard, updateDetails } from '@gridmast/contract/people/customer.ts'
import { m } from '@gridmast/contract/messages.ts'
import { dashboardOf } from '#access/profile.ts'
import { Refusal } from '#platform/http/errors.ts'
import { route } from '#context.ts'
import {
  checkDashboard,
  saveHomeDashboard,
  makeSecondFactorOptional,
  lockSettings,
  makeSecondFactorRequired,
  saveAddress,
} from './queries.ts'

const details = route(updateDetails, async ({ own, audit, body }) => {
  await own(async (tx, customerId) => {
    const before = await lockSettings(tx, customerId)
    await saveAddress(tx, customerId, body)
    await audit(tx, 'customer.details', before.name, { before: before.address, after: body })
  })
  return { address: body }
})

const secondFactor = route(requireSecondFactor, async ({ viewer, own, audit, body }) => {
  await own(async (tx, customerId) => {
    const before = await lockSettings(tx, customerId)
    if (!body.required) await makeSecondFactorOptional(tx, customerId)
    else if (!(await makeSecondFactorRequired(tx, customerId, viewer.userId)))
      throw new Refusal(409, m.secondFactorFirst)
    await audit(tx, 'customer.second-factor', before.name, {
      before: { required: before.second_factor_required },
      after: { required: body.required },
    })
  })
})

const dashboard = route(saveDashboard, async ({ app, viewer, own, audit, body }) => {
  const saved = await own(async (tx, customerId) => {
    const before = await lockSettings(tx, customerId)
    if (body.dashboard) await checkDashboard(tx, customerId, body.dashboard)
    await saveHomeDashboard(tx, customerId, body.dashboard)
    await audit(tx, 'customer.dashboard', before.name, { before: before.home_dashboard, after: body.dashboard })
    return dashboardOf({ ...before, home_dashboard: body.dashboard })
  })
  app.live.publish(viewer.customerId, 'profile', {})
  return { e3DashboardConfig: saved }
})

export const customers = [details, secondFactor, dashboard]
