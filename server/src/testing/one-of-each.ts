import { idOf, newId } from '#platform/records/ids.ts'
import { sql } from 'kysely'
import type { Tx } from '#platform/records/records.ts'
import type { TestApp } from './app.ts'

const published = { name: 'Matrix', dataset: 'Matrix', licence: null, simulated: true }
const emitted = JSON.stringify({
  wh: 0,
  whWithoutFactor: 0,
  grams: 0,
  allS: 86_400,
  measuredS: 0,
  estimatedS: 0,
  incompleteS: 0,
  withoutFactorS: 0,
})

/** Both customers receive one of everything that users create; the sudoer of North signs in again. */
export const makeOneOfEach = async (app: Pick<TestApp, 'records' | 'secret' | 'tokenOf'>): Promise<void> => {
  await app.tokenOf('sudoer@west.example')
  await app.tokenOf('sudoer@north.example')
  await app.records.system(async (tx) => {
    const people = await tx
      .selectFrom('app_user')
      .select(['customer_id', 'user_id'])
      .where('role', '=', 'sudoer')
      .execute()
    for (const { customer_id, user_id } of people) {
      const now = new Date()
      const [key_id, webhook_id] = [newId(), newId()]
      const [group_id, meter_id] = [newId(), newId()]
      const { price_signal_id } = await tx
        .selectFrom('price_signal')
        .select('price_signal_id')
        .where('customer_id', '=', customer_id)
        .executeTakeFirstOrThrow()
      await tx.deleteFrom('meter_group').where('customer_id', '=', customer_id).execute()
      await tx.insertInto('meter_group').values({ customer_id, group_id, cvr: '99000007', created_at: now }).execute()
      await tx
        .insertInto('meter')
        .values({
          customer_id,
          meter_id,
          group_id,
          metering_point_id: '571313000000000013',
          name: 'Matrix',
          price_signal_id,
          tax_dkk_per_mwh: '119',
          added_at: now,
        })
        .execute()
      for (const table of ['settlement', 'settlement_revision'] as const) {
        await sql`
          insert into ${sql.table(table)} (customer_id, instance_id, day, product, market, version, made_at, is_closed, is_result_fetched,
            won_mw, inputs, inputs_sha256 ${table === 'settlement' ? sql`` : sql`, replaced_at`})
          select customer_id, instance_id, '2026-11-20', 'FCR-D-INC', 'FCR-D-INC', 1, now(), true, false, 0,
            '{"bids": [], "energy": [], "availability": null, "contract": null}', '' ${table === 'settlement' ? sql`` : sql`, now()`}
          from instance where customer_id = ${customer_id} on conflict do nothing`.execute(tx)
      }
      await sql`insert into settlement_due (customer_id, instance_id, day)
        select customer_id, instance_id, '2026-11-20' from instance where customer_id = ${customer_id} on conflict do nothing`.execute(
        tx,
      )
      const report = { customer_id, report_id: newId() }
      await tx
        .insertInto('scope_2_report')
        .values({
          ...report,
          made_at: now,
          made_by: 'Matrix',
          start_date: '2026-11-01',
          end_date: '2026-11-01',
          company: 'Matrix',
          choice_sha256: Buffer.from(report.report_id),
          inputs_sha256: Buffer.from(report.report_id),
          sources: JSON.stringify({ readings: published, emission: published }),
          total: emitted,
          months: '[]',
        })
        .execute()
      await tx
        .insertInto('scope_2_meter')
        .values({
          ...report,
          position: 0,
          meter_id,
          metering_point_id: '571313000000000013',
          name: 'Matrix',
          cvr: '99000007',
          site: '',
          versions: [1],
          total: emitted,
        })
        .execute()
      await tx
        .insertInto('scope_2_factor')
        .values({ ...report, area: 'DK2', grams: [100] })
        .execute()
      await tx
        .insertInto('api_key')
        .values({
          customer_id,
          key_id,
          user_id,
          name: 'Matrix',
          token_sha256: Buffer.from(key_id),
          ending: 'abcd',
          scopes: ['power.read'],
          created_at: now,
        })
        .execute()
      const session_id = newId()
      await tx
        .insertInto('user_session')
        .values({
          customer_id,
          session_id,
          user_id,
          token_sha256: Buffer.from(session_id),
          remembered: true,
          created_at: now,
          last_used_at: now,
          idle_until: now,
          absolute_until: now,
        })
        .execute()
      const device = { customer_id, device_id: newId() }
      await tx
        .insertInto('push_device')
        .values({
          ...device,
          user_id,
          session_id,
          endpoint: `https://push.example/${session_id}`,
          p256dh: 'B',
          auth: 'A',
          created_at: now,
        })
        .execute()
      await tx
        .insertInto('push_topic')
        .values({ ...device, topic: 'test', sent_at: now })
        .execute()
      await tx
        .insertInto('push_key')
        .values({ public_key: 'B', private_sealed: app.secret.seal('key'), created_at: now })
        .onConflict((on) => on.doNothing())
        .execute()
      const view_id = newId()
      await tx
        .insertInto('saved_view')
        .values({ customer_id, view_id, list: 'events', name: view_id, search: '' })
        .execute()
      const report_id = newId()
      const sent = { name: 'Matrix', address: '/client/data/event', every: 'daily', at_time: '07:00', format: 'xlsx' }
      await tx
        .insertInto('report')
        .values({ customer_id, report_id, owner_id: user_id, ...sent, skip_empty: false, next_at: now })
        .execute()
      await tx
        .insertInto('report_reader')
        .values({ customer_id, reader_id: newId(), report_id, email: `${report_id}@north.example` })
        .execute()
      await tx
        .insertInto('webhook')
        .values({
          customer_id,
          webhook_id,
          name: 'Matrix',
          url: 'https://hooks.example/x',
          secret_sealed: app.secret.seal('whsec_bWF0cml4'),
          events: ['alert'],
          enabled: false,
          created_at: now,
        })
        .execute()
      await tx
        .insertInto('outbox')
        .values({
          customer_id,
          outbox_id: newId(),
          kind: 'webhook',
          webhook_id,
          payload: JSON.stringify({ type: 'alert', test: false }),
          created_at: now,
          next_attempt_at: null,
          attempts: 1,
          last_status: 500,
        })
        .execute()
      const { instance_id, licence_id } = await tx
        .selectFrom('instance')
        .select(['instance_id', 'licence_id'])
        .where('customer_id', '=', customer_id)
        .where('key', '=', 'cold')
        .executeTakeFirstOrThrow()
      const [alert_id, trigger_id] = [newId(), newId()]
      const rule = { name: 'Matrix', type: 'power', criteria: 'gt', threshold: 40, notification: true }
      await tx
        .insertInto('alert')
        .values({
          customer_id,
          alert_id,
          instance_id,
          ...rule,
          email: 'alert@north.example',
          interval_minutes: 5,
          valid_from: now,
          created_at: now,
        })
        .execute()
      await tx
        .insertInto('alert_trigger')
        .values({
          customer_id,
          trigger_id,
          alert_id,
          instance_id,
          ...rule,
          value: 41,
          triggered_at: now,
          crossed_at: now,
          late: false,
        })
        .execute()
      await tx
        .insertInto('sold_risk')
        .values({
          customer_id,
          instance_id,
          trigger_id,
          market: 'FCR-D-INC',
          product: 'FCR-D-INC',
          state: 'short',
          starts_at: '2099-11-20T10:00:00Z',
          ends_at: '2099-11-20T11:00:00Z',
          sold_kw: 300,
          expected_kw: 260,
          short_kw: 40,
          told_kw: 40,
          raised_at: now,
          checked_at: now,
        })
        .onConflict((conflict) => conflict.doNothing())
        .execute()
      await tx
        .insertInto('bid_request')
        .values({
          customer_id,
          request_id: newId(),
          instance_id,
          licence_id,
          market: 'FCR-D-INC',
          note: 'Matrix',
          start_date: '2099-11-20',
          end_date: '2099-11-20',
          custom_bidding: false,
          status: 'pending',
          capacity_mw: [],
          price_eur: [],
          excluded_days: '[]',
          created_at: now,
          updated_at: '2026-11-20T10:00:00.000Z',
        })
        .execute()
      await tx
        .insertInto('bid_file')
        .values({
          customer_id,
          file_id: newId(),
          market: 'FCR-D-INC',
          auction: '',
          day: '2026-11-20',
          name: 'Matrix.csv',
          content: 'Matrix',
          sent_at: now,
        })
        .onConflict((conflict) => conflict.doNothing())
        .execute()
      const result = { customer_id, file_id: newId(), name: 'Matrix.csv', taken_by: 'Matrix', taken_at: now }
      await tx
        .insertInto('bid_result_file')
        .values({
          ...result,
          sha256: Buffer.from(result.file_id),
          columns: '{}',
          bids: 0,
          changed: 0,
          contradictions: 0,
        })
        .execute()
      const statement = { customer_id, statement_id: newId(), name: 'Matrix.csv', taken_by: 'Matrix', taken_at: now }
      await tx
        .insertInto('operator_statement')
        .values({
          ...statement,
          sha256: Buffer.from(statement.statement_id),
          columns: '{}',
          products: ['FCR-D-INC'],
          first_day: '2026-11-20',
          last_day: '2026-11-20',
          compares: 'gross',
          left_out: 0,
        })
        .execute()
      await tx
        .insertInto('operator_statement_line')
        .values({
          customer_id,
          statement_id: statement.statement_id,
          line_id: newId(),
          instance_id,
          day: '2026-11-20',
          product: 'FCR-D-INC',
          row_no: 2,
          period: '{"starts": [], "slot": null}',
          kind: 'differs',
          ours_eur: '1',
          theirs_eur: '2',
          difference_eur: '1',
          volume_eur: '1',
        })
        .execute()
      await tx
        .insertInto('reconciliation_due')
        .values({ customer_id, statement_id: statement.statement_id, instance_id, day: '2026-11-20', product: 'x' })
        .execute()
      const reader = { customer_id, reader_id: newId(), email: `${newId()}@north.example`, kind: 'settlement' }
      await tx
        .insertInto('statement_reader')
        .values({ ...reader, created_at: now, created_by: 'Matrix' })
        .execute()
      await tx
        .insertInto('statement_sent')
        .values({ customer_id, month: '2026-10', kind: 'settlement', subject_id: newId(), email: 'x', sent_at: now })
        .execute()
      const subscription = { customer_id, subscription_id: newId(), instance_id, email: `${newId()}@north.example` }
      await tx
        .insertInto('email_subscription')
        .values({ ...subscription, event_type: 'fcr_based', activation: true, bid_result: true, created_at: now })
        .execute()
      const digest = { customer_id, digest_id: newId(), instance_id, email: subscription.email }
      await tx.insertInto('activation_digest').values(digest).execute()
      const mailed = { customer_id, digest_id: digest.digest_id, mail_id: newId(), market: 'FCR-D-INC', start_at: now }
      await tx
        .insertInto('mailed_activation')
        .values({ ...mailed, direction: 'increased', delta_load: 20 })
        .execute()
      await tx
        .insertInto('event')
        .values({
          customer_id,
          event_id: newId(),
          instance_id,
          market: 'FCR-D-INC',
          event_type: 'fcr_based',
          source: 'telemetry',
          direction: 'increased',
          started_at: now,
          ended_at: now,
          is_final: true,
          capacity_kw: 420,
          capacity_source: 'registered',
          late: false,
        })
        .execute()
      await tx
        .insertInto('support_note')
        .values({
          customer_id,
          note_id: newId(),
          title: 'Matrix',
          description: 'Matrix',
          released: '2026-11-20',
          enable: true,
        })
        .execute()
      await tx
        .insertInto('note')
        .values({
          customer_id,
          note_id: newId(),
          from_at: now,
          to_at: now,
          text: 'Matrix',
          author_id: user_id,
          created_at: now,
          changed_at: now,
        })
        .execute()
      await addCharging(tx, customer_id, user_id)
      await addPlans(tx, customer_id)
      await tx
        .insertInto('alert_mute')
        .values({ customer_id, mute_id: newId(), user_id, start_time: '22:00', end_time: '06:00' })
        .execute()
    }
  })
}

