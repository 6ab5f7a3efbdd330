import * as contract from '@gridmast/contract/charging/ev-charging.ts'
import { m } from '@gridmast/contract/messages.ts'
import { multiplyDecimals, roundDecimal } from '@gridmast/contract/numbers.ts'
import { openStates } from '#charging/chargers/connectors.ts'
import { route } from '#context.ts'
import { notFound, Refusal } from '#platform/http/errors.ts'
import type { Tx } from '#platform/records/records.ts'
import { selectRows } from '#platform/records/rows.ts'
import { getTransaction } from './sessions.ts'
import { abandon, updateSession } from './transactions.ts'

const lockSession = (tx: Tx, customerId: string, transactionId: string) =>
  selectRows(tx, customerId, 'charger_transaction', { transaction_id: transactionId })
    .selectAll()
    .forUpdate()
    .executeTakeFirstOrThrow(notFound)

const kwhOf = (wh: string | null) => (wh === null ? null : roundDecimal(multiplyDecimals(wh, '0.001'), 3))

const review = route(contract.reviewSessionEnergy, async ({ app, own, audit, viewer, params, body, nowMs }) => {
  const transaction = await own(async (tx, customerId) => {
    const row = await lockSession(tx, customerId, params.id)
    if (row.doubted_wh === null) throw new Refusal(409, m.energyNotDoubted)
    await updateSession(tx, row, {
      consumption_wh: multiplyDecimals(body.kwh, '1000'),
      energy_reviewed_at: new Date(nowMs),
      energy_reviewed_by: viewer.email,
      energy_reason: body.reason,
    })
    const after = await getTransaction(tx, customerId, params.id)
    await audit(tx, 'charger-session.energy', after.chargerName, {
      before: { session: params.id, reportedKwh: kwhOf(row.doubted_wh), kwh: kwhOf(row.consumption_wh) },
      after: { kwh: roundDecimal(body.kwh, 3), reason: body.reason },
    })
    return after
  })
  await app.jobs.kick('charging-costs')
  return { transaction }
})

const end = route(contract.endSession, async ({ app, own, audit, viewer, params, body, nowMs }) => {
  const transaction = await own(async (tx, customerId) => {
    const row = await lockSession(tx, customerId, params.id)
    if (row.refused || !openStates.some((state) => state === row.state)) throw new Refusal(409, m.sessionNotOpen)
    await abandon(tx, row, nowMs)
    await updateSession(tx, row, { reason: body.reason })
    const after = await getTransaction(tx, customerId, params.id)
    await audit(tx, 'charger-session.end', after.chargerName, {
      before: { session: params.id, connectorId: row.evse_no },
      after: { endTime: after.endTime, kwh: after.consumption, reason: body.reason },
    })
    return after
  })
  app.live.publish(viewer.customerId, 'charger', { chargerId: transaction.chargerId })
  await app.jobs.kick('charging-costs')
  return { transaction }
})

export const sessionReview = [review, end]
