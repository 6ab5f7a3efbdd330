import * as contract from '@gridmast/contract/charging/charging-sites.ts'
import { m } from '@gridmast/contract/messages.ts'
import { hourMs } from '@gridmast/contract/time.ts'
import { route } from '#context.ts'
import { notFound, Refusal } from '#platform/http/errors.ts'
import { rowChanged } from '#platform/messaging/bus.ts'
import type { Tx } from '#platform/records/records.ts'
import { insertRow, selectRows, updateRows } from '#platform/records/rows.ts'
import { isSteerable, readSite } from './site-outlets.ts'
import { getSite } from './sites.ts'

type One = { chargerId: string; connectorId: number }

const getOutlet = async (tx: Tx, customerId: string, siteId: string, one: One, nowMs: number) => {
  const site = await getSite(tx, customerId, siteId)
  const rows = await readSite(tx, customerId, siteId, nowMs)
  const row = rows.find(({ charger_id, evse_no }) => charger_id === one.chargerId && evse_no === one.connectorId)
  if (!row) throw notFound()
  return { row, subject: `${site.name}: ${row.name} · ${row.evse_no}` }
}

const set = route(contract.setSiteLimit, async ({ own, audit, viewer, nowMs, params, body }) => {
  await own(async (tx, customerId) => {
    const { row, subject } = await getOutlet(tx, customerId, params.id, body, nowMs)
    if (!isSteerable(row)) throw new Refusal(409, m.notSteerable)
    const { name } = await selectRows(tx, customerId, 'app_user', { user_id: viewer.userId })
      .select('name')
      .executeTakeFirstOrThrow()
    const byHand = {
      hand_a: body.limitA,
      hand_until: new Date(nowMs + body.hours * hourMs),
      hand_reason: body.reason,
      hand_by: name,
    }
    await insertRow(tx, customerId, 'charger_limit', {
      charger_id: body.chargerId,
      evse_no: body.connectorId,
      changed_at: new Date(nowMs),
      ...byHand,
    })
      .onConflict((conflict) => conflict.columns(['customer_id', 'charger_id', 'evse_no']).doUpdateSet(byHand))
      .execute()
    rowChanged(tx, 'charging-site', params.id)
    const { limitA, hours, reason } = body
    await audit(tx, 'charging-site.limit', subject, { after: { limitA, hours, reason } })
  })
})

const end = route(contract.endSiteLimit, async ({ own, audit, nowMs, params, body }) => {
  await own(async (tx, customerId) => {
    const { row, subject } = await getOutlet(tx, customerId, params.id, body, nowMs)
    await updateRows(tx, customerId, 'charger_limit', { charger_id: body.chargerId, evse_no: body.connectorId })
      .set({ hand_a: null, hand_until: null, hand_reason: null, hand_by: null })
      .execute()
    rowChanged(tx, 'charging-site', params.id)
    await audit(tx, 'charging-site.limit', subject, { before: { limitA: row.hand_a, reason: row.hand_reason } })
  })
})

export const siteByHand = [set, end]
