import { alertColumns, findAlerts } from '@gridmast/contract/delivery/alerts.ts'
import { findTriggered, triggeredColumns } from '@gridmast/contract/notifications/triggered.ts'
import { auditColumns, findAudit } from '@gridmast/contract/people/audit.ts'
import { bidRequestColumns, findBidRequests } from '@gridmast/contract/trading/bid-requests.ts'
import type { CallShape, Data } from '@gridmast/contract/call.ts'
import { causes } from '@gridmast/contract/choices.ts'
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
  lineKinds,
  type Parts,
  reconciliationColumns,
} from '@gridmast/contract/settlement/reconciliation.ts'
import { findScopeReports, scopeReportColumns } from '@gridmast/contract/meters/scope-2.ts'
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { openTestApp } from '#testing/app.ts'
import { storedRows } from '#testing/rows.ts'
import { makeVariedRows } from '#testing/varied-rows.ts'
import { idOf } from '#platform/records/ids.ts'

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

const app = await openTestApp()
await makeVariedRows(app)
const token = await app.tokenOf('sudoer@north.example')
const expert = await app.tokenOf('expert@north.example')
const addedTags = [
  ['b', token],
  ['A', expert],
  ['c', token],
] as const
for (const [name, by] of addedTags)
  await app.ask(addChargerTag, { token: by, body: { name, tagID: `audit ${name}`, action: true } })
const customer_id = idOf('customer', 'north')
const licenceId = idOf('licence', 'north', 'FCR-D-INC')
const [webhookId = ''] = (await storedRows(app.records, 'webhook', { customer_id }))
  .map((row) => row.webhook_id)
  .toSorted()
const [statementId = ''] = (await storedRows(app.records, 'operator_statement', { customer_id }))
  .map((row) => row.statement_id)
  .toSorted()
await app.records.system((tx) =>
  sql`insert into operator_statement_line select (jsonb_populate_record(l, jsonb_build_object('line_id', gen_random_uuid(),
      'statement_id', s.statement_id, 'day', l.day - l.difference_eur::int, 'product', 'P' || l.difference_eur, 'ours_eur', abs(l.difference_eur)))).*
    from operator_statement_line l join operator_statement s using (customer_id)
    where s.statement_id = ${statementId} and l.statement_id <> s.statement_id`.execute(tx),
)
afterAll(() => app.close())

/** A list with its columns; reads rows as text with the value of one column. */
const list = <C extends CallShape, S extends string, Row extends object>(
  name: string,
  call: C,
  columns: readonly S[],
  rows: (data: Data<C>) => readonly Row[],
  values: Record<NoInfer<S>, (row: Row) => Value | boolean>,
  query: Record<string, string> = {},
  id = licenceId,
) => ({
  name,
  call: call as CallShape,
  columns: columns as readonly string[],
  read: async (page: Record<string, string>, sort: string): Promise<{ row: string; value: Value }[]> => {
    const [param] = Object.keys(call.params?.shape ?? {})
    const params: Record<string, string> = param ? { [param]: id } : {}
    const { body } = await app.ask(call, { token, params, query: { ...query, ...page } })
    return rows(body.data).map((row) => {
      const value = values[sort as S](row)
      const comparable = typeof value === 'string' ? value.toLowerCase() : typeof value === 'boolean' ? +value : value
      return { row: JSON.stringify(row), value: comparable }
    })
  },
})

/** Position of the cause with the largest part. */
const largestCause = (parts: Parts | null) => {
  const sizes = causes.map((cause) => Math.abs(Number(parts?.[cause] ?? 0)))
  return sizes.indexOf(Math.max(...sizes))
}
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
    budget: ({ budget }) => budget?.percent ?? null,
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
      status: ({ status: { CM } }) => (CM.status === 'inactive' ? 0 : CM.result ? 2 + Number(CM.won) : 1),
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
    offer: ({ customBidding, capacity }) => (customBidding ? Math.max(...capacity) : null),
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
    state: ({ unsettled }) => unsettled,
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
      why: ({ kind, parts }) => 10 * lineKinds.indexOf(kind) + (kind === 'differs' ? largestCause(parts) : 0),
      settled: ({ settled }) => settled?.at ?? null,
    },
    { show: 'all' },
    statementId,
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
    webhookId,
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
    result: ({ result }) => result,
    no: ({ entryNo }) => entryNo,
  }),
]

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
    ['type', 'constructor', 'name; drop table customer'].map((sort) =>
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
