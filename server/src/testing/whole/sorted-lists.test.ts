import { alertColumns, findAlerts } from '@gridmast/contract/delivery/alerts.ts'
import { findTriggered, triggeredColumns } from '@gridmast/contract/notifications/triggered.ts'
import { auditColumns, findAudit } from '@gridmast/contract/people/audit.ts'
import { bidRequestColumns, findBidRequests } from '@gridmast/contract/trading/bid-requests.ts'
import type { CallShape, Data } from '@gridmast/contract/call.ts'
import { calls } from '@gridmast/contract/calls.ts'
import { findSettlements, settlementColumns } from '@gridmast/contract/settlement/economics.ts'
import { backtestColumns, findBacktests } from '@gridmast/contract/planning/load-backtests.ts'
import { findPlans, planColumns, planSavings, savingColumns } from '@gridmast/contract/planning/load-shifting.ts'
import { deliveryColumns, findWebhookDeliveries } from '@gridmast/contract/people/webhooks.ts'
import { findBidResultFiles, resultFileColumns } from '@gridmast/contract/trading/bid-files.ts'
import { findEmailSubscriptions, subscriptionColumns } from '@gridmast/contract/people/email-subscriptions.ts'
import { addChargerTag, findChargerTags, tagColumns } from '@gridmast/contract/charging/tags.ts'
import { findChargerTransactions, sessionColumns } from '@gridmast/contract/charging/sessions.ts'
import { eventColumns, findEvents } from '@gridmast/contract/delivery/events.ts'
import { findPayments, paymentColumns } from '@gridmast/contract/charging/payments.ts'
import {
  findStatements,
  getReconciliation,
  lineColumns,
  reconciliationColumns,
} from '@gridmast/contract/settlement/reconciliation.ts'
import { findScopeReports, scopeReportColumns } from '@gridmast/contract/meters/scope-2.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestApp } from '#testing/app.ts'
import { makeOneOfEach } from '#testing/one-of-each.ts'

type Value = string | number | null

const november = { startDate: '2026-11-01', endDate: '2026-11-30' }
const eventRow = {
  start: 'startTime',
  market: 'market',
  instance: 'instanceName',
  direction: 'direction',
  deltaLoad: 'deltaLoad',
  delivered: 'processedDeltaLoad',
  extreme: 'maxFrequency',
  duration: 'duration',
  consumption: 'consumption',
  score: 'score',
  capacity: 'capacityKw',
} as const

let token: string
let licenceId: string
let statementId: string
let webhookId: string

/** A list with its columns; reads rows as text with the value of one column. */
const list = <C extends CallShape, S extends string, Row extends object>(
  name: string,
  call: C,
  columns: readonly S[],
  rows: (data: Data<C>) => readonly Row[],
  values: Record<NoInfer<S>, (row: Row) => Value | boolean>,
  query: Record<string, string> = {},
  id = () => licenceId,
) => ({
  name,
  call: call as CallShape,
  columns: columns as readonly string[],
  read: async (page: Record<string, string>, sort: string): Promise<{ row: string; value: Value }[]> => {
    const [param] = Object.keys(call.params?.shape ?? {})
    const params: Record<string, string> = param ? { [param]: id() } : {}
    const { body } = await app.ask(call, { token, params, query: { ...query, ...page } })
    return rows(body.data).map((row) => {
      const value = values[sort as S](row)
      const comparable = typeof value === 'string' ? value.toLowerCase() : typeof value === 'boolean' ? +value : value
      return { row: JSON.stringify(row), value: comparable }
    })
  },
})

const numberOf = (text: string | null | undefined) => (text ? Number(text) : null)
const eventValues = (row: Data<typeof findEvents>['events'][number]) =>
  Object.fromEntries(Object.entries(eventRow).map(([column, key]) => [column, row[key]]))
const eventCells = Object.fromEntries(
  eventColumns.map((column) => [
    column,
    (row: Data<typeof findEvents>['events'][number]) => eventValues(row)[column] ?? null,
  ]),
) as Record<(typeof eventColumns)[number], (row: Data<typeof findEvents>['events'][number]) => Value> // a cell for each column

const placeOf = ({ state, accepted, ended }: Data<typeof findPlans>['plans'][number]) =>
  ended ? 5 : accepted ? 4 : ['queued', 'running', 'failed', 'done'].indexOf(state)

