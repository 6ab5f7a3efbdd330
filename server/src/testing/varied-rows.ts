import { sql } from 'kysely'
import type { Records } from '#platform/records/records.ts'
import type { TestApp } from './app.ts'
import { makeOneOfEach } from './one-of-each.ts'

/** `k` is 3, 6, 2, 5, 1 in the order of the ids. */
const varyTable = (records: Records, table: string, key: string, set: string) =>
  records.system((tx) =>
    sql`update ${sql.table(table)} t set ${sql.raw(set)}
      from (select customer_id, ${sql.ref(key)} as id, row_number() over (partition by customer_id order by ${sql.ref(key)}) * 3 % 7 as k
        from ${sql.table(table)}) o
      where o.customer_id = t.customer_id and o.id = t.${sql.ref(key)}`.execute(tx),
  )

/** Five of everything that users create, for both customers, with values that differ in each column of a list. */
export const makeVariedRows = async (app: Pick<TestApp, 'records' | 'secret' | 'tokenOf'>): Promise<void> => {
  for (let i = 0; i < 5; i++) await makeOneOfEach(app)
  const vary = (table: string, key: string, set: string) => varyTable(app.records, table, key, set)
  await vary('charger_tag_group', 'group_id', `name = 'Group ' || k`)
  await vary(
    'charger_tag',
    'tag_id',
    `name = case when k > 3 then 'tag ' else 'Tag ' end || 7 - k, tag = 'T' || k, active = k > 3,
     group_id = case when k <> 6 then group_id end, budget_dkk = case when k <> 5 then k * 3 end, created_at = timestamptz '2026-11-01' + k * interval '1 day'`,
  )
  await vary(
    'charger_transaction',
    'transaction_id',
    `evse_no = nullif(k, 6), tag = 'T' || k, mode = case when k > 3 then 'remote' else 'adhoc' end, refused = k = 2,
     state = case when k = 5 then 'abandoned' else 'ended' end, consumption_wh = nullif(k, 5) * 1000,
     tag_id = case when k <> 6 then tag_id end, started_at = timestamptz '2026-11-11' - k * interval '1 day',
     ended_at = case when k <> 3 then timestamptz '2026-11-12' + k * interval '1 hour' end`,
  )
  await vary(
    'charging_cost',
    'transaction_id',
    `unknown = case when k = 5 then unknown end, spot_dkk = case when k <> 5 then k * 10 end, tariff_dkk = 1, tax_dkk = 1, driver_dkk = k`,
  )
  await vary(
    'payment',
    'payment_id',
    `evse_no = k, reserved_ore = 20000 - k, captured_ore = 100 * k, refunded_ore = 10 * (k % 4),
     state = case when k > 3 then 'captured' else 'capture-failed' end, created_at = timestamptz '2026-11-01' + k * interval '1 day'`,
  )
  await vary(
    'settlement',
    'instance_id',
    `day = date '2026-11-01' + k::int, won_mw = k / 10.0, is_result_fetched = true, customer_eur = nullif(k, 5), partner_eur = 9 - k,
     sc_eur = k, gross_eur = 9, energy_eur = k, energy_state = 'known', enablers = jsonb_build_object('A', k::text),
     inputs = jsonb_set(inputs, '{bids}', case when k = 3 then '[]' else jsonb_build_array(jsonb_build_object('slot', 0, 'auction', '', 'fromMs', 0,
       'toMs', 0, 'capacityMw', '1', 'priceEur', '1', 'regulationPriceEur', null, 'marginalPriceEur', null, 'decidedBy', null, 'wonMw', null,
       'won', case k when 6 then null else k <> 2 end)) end)`,
  )
  await app.records.system((tx) =>
    sql`insert into settlement (customer_id, instance_id, day, product, market, version, made_at, is_closed, is_result_fetched, won_mw,
        customer_eur, sc_eur, gross_eur, enablers, inputs, inputs_sha256)
      select customer_id, instance_id, day + 10, product, market, version, made_at, is_closed, true, 1 - won_mw,
        5, 2, 9, '{"A": "4", "B": "-0.5"}'::jsonb, inputs, inputs_sha256
      from settlement s`.execute(tx),
  )
  await vary(
    'event',
    'event_id',
    `market = case when k > 3 then 'FCR-D-INC' else 'FCR-D-DEC' end, direction = case when k > 3 then 'increased' else 'decreased' end,
     started_at = timestamptz '2026-11-01' + k * interval '1 day', ended_at = timestamptz '2026-11-01' + k * interval '1 day 1 minute',
     delta_load = nullif(k, 6) * 10, processed_delta_load = k, extreme_hz = 50 - k / 10.0, consumption_kwh = k, score = nullif(k, 2),
     capacity_kw = 100 * k`,
  )
  await vary(
    'bid_request',
    'request_id',
    `start_date = date '2099-11-01' + k::int, end_date = date '2099-12-09' - k::int, status = case when k > 3 then 'pending' else 'placed' end,
     excluded_days = (select coalesce(jsonb_agg(jsonb_build_object('date', '2099-11-20', 'reason', 'x')), '[]') from generate_series(2, k)),
     created_at = timestamptz '2026-11-01' + k * interval '1 day', updated_at = timestamptz '2026-11-20' - k * interval '1 day'`,
  )
  await vary(
    'alert',
    'alert_id',
    `name = 'Alert ' || 7 - k, criteria = case when k > 3 then 'gt' else 'lt' end, threshold = k, interval_minutes = nullif(k, 5) * 2,
     start_time = '0' || k || ':00', email = k || '@north.example', notification = k > 3`,
  )
  await vary(
    'alert_trigger',
    'trigger_id',
    `name = 'Alert ' || 7 - k, criteria = case when k > 3 then 'gt' else 'lt' end, value = nullif(k, 5), late = k = 2,
     triggered_at = timestamptz '2026-11-20 10:00Z' + k * interval '1 minute',
     acknowledged_at = case when k = 3 then timestamptz '2026-11-20 11:00Z' end, closed_at = case when k = 6 then timestamptz '2026-11-20 11:00Z' end`,
  )
  await vary(
    'email_subscription',
    'subscription_id',
    `email = k || '@plant.example', activation = k > 3, bid_result = k < 3`,
  )
  await vary(
    'scope_2_report',
    'report_id',
    `start_date = date '2026-11-01' - k::int, made_by = 'Anne ' || k, made_at = timestamptz '2026-11-01' + k * interval '1 day',
     total = total || jsonb_build_object('grams', 1000 * (7 - k), 'wh', 1000 * k, 'measuredS', case when k <> 5 then 900 else 0 end)`,
  )
  await vary(
    'operator_statement',
    'statement_id',
    `name = 'Statement ' || 7 - k, first_day = date '2026-11-01' - k::int, taken_by = 'Anne ' || k,
     taken_at = timestamptz '2026-11-01' + k * interval '1 day'`,
  )
  await vary(
    'operator_statement_line',
    'line_id',
    `difference_eur = k - 4, kind = case k when 6 then 'agrees' when 1 then 'not-in-statement' else 'differs' end,
     volume_eur = k, price_eur = 4, settled_at = case when k = 2 then timestamptz '2026-11-20' end`,
  )
  const plan = `name = 'Load ' || 7 - k, made_by_name = 'Anne ' || k, made_at = timestamptz '2026-11-01' + k * interval '1 day'`
  const amounts = (names: string[]) =>
    names.map((name, i) => `'${name}', case when k <> 5 then ((k * ${3 + i} % 7)::numeric / 2)::text end`).join(', ')
  await vary(
    'load_plan',
    'plan_id',
    `${plan}, from_at = timestamptz '2026-11-09' - k * interval '1 day', to_at = timestamptz '2026-11-10', asked = asked || '{"baseline": "immediate"}',
     plan = jsonb_build_object(${amounts(['savedDkk'])}),
     ended_at = case when k > 3 then timestamptz '2026-11-12' end, end_reason = case when k > 3 then 'over' end,
     saving = case when k <> 6 then jsonb_build_object(${amounts(['savedDkk', 'savedKgCo2'])}, 'measuredKwh', k, 'baselineKwh', 9,
       'coverage', k / 10.0, 'isScaled', false) end`,
  )
  await vary(
    'load_backtest',
    'backtest_id',
    `${plan}, state = case k when 2 then 'queued' when 3 then 'failed' else 'done' end, reason = case when k = 3 then 'error' end,
     asked = asked || jsonb_build_object('period', case when k > 3 then 'month' else 'year' end),
     result = case when k <> 6 then jsonb_build_object(${amounts(['savedDkk', 'overCheapestHoursDkk', 'regretDkk'])}) end`,
  )
  await vary(
    'outbox',
    'outbox_id',
    `created_at = timestamptz '2026-11-01' + k * interval '1 day', last_status = case when k <> 5 then 200 + k end,
     payload = jsonb_build_object('type', case when k > 3 then 'alert' else 'event' end, 'test', false),
     done_at = case when k > 4 then timestamptz '2026-11-20' end, next_attempt_at = case when k = 3 then timestamptz '2026-11-21' end,
     webhook_id = (select min(w.webhook_id::text)::uuid from webhook w where w.customer_id = t.customer_id)`,
  )
  await vary(
    'bid_result_file',
    'file_id',
    `name = k || '.csv', taken_by = 'Anne ' || 7 - k, taken_at = timestamptz '2026-11-01' + k * interval '1 day', bids = k, changed = k % 3,
     contradictions = k % 2`,
  )
}
