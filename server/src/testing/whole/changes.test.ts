import { registerCharger } from '@gridmast/contract/charging/chargers.ts'
import { addChargingSite } from '@gridmast/contract/charging/charging-sites.ts'
import { addChargerTag } from '@gridmast/contract/charging/tags.ts'
import { afterAll, expect, test } from 'vitest'
import { endSessionsOf } from '#access/sessions.ts'
import { queueCommand } from '#charging/chargers/commands.ts'
import { saveClosed } from '#charging/ledger/states.ts'
import { saveSchedules } from '#charging/sites/plans.ts'
import { saveAlert } from '#delivery/alerts/queries.ts'
import { addCommand, saveAnswer } from '#delivery/equipment/commands.ts'
import { applyProvisioning } from '#operator/provisioning/apply.ts'
import { readProvisioning } from '#operator/provisioning/read.ts'
import { saveAddress } from '#people/customer/queries.ts'
import { saveInstance } from '#people/licences/queries.ts'
import { addBacktest } from '#planning/load-shifting/backtest-rows.ts'
import { addPlan } from '#planning/load-shifting/queries.ts'
import type { Topic } from '#platform/messaging/bus.ts'
import { queueItems } from '#platform/messaging/outbox.ts'
import { idOf, newId } from '#platform/records/ids.ts'
import type { Tx } from '#platform/records/records.ts'
import { openTestApp } from '#testing/app.ts'
import { addChargers } from '#testing/chargers.ts'
import { northOnly } from '#testing/factories.ts'
import { placeRequest } from '#testing/settlements.ts'
import { prepareConfigs } from '#trading/sold/edge-config.ts'

/** Each topic of the bus is notified once by the transaction of the change: the same on both stores, and not by a failed transaction. */

const day = '2026-11-18'
const nowMs = Date.parse('2026-11-20T12:00:00Z')
const customerId = idOf('customer', 'north')
const edgeId = idOf('edge', 'north', 'north-edge')
const chargerId = idOf('charger', 'north', 'C')
const other = idOf('charger', 'north', 'D')

const ids = { alert: newId(), command: newId() }
const app = await openTestApp()
app.setNow(new Date(nowMs).toISOString())
const of = await placeRequest(app.records, day)
await prepareConfigs(app)
await addChargers(app.records, [{ identity: 'C' }, { identity: 'D' }])
const token = await app.tokenOf('sudoer@north.example')
await app.records.system(async (tx) => {
  const alert = {
    customer_id: customerId,
    alert_id: ids.alert,
    instance_id: of.instance_id,
    name: 'A',
    type: 'power',
  }
  const rule = { criteria: 'gt', threshold: 1, email: 'a@north.example', notification: true, interval_minutes: 5 }
  await tx
    .insertInto('alert')
    .values({ ...alert, ...rule, valid_from: new Date(nowMs), created_at: new Date(nowMs) })
    .execute()
})
afterAll(() => app.close())

const person = async (tx: Tx) =>
  tx
    .selectFrom('user_session as s')
    .innerJoin('app_user as u', 'u.user_id', 's.user_id')
    .select(['s.customer_id', 's.user_id', 's.session_id'])
    .where('u.email', '=', 'expert@north.example')
    .where('s.ended_at', 'is', null)
    .executeTakeFirstOrThrow()
const command = () => ({
  command_id: ids.command,
  edge_id: edgeId,
  instance_id: of.instance_id,
  target: 'Cold',
  user_id: newId(),
  action: 'manual-control',
  test_type: 'control',
  set_point: 20,
  issued_at: new Date(nowMs),
  expires_at: new Date(nowMs + 15_000),
  held_until: new Date(nowMs + 60_000),
})
const chargerCommand = (tx: Tx, id: string, on: string) =>
  queueCommand(tx, customerId, { charger_id: on, evse_no: 1, action: 'start', user_id: null }, nowMs, { commandId: id })
const plan = () => ({ seriesId: newId(), version: 1, load: { instanceId: of.instance_id }, name: 'P', nowMs })
const form = { kind: 'shiftable', maxKw: 1 } as never // stored unchanged