const lists = [
  list('tags', findChargerTags, tagColumns, ([page]) => page?.tags ?? [], {
    name: ({ name }) => name,
    tagID: ({ tagID }) => tagID,
    group: ({ groupData }) => groupData?.name ?? null,
    created: ({ createdAt }) => createdAt,
    active: ({ action }) => action,
  }),
  list('sessions', findChargerTransactions, sessionColumns, ({ transactions }) => transactions, {
    tag: ({ tagName }) => tagName,
    idTag: ({ idTag }) => idTag,
    charger: ({ chargerName }) => chargerName,
    connector: ({ connectorId }) => connectorId,
    mode: ({ mode }) => mode,
    consumption: ({ consumption }) => consumption,
    cost: ({ cost }) => numberOf(cost?.total),
    status: ({ status, refused }) => (refused ? 'refused' : status),
    type: ({ type }) => type,
    start: ({ startTime }) => startTime,
    end: ({ endTime }) => endTime,
  }),
  list('payments', findPayments, paymentColumns, ({ payments }) => payments, {
    created: ({ createdAt }) => createdAt,
    state: ({ state }) => state,
    charger: ({ chargerName }) => chargerName,
    connector: ({ connectorId }) => connectorId,
    kwh: ({ kwh }) => kwh,
    reserved: ({ reserved }) => Number(reserved),
    captured: ({ captured }) => numberOf(captured),
    refunded: ({ refunded }) => Number(refunded),
  }),
  list(
    'settlements',
    findSettlements,
    settlementColumns,
    ({ settlements }) => settlements,
    {
      date: ({ date }) => date,
      instance: ({ instanceIdName }) => instanceIdName,
      type: ({ type }) => type,
      capacity: ({ capacity }) => numberOf(capacity),
      customer: ({ customer }) => numberOf(customer),
      partner: ({ partner }) => numberOf(partner),
      enablers: ({ enablers }) =>
        enablers ? Object.values(enablers).reduce((sum, eur) => sum + Number(eur), 0) : null,
      sc: ({ sc }) => numberOf(sc),
      energy: ({ energyPrice }) => numberOf(energyPrice),
    },
    november,
  ),
  list('events', findEvents, eventColumns, ({ events }) => events, eventCells, november),
  list(
    'disturbances',
    findEvents,
    eventColumns,
    ({ events, disturbances }) => (disturbances ?? []).flatMap(([id]) => events.find(({ _id }) => _id === id) ?? []),
    eventCells,
    { ...november, by: 'disturbance' },
  ),
  list('bid requests', findBidRequests, bidRequestColumns, ({ bidRequests }) => bidRequests, {
    start: ({ startDate }) => startDate,
    end: ({ endDate }) => endDate,
    excluded: ({ excludedDays }) => excludedDays.length,
    created: ({ createdAt }) => createdAt,
    updated: ({ updatedAt }) => updatedAt,
    instance: ({ groupName }) => groupName,
    market: ({ biddingMarket }) => biddingMarket,
    status: ({ status }) => status,
  }),
  list('alerts', findAlerts, alertColumns, ({ alerts }) => alerts, {
    name: ({ name }) => name,
    instance: ({ properties }) => properties.groupName,
    criteria: ({ criteria }) => criteria,
    type: ({ properties }) => properties.type,
    value: ({ value }) => value,
    interval: ({ properties }) => properties.alertInterval,
    schedule: ({ properties }) => properties.startTime,
    email: ({ email }) => email,
    status: ({ properties }) => properties.notification,
  }),
  list(
    'triggered alerts',
    findTriggered,
    triggeredColumns,
    ({ triggered }) => triggered,
    {
      name: ({ name }) => name,
      instance: ({ groupName }) => groupName,
      type: ({ type }) => type,
      time: ({ triggerTime }) => triggerTime,
      value: ({ value }) => value,
      criteria: ({ criteria }) => criteria,
      state: ({ closedAt, acknowledgedAt, late }) => (closedAt ? 3 : acknowledgedAt ? 2 : late ? 1 : 0),
    },
    { date: '2026-11-20' },
  ),
  list('email subscriptions', findEmailSubscriptions, subscriptionColumns, ({ subscriptions }) => subscriptions, {
    email: ({ email }) => email,
    instance: ({ instanceName }) => instanceName,
    activation: ({ activation }) => activation,
    bidResult: ({ bidResult }) => bidResult,
  }),
  list('scope 2 reports', findScopeReports, scopeReportColumns, ({ reports }) => reports, {
    period: ({ startDate }) => startDate,
    kgCo2: ({ total }) => total.kgCo2,
    kwh: ({ total }) => numberOf(total.kwh),
    meters: ({ meters }) => meters,
    madeAt: ({ madeAt }) => madeAt,
    madeBy: ({ madeBy }) => madeBy,
  }),
  list('statements of the operator', findStatements, reconciliationColumns, ({ statements }) => statements, {
    name: ({ name }) => name,
    days: ({ firstDay }) => firstDay,
    lines: ({ lines }) => lines,
    difference: ({ differenceEur }) => Number(differenceEur),
    unsettled: ({ unsettledEur }) => Number(unsettledEur),
    at: ({ takenAt }) => takenAt,
    by: ({ takenBy }) => takenBy,
  }),
  list(
    'lines of a statement',
    getReconciliation,
    lineColumns,
    ({ lines }) => lines,
    {
      date: ({ date }) => date,
      instance: ({ instance }) => instance,
      type: ({ type }) => type,
      ours: ({ oursEur }) => numberOf(oursEur),
      theirs: ({ theirsEur }) => numberOf(theirsEur),
      difference: ({ differenceEur }) => numberOf(differenceEur),
    },
    { show: 'all' },
    () => statementId,
  ),
  list('plans', findPlans, planColumns, ({ plans }) => plans, {
    target: ({ target }) => target.name,
    span: ({ from }) => from,
    state: (plan) => placeOf(plan),
    saved: ({ savedDkk }) => numberOf(savedDkk),
    madeAt: ({ madeAt }) => madeAt,
    madeBy: ({ madeBy }) => madeBy,
  }),
  list('savings', planSavings, savingColumns, ({ savings }) => savings, {
    target: ({ plan }) => plan.target.name,
    span: ({ plan }) => plan.from,
    state: ({ plan }) => placeOf(plan),
    promised: ({ promisedDkk }) => numberOf(promisedDkk),
    saved: ({ saving }) => numberOf(saving?.savedDkk),
    kg: ({ saving }) => numberOf(saving?.savedKgCo2),
    kwh: ({ saving }) => saving?.measuredKwh ?? null,
    covered: ({ saving }) => saving?.coverage ?? null,
  }),
  list('backtests', findBacktests, backtestColumns, ({ backtests }) => backtests, {
    target: ({ target }) => target.name,
    period: ({ period }) => period,
    state: ({ state }) => ['queued', 'running', 'done', 'cancelled', 'failed'].indexOf(state),
    saved: ({ result }) => numberOf(result?.savedDkk),
    rule: ({ result }) => numberOf(result?.overCheapestHoursDkk),
    regret: ({ result }) => numberOf(result?.regretDkk),
    madeAt: ({ madeAt }) => madeAt,
    madeBy: ({ madeBy }) => madeBy,
  }),
  list(
    'deliveries',
    findWebhookDeliveries,
    deliveryColumns,
    ({ deliveries }) => deliveries,
    {
      event: ({ event }) => event,
      createdAt: ({ createdAt }) => createdAt,
      answer: ({ status }) => status,
      state: ({ state }) => ['delivered', 'waiting', 'failed'].indexOf(state),
    },
    {},
    () => webhookId,
  ),
  list('result files', findBidResultFiles, resultFileColumns, ({ files }) => files, {
    name: ({ name }) => name,
    at: ({ takenAt }) => takenAt,
    by: ({ takenBy }) => takenBy,
    bids: ({ bids }) => bids,
    changed: ({ changed }) => changed,
    against: ({ contradictions }) => contradictions,
  }),
  list('audit trail', findAudit, auditColumns, ({ entries }) => entries, {
    at: ({ at }) => at,
    who: ({ who }) => who,
    action: ({ action }) => action,
    subject: ({ subject }) => subject,
    no: ({ entryNo }) => entryNo,
  }),
]