const addCharging = async (tx: Tx, customer_id: string, user_id: string) => {
  const [licence_id, charger_id] = [idOf('licence', customer_id, 'evCharging'), idOf('charger', customer_id)]
  const now = new Date()
  const own = { customer_id, charger_id }
  const once = <T extends { doNothing: () => unknown }>(conflict: T) => conflict.doNothing() as never // its type names each table
  await tx
    .insertInto('licence')
    .values(
      [
        ['evCharging', licence_id],
        ['CFM', idOf('licence', customer_id, 'CFM')],
        ['loadShifting', idOf('licence', customer_id, 'loadShifting')],
      ].map(([type = '', id = '']) => ({
        customer_id,
        licence_id: id,
        type,
        name: type,
        icon: 'bolt',
        enabled: true,
        settings: JSON.stringify({ mobilepay: type === 'CFM' }),
      })),
    )
    .onConflict(once)
    .execute()
  await tx
    .insertInto('charger')
    .values({
      ...own,
      licence_id,
      identity: charger_id,
      name: 'Matrix',
      charger_type: 'AC',
      connectors: 2,
      max_kw: 22,
      security_profile: 1,
      password_hash: 'none',
      position: 0,
    })
    .onConflict(once)
    .execute()
  const outlet = { ...own, evse_no: 1 }
  await tx
    .insertInto('charger_connector')
    .values({ ...outlet, connector_no: 1, state: 'available', state_at: now })
    .onConflict(once)
    .execute()
  await tx
    .insertInto('charger_signal')
    .values({ ...outlet, kind: 'power' })
    .onConflict(once)
    .execute()
  await tx
    .insertInto('charger_register')
    .values({ ...outlet, at: now, context: 'Sample.Clock', wh: '1' })
    .execute()
  const said = { ...own, message_id: 'm', generation: 1, received_at: now, effective_at: now, answer: '{}' }
  await tx
    .insertInto('charger_message')
    .values({ ...said, natural_key: newId() })
    .execute()
  await tx
    .insertInto('charger_frames')
    .values({ ...own, slot: 0, no: 1, frames: '[]' })
    .onConflict(once)
    .execute()
  await tx
    .insertInto('charger_deviation')
    .values({ ...own, deviation: 'x', count: 1, last_at: now })
    .onConflict(once)
    .execute()
  await tx
    .insertInto('charger_unknown')
    .values({ customer_id, identity: 'x', first_seen_at: now, last_seen_at: now, tries: 1 })
    .onConflict(once)
    .execute()
  await tx
    .insertInto('charger_variable')
    .values({ ...own, component: '', variable: 'x', value: 'y', read_only: false, read_at: now })
    .onConflict(once)
    .execute()
  const site_id = newId()
  await tx
    .insertInto('charging_site')
    .values({ customer_id, site_id, name: site_id, limit_a: 63, fallback_a: 0, created_at: now })
    .execute()
  await tx
    .updateTable('charger')
    .set({ site_id })
    .where('customer_id', '=', customer_id)
    .where('charger_id', '=', own.charger_id)
    .execute()
  await tx.insertInto('charging_choice').values({ customer_id }).onConflict(once).execute()
  await tx.insertInto('charging_site_signal').values({ customer_id, site_id, kind: 'limit' }).execute()
  await tx
    .insertInto('charger_limit')
    .values({ ...outlet, changed_at: now })
    .onConflict(once)
    .execute()
  await tx
    .insertInto('charger_local_list')
    .values({ ...own, version: 1, entries: '{}', sent_at: now })
    .onConflict(once)
    .execute()
  const [group_id, tag_id, command_id, transaction_id] = [newId(), newId(), newId(), newId()]
  await tx
    .insertInto('charger_tag_group')
    .values({ customer_id, group_id, name: group_id, active: true, created_at: now })
    .execute()
  await tx
    .insertInto('charger_tag')
    .values({ customer_id, tag_id, tag: tag_id.toUpperCase(), name: 'Matrix', active: true, group_id, created_at: now })
    .execute()
  await tx
    .insertInto('charger_command')
    .values({
      ...outlet,
      command_id,
      action: 'start',
      user_id,
      state: 'accepted',
      is_open: false,
      issued_at: now,
      expires_at: now,
    })
    .execute()
  await tx
    .insertInto('charger_transaction')
    .values({ ...outlet, transaction_id, tag_id, command_id, mode: 'tag', state: 'ended', started_at: now })
    .execute()
  await tx
    .insertInto('charging_price')
    .values({ ...own, valid_from: '2026-01-01', area: 'DK2', tax_dkk_per_mwh: '1' })
    .onConflict(once)
    .execute()
  await tx
    .insertInto('charging_cost')
    .values({ customer_id, transaction_id, from_at: now, wh: [1], spread: false, unknown: 'price' })
    .execute()
  await tx
    .insertInto('charging_stop')
    .values({ customer_id, transaction_id, reason: 'budget', command_id, at: now })
    .execute()
  await tx
    .insertInto('charging_budget_notice')
    .values({ customer_id, scope_id: group_id, month: '2026-11', threshold: 'warning', at: now })
    .execute()
  const payment = { customer_id, payment_id: newId() }
  await tx
    .insertInto('payment')
    .values({
      ...payment,
      charger_id,
      evse_no: 2,
      user_id,
      state: 'captured',
      reserved_ore: 10_000,
      captured_ore: 9000,
      command_id,
      transaction_id,
      simulated: true,
      created_at: now,
      changed_at: now,
    })
    .execute()
  await tx
    .insertInto('payment_operation')
    .values({ ...payment, operation_id: newId(), kind: 'capture', amount_ore: 1, state: 'done', asked_at: now })
    .execute()
  await tx
    .insertInto('payment_event')
    .values({ ...payment, at: now, event: 'captured' })
    .execute()
  const sealed = Buffer.from('sealed')
  await tx
    .insertInto('payment_account')
    .values({
      customer_id,
      merchant_serial_number: '123456',
      client_id: customer_id,
      reserve_ore: 1,
      saved_at: now,
      client_secret_sealed: sealed,
      subscription_key_sealed: sealed,
    })
    .onConflict(once)
    .execute()
}