/** In a transaction of the test, or in its own. Answers the notified id. */
type Change = ((tx: Tx) => Promise<string>) | { through: () => Promise<string> }
const changes: Record<Topic, Change> = {
  session: async (tx) => {
    const owner = await person(tx)
    await endSessionsOf(tx, owner, nowMs)
    return owner.session_id
  },
  customer: async (tx) => {
    await saveAddress(tx, customerId, {} as never) // only the write counts
    return customerId
  },
  edges: async (tx) => {
    await saveInstance(tx, customerId, of.instance_id, { name: 'Cold', description: '' })
    return customerId
  },
  'edge-config': {
    through: async () => {
      await app.records.system((tx) => tx.deleteFrom('edge_config').where('edge_id', '=', edgeId).execute())
      expect(await prepareConfigs(app)).toEqual([edgeId])
      return edgeId
    },
  },
  command: async (tx) => {
    expect(await addCommand(tx, customerId, command())).toBe(true)
    return ids.command
  },
  'command-answer': async (tx) => {
    const sent = tx.updateTable('equipment_command').set({ sent_at: new Date(nowMs) })
    await sent.where('command_id', '=', ids.command).execute()
    await saveAnswer(tx, { customerId, edgeId }, { v: 1, id: ids.command, status: 'APPLIED' } as never, new Date(nowMs)) // the members that are read
    return ids.command
  },
  alert: async (tx) => {
    await saveAlert(tx, customerId, ids.alert, { name: 'B' })
    return ids.alert
  },
  chargers: {
    through: async () => {
      const body = { identity: 'fresh', name: 'Fresh', chargerType: 'AC', connectors: 1, maxKw: 22, securityProfile: 1 }
      expect((await app.ask(registerCharger, { token, body })).status).toBe(200)
      return customerId
    },
  },
  'charger-command': async (tx) => {
    const id = newId()
    expect(await chargerCommand(tx, id, chargerId)).toBe(id)
    return id
  },
  'charger-answer': async (tx) => {
    const id = newId()
    await chargerCommand(tx, id, other)
    await saveClosed(tx, { customerId, chargerId: other } as never, 0) // the members that are read
    return id
  },
  'charger-schedule': async (tx) => {
    const planId = newId()
    await addPlan(tx, customerId, { ...plan(), planId, asked: form, madeBy: null, madeByName: 'x' })
    await saveSchedules(tx, { customerId, planId }, [{ chargerId, fromMs: nowMs, watts: [1] }])
    return chargerId
  },
  'charger-tags': {
    through: async () => {
      const body = { tagID: 'TAG', name: 'Tag', action: true }
      expect((await app.ask(addChargerTag, { token, body })).status).toBe(200)
      return customerId
    },
  },
  'charging-site': {
    through: async () => {
      const body = { name: 'Site', limitA: 40, fallbackA: 6, chargers: [] }
      return (await app.data(addChargingSite, { token, body }))._id
    },
  },
  'load-plan': async (tx) => {
    const planId = newId()
    await addPlan(tx, customerId, { ...plan(), planId, asked: form, madeBy: null, madeByName: 'x' })
    return planId
  },
  'load-backtest': async (tx) => {
    const backtestId = newId()
    await addBacktest(tx, customerId, { backtestId, name: 'x', asked: form, madeByName: 'x', nowMs })
    return backtestId
  },
  outbox: async (tx) => {
    await queueItems(tx, [{ customerId, kind: 'mail', payload: {} }])
    await queueItems(tx, [{ customerId, kind: 'mail', payload: {} }])
    return ''
  },
  resync: {
    through: async () => {
      await applyProvisioning(
        app.records,
        readProvisioning(northOnly('{ r1c1: { value: price, priceSignal: dk2 } }')),
        { dryRun: false },
      )
      return ''
    },
  },
}

const undone = new Error('undone')
const heardOf = (topic: Topic) => {
  const heard: unknown[] = []
  const stop = app.bus.listen(topic, (id) => heard.push(id))
  return { heard, stop }
}
const settled = async () => {
  const { heard, stop } = heardOf('load-plan')
  const id = newId()
  await app.records.system((tx) =>
    addPlan(tx, customerId, { ...plan(), planId: id, asked: form, madeBy: null, madeByName: 'x' }),
  )
  await expect.poll(() => heard).toContain(id)
  stop()
}

test.each(Object.entries(changes))('%s is notified once, and not before the commit', async (name, change) => {
  await app.tokenOf('expert@north.example')
  await settled()
  const { heard, stop } = heardOf(name as Topic) // the keys of the table
  const expected: string[] = []
  if (typeof change === 'object') expected.push(await change.through())
  else {
    const failing = app.records.system(async (tx) => {
      await change(tx)
      throw undone
    })
    await expect(failing).rejects.toThrow('undone')
    await app.records.system(async (tx) => {
      expected.push(await change(tx))
      expect(heard).toEqual([])
    })
  }
  await expect.poll(() => heard).toEqual(expected)
  await settled()
  expect(heard.filter((id) => expected.includes(String(id)))).toEqual(expected)
  stop()
})
