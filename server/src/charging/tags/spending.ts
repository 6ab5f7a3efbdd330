import type { budgetScopes, ChargingBudget } from '@gridmast/contract/charging/charging-budgets.ts'
import { localMonthOf } from '@gridmast/contract/time.ts'
import type { WebhookData } from '@gridmast/contract/notifications/webhook-data.ts'
import { sql } from 'kysely'
import { type BudgetRow, budgetOf, findSpending, judge, type Spending } from './budgets.ts'
import { queueCommand } from '#charging/chargers/commands.ts'
import { portalAddress } from '#config.ts'
import type { App } from '#context.ts'
import { writeAudit } from '#platform/records/audit.ts'
import type { Job } from '#platform/jobs/jobs.ts'
import { queueMails } from '#platform/messaging/mail.ts'
import { rowChanged } from '#platform/messaging/bus.ts'
import type { Tx } from '#platform/records/records.ts'
import { sqlRows, insertRow, lockCustomer, type RowOf, selectRows } from '#platform/records/rows.ts'
import { queueWebhook } from '#platform/messaging/webhook.ts'
import { budgetReached } from './mails.ts'

/** Effects of spending: warnings, blocked tags and stopped sessions. Rules: budgets.md. */

type SpendingApp = Pick<App, 'config' | 'records' | 'clock' | 'bus' | 'live' | 'log'>

type Holder = BudgetRow & { id: string; name: string }

const findHolders = async (tx: Tx, customerId: string) => {
  const of = async (table: 'charger_tag' | 'charger_tag_group', id: 'tag_id' | 'group_id') => {
    const rows = await sqlRows<Holder>(tx)`
      select ${sql.ref(id)} as id, name, budget_dkk, budget_kwh, warn_percent from ${sql.table(table)}
      where customer_id = ${customerId} and (budget_dkk is not null or budget_kwh is not null)`
    return rows
  }
  return { tags: await of('charger_tag', 'tag_id'), groups: await of('charger_tag_group', 'group_id') }
}

type Scope = (typeof budgetScopes)[number]
type HolderBudget = Pick<Holder, 'id' | 'name'> & { scope: Scope; budget: NonNullable<ChargingBudget> }

const isFirst = async (tx: Tx, customerId: string, id: string, threshold: 'warning' | 'spent', nowMs: number) => {
  const added = await insertRow(tx, customerId, 'charging_budget_notice', {
    scope_id: id,
    month: localMonthOf(nowMs),
    threshold,
    at: new Date(nowMs),
  })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return added.numInsertedOrUpdatedRows === 1n
}

const notify = async (
  app: SpendingApp,
  tx: Tx,
  customerId: string,
  { id, scope, name, budget }: HolderBudget,
  nowMs: number,
): Promise<void> => {
  const readers = await selectRows(tx, customerId, 'app_user', { role: 'sudoer', enabled: true })
    .select(['email', 'language'])
    .execute()
  const link = portalAddress(app.config, '/e3-App/evCharging?tab=tag')
  const letter = budgetReached({ name, budget, link })
  await queueMails(
    tx,
    readers.map(({ email, language }) => ({ reader: { customerId, to: email, language }, letter, when: { nowMs } })),
  )
  const data: WebhookData['charging-budget'] = {
    _id: id,
    scope,
    name,
    month: localMonthOf(nowMs),
    state: budget.state === 'spent' ? 'spent' : 'warned',
    percent: budget.percent,
    budgetDkk: budget.dkk,
    spentDkk: budget.spentDkk,
    budgetKwh: budget.kwh,
    spentKwh: budget.spentKwh,
  }
  await queueWebhook(tx, customerId, 'charging-budget', data, nowMs)
}