const addPlans = async (tx: Tx, customer_id: string) => {
  const { instance_id } = await tx
    .selectFrom('instance')
    .select('instance_id')
    .where('customer_id', '=', customer_id)
    .orderBy('position')
    .executeTakeFirstOrThrow()
  const [plan_id, now] = [newId(), new Date()]
  const made = { customer_id, instance_id, name: 'Matrix', asked: JSON.stringify({ instanceId: instance_id }) }
  const by = { made_by_name: 'Matrix', made_at: now }
  await tx
    .insertInto('load_plan')
    .values({ ...made, ...by, plan_id, series_id: plan_id, state: 'done', accepted_at: now, accepted_by: 'Matrix' })
    .execute()
  const backtest = {
    ...made,
    ...by,
    backtest_id: newId(),
    state: 'done',
    asked: JSON.stringify({ instanceId: instance_id, period: 'month' }),
  }
  await tx.insertInto('load_backtest').values(backtest).execute()
  const once = <T extends { doNothing: () => unknown }>(conflict: T) => conflict.doNothing() as never // its type names each table
  const schedule = { customer_id, plan_id, from_at: now }
  await tx
    .insertInto('charger_schedule')
    .values({ ...schedule, charger_id: idOf('charger', customer_id), watts: [4140] })
    .onConflict(once)
    .execute()
  await tx
    .insertInto('instance_schedule')
    .values({ ...schedule, instance_id, kw: [1] })
    .onConflict(once)
    .execute()
}