/** `k` is 3, 6, 2, 5, 1 in the order of the ids. */
const vary = (table: string, key: string, set: string) =>
  app.records.system((tx) =>
    sql`update ${sql.table(table)} t set ${sql.raw(set)}
      from (select customer_id, ${sql.ref(key)} as id, row_number() over (partition by customer_id order by ${sql.ref(key)}) * 3 % 7 as k
        from ${sql.table(table)}) o
      where o.customer_id = t.customer_id and o.id = t.${sql.ref(key)}`.execute(tx),
  )

const app = await openTestApp()
beforeAll(async () => {
  for (let i = 0; i < 5; i++) await makeOneOfEach(app)
  await vary('charger_tag_group', 'group_id', `name = 'Group ' || k`)
  await vary(
    'charger_tag',
    'tag_id',
    `name = case when k > 3 then 'tag ' else 'Tag ' end || 7 - k, tag = 'T' || k, active = k > 3,
     group_id = case when k <> 6 then group_id end, created_at = timestamptz '2026-11-01' + k * interval '1 day'`,
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
     sc_eur = k, gross_eur = 9, energy_eur = k, energy_state = 'known', enablers = jsonb_build_object('A', k::text)`,
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
    `difference_eur = k - 4, settled_at = case when k = 2 then timestamptz '2026-11-20' end`,
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
  token = await app.tokenOf('sudoer@north.example')
  const expert = await app.tokenOf('expert@north.example')
  const made = [
    ['b', token],
    ['A', expert],
    ['c', token],
  ] as const
  for (const [name, by] of made)
    await app.ask(addChargerTag, { token: by, body: { name, tagID: `audit ${name}`, action: true } })
  const found = await app.records.system((tx) =>
    tx
      .selectFrom('alert as a')
      .innerJoin('customer as c', 'c.customer_id', 'a.customer_id')
      .innerJoin('instance as i', 'i.instance_id', 'a.instance_id')
      .select('i.licence_id')
      .where('c.key', '=', 'north')
      .executeTakeFirstOrThrow(),
  )
  licenceId = found.licence_id
  webhookId = await app.records.system(async (tx) => {
    const { webhook_id } = await tx
      .selectFrom('webhook as w')
      .innerJoin('customer as c', 'c.customer_id', 'w.customer_id')
      .select('w.webhook_id')
      .where('c.key', '=', 'north')
      .orderBy('w.webhook_id')
      .executeTakeFirstOrThrow()
    return webhook_id
  })
  statementId = await app.records.system(async (tx) => {
    const { statement_id } = await tx
      .selectFrom('operator_statement as s')
      .innerJoin('customer as c', 'c.customer_id', 's.customer_id')
      .select('s.statement_id')
      .where('c.key', '=', 'north')
      .orderBy('s.statement_id')
      .executeTakeFirstOrThrow()
    await sql`insert into operator_statement_line select (jsonb_populate_record(l, jsonb_build_object('line_id', gen_random_uuid(),
        'statement_id', s.statement_id, 'day', l.day - l.difference_eur::int, 'product', 'P' || l.difference_eur, 'ours_eur', abs(l.difference_eur)))).*
      from operator_statement_line l join operator_statement s using (customer_id)
      where s.statement_id = ${statement_id} and l.statement_id <> s.statement_id`.execute(tx)
    return statement_id
  })
})
afterAll(() => app.close())

const inOrder = (values: readonly Value[], down: boolean) =>
  values.toSorted((a, b) => {
    if (a === b) return 0
    if (a === null || b === null) return a === null ? 1 : -1
    return (a < b ? -1 : 1) * (down ? -1 : 1)
  })

test.each(lists.flatMap((one) => one.columns.map((sort) => ({ one, name: one.name, sort }))))(
  '$name by $sort in both directions, with consecutive pages',
  async ({ one, sort }) => {
    const down = await one.read({ sort, order: 'desc', limit: '100' }, sort)
    expect(down.length).toBeGreaterThan(2)
    const up = []
    for (let skip = 0; skip < down.length; skip += 3)
      up.push(...(await one.read({ sort, limit: '3', skip: String(skip) }, sort)))
    for (const [rows, isDown] of [
      [up, false],
      [down, true],
    ] as const) {
      const values = rows.map(({ value }) => value)
      expect(values).toEqual(inOrder(values, isDown))
    }
    const texts = (rows: typeof down) => rows.map(({ row }) => row).toSorted()
    expect(texts(up)).toEqual(texts(down))
  },
)

test('each sortable list is tested here with all of its columns', () => {
  const sortable = Object.values<CallShape>(calls).filter(({ query }) => query && 'sort' in query.shape)
  expect(new Set(lists.map(({ call }) => call))).toEqual(new Set(sortable))
})

test('a list accepts its own sort columns only', async () => {
  const answers = await Promise.all(
    ['budget', 'constructor', 'name; drop table customer'].map((sort) =>
      app.ask(findChargerTags, { token, query: { sort } }),
    ),
  )
  expect(answers.map(({ status }) => status)).toEqual([400, 400, 400])
})

test('T1 tags and sessions are searched in any case, literally and within the customer', async () => {
  const tags = async (search: string) =>
    (await app.data(findChargerTags, { token, query: { search } }))[0]?.tags.map(({ tagID }) => tagID)
  expect(await tags('TAG 4')).toEqual(['T3'])
  expect(await tags('t6')).toEqual(['T6'])
  expect(await tags('group')).toHaveLength(4)
  expect(await tags('t%')).toEqual([])
  const sessions = async (search: string) => {
    const { body } = await app.ask(findChargerTransactions, { token, query: { search } })
    expect(body.data.totalCount).toBe(body.data.transactions.length)
    return body.data.transactions.map(({ idTag }) => idTag)
  }
  expect(await sessions('t2')).toEqual(['T2'])
  expect(await sessions('tag 4')).toHaveLength(1)
  expect(await sessions('matrix')).toHaveLength(5)
  expect(await sessions('_')).toEqual([])
})