const notifyBudgets = async (app: SpendingApp, tx: Tx, customerId: string, nowMs: number) => {
  const { tags, groups } = await findHolders(tx, customerId)
  const spending = await findSpending(tx, customerId, nowMs)
  const judgeAll = (scope: Scope, holders: readonly Holder[], spent: Spending['tags']) =>
    holders.map((one) => ({ ...one, scope, budget: judge(budgetOf(one), spent.get(one.id)) }))
  const judged = [...judgeAll('tag', tags, spending.tags), ...judgeAll('group', groups, spending.groups)]
  let isNotified = false
  for (const { budget, ...holder } of judged) {
    if (!budget || budget.state === 'within') continue
    const threshold = budget.state === 'spent' ? 'spent' : 'warning'
    if (!(await isFirst(tx, customerId, holder.id, threshold, nowMs))) continue
    await notify(app, tx, customerId, { ...holder, budget }, nowMs)
    isNotified = true
  }
  const spent = judged.flatMap(({ id, budget }) => (budget?.state === 'spent' ? [id] : []))
  const { rows } = await sql`
    update charging_budget_notice set lifted = not lifted
    where customer_id = ${customerId} and threshold = 'spent'
      and lifted = (month = ${localMonthOf(nowMs)} and scope_id = any(${spent}::uuid[]))
    returning scope_id`.execute(tx)
  if (rows.length > 0) rowChanged(tx, 'charger-tags', customerId)
  return { spent, isNotified }
}

type Overspent = RowOf<'charger_transaction', 'transaction_id' | 'charger_id'> & {
  evse_no: number
  charger_name: string
  reason: 'budget' | 'payment'
}

const findOverspent = (tx: Tx, customerId: string, spent: readonly string[]) => sqlRows<Overspent>(tx)`
    select s.transaction_id, s.charger_id, s.evse_no, c.name as charger_name,
      case when p.payment_id is null then 'budget' else 'payment' end as reason
    from charger_transaction s
      join charger c on c.customer_id = s.customer_id and c.charger_id = s.charger_id and c.online
      left join charger_tag t on t.customer_id = s.customer_id and t.tag_id = s.tag_id
      left join charging_cost k on k.customer_id = s.customer_id and k.transaction_id = s.transaction_id
      left join payment p on p.customer_id = s.customer_id and p.transaction_id = s.transaction_id and p.state = 'charging'
        and k.driver_dkk * 100 >= p.reserved_ore
    where s.customer_id = ${customerId} and s.state in ('starting', 'active') and not s.refused and s.evse_no is not null
      and (t.tag_id = any(${spent}::uuid[]) or t.group_id = any(${spent}::uuid[]) or p.payment_id is not null)
      and not exists (select from charging_stop x where x.customer_id = s.customer_id and x.transaction_id = s.transaction_id)`

const stop = async (tx: Tx, customerId: string, session: Overspent, nowMs: number): Promise<void> => {
  const { transaction_id, charger_id, evse_no, charger_name, reason } = session
  const command = { charger_id, evse_no, transaction_id, action: 'stop', user_id: null }
  const command_id = await queueCommand(tx, customerId, command, nowMs)
  if (command_id === null) return
  const row = { transaction_id, reason, command_id, at: new Date(nowMs) }
  await insertRow(tx, customerId, 'charging_stop', row).execute()
  await writeAudit(tx, customerId, nowMs, {
    userId: null,
    who: reason === 'budget' ? 'Budget' : 'MobilePay',
    action: 'charger.stop',
    subject: charger_name,
    after: { command: command_id, connectorId: evse_no },
  })
}

const followCustomer = async (app: SpendingApp, customerId: string): Promise<void> => {
  const nowMs = app.clock.now()
  const { isNotified } = await app.records.tenant(customerId, async (tx) => {
    await lockCustomer(tx, customerId)
    const judged = await notifyBudgets(app, tx, customerId, nowMs)
    for (const one of await findOverspent(tx, customerId, judged.spent)) await stop(tx, customerId, one, nowMs)
    return judged
  })
  if (isNotified) app.live.publish(customerId, 'alerts', {})
}

export const followSpending = async (app: SpendingApp): Promise<void> => {
  const { rows } = await app.records.system((tx) =>
    sql<{ customer_id: string }>`
      select customer_id from charger_tag where budget_dkk is not null or budget_kwh is not null
      union select customer_id from charger_tag_group where budget_dkk is not null or budget_kwh is not null
      union select customer_id from charging_budget_notice where threshold = 'spent' and not lifted
      union select customer_id from payment where state = 'charging'`.execute(tx),
  )
  for (const { customer_id } of rows)
    await followCustomer(app, customer_id).catch((error: unknown) =>
      app.log.error({ err: error, customer: customer_id }, 'budgets not checked'),
    )
}

export const budgetsJob: Job<App> = {
  name: 'charging-budgets',
  cron: '* * * * *',
  after: 'charging-costs',
  atStart: true,
  retries: 0,
  run: followSpending,
}
