import { m } from '@gridmast/contract/messages.ts'
import { dayMs, minuteMs } from '@gridmast/contract/time.ts'
import { sql } from 'kysely'
import { queueCommand } from '#charging/chargers/commands.ts'
import { findRunning } from '#charging/chargers/connectors.ts'
import { isDoubted } from '#charging/ledger/session-energy.ts'
import type { App } from '#context.ts'
import { writeAudit } from '#platform/records/audit.ts'
import type { Job } from '#platform/jobs/jobs.ts'
import type { Tx } from '#platform/records/records.ts'
import { sqlRows, type RowOf, selectRows } from '#platform/records/rows.ts'
import { openProviders } from './account.ts'
import {
  capture,
  changeState,
  lockPayment,
  logEvent,
  oreOf,
  type PaymentRow,
  release,
  requeue,
  setState,
} from './payment-rows.ts'
import type { ProviderOf, ProviderPayment } from './operations.ts'

type FollowApp = Pick<App, 'config' | 'records' | 'secret' | 'clock' | 'log'>

const pluggedInMs = 30 * minuteMs
/** An offline charger may have begun, and reports it when it reconnects. */
const silentMs = dayMs
/** A session without a stop may still get one, and one without a reading its energy. */
const unsureMs = dayMs

const start = async (tx: Tx, row: PaymentRow, nowMs: number): Promise<{ commandId: string } | { words: string }> => {
  const charger = await selectRows(tx, row.customer_id, 'charger', { charger_id: row.charger_id })
    .select(['name', 'online', 'enabled'])
    .executeTakeFirstOrThrow()
  if (!charger.online || !charger.enabled) return { words: 'Charger is offline' }
  const { charger_id, evse_no, user_id } = row
  if (await findRunning(tx, { customerId: row.customer_id, chargerId: charger_id, evseNo: evse_no }))
    return { words: 'A session is running on this connector' }
  const commandId = await queueCommand(tx, row.customer_id, { charger_id, evse_no, action: 'start', user_id }, nowMs)
  if (commandId === null) return { words: 'The charger has not answered the last command yet' }
  await writeAudit(tx, row.customer_id, nowMs, {
    userId: row.user_id,
    who: 'MobilePay',
    action: 'charger.start',
    subject: charger.name,
    after: { command: commandId, connectorId: row.evse_no, payment: row.payment_id },
  })
  return { commandId }
}

const applyState = async (tx: Tx, row: PaymentRow, { state }: ProviderPayment, nowMs: number): Promise<void> => {
  if (row.state !== 'waiting' || state === 'waiting') return
  if (state === 'declined') return changeState(tx, row, nowMs, 'declined')
  await logEvent(tx, row, 'authorised', nowMs, { amountOre: row.reserved_ore })
  const started = await start(tx, row, nowMs)
  if ('words' in started) {
    await logEvent(tx, row, 'no-start', nowMs, { words: started.words })
    return release(tx, row, nowMs)
  }
  await setState(tx, row, 'reserved', nowMs, { command_id: started.commandId })
  await logEvent(tx, row, 'start', nowMs)
}

type PaymentKey = Pick<PaymentRow, 'customer_id' | 'payment_id'>

const followApproval = async (app: FollowApp, providerOf: ProviderOf, { customer_id, payment_id }: PaymentKey) => {
  const provider = await providerOf(customer_id)
  const answer = await provider?.read(payment_id)
  if (answer?.kind !== 'done') return
  await app.records.tenant(customer_id, async (tx) => {
    const row = await lockPayment(tx, customer_id, payment_id)
    if (row) await applyState(tx, row, answer.value, app.clock.now())
  })
}

type Command = Pick<RowOf<'charger_command'>, 'is_open' | 'expires_at' | 'issued_at' | 'answer'> & {
  command_state: string
  online: boolean
  transaction_id: string | null
  refused: boolean | null
  started_at: Date | null
}

const readCommand = async (tx: Tx, row: PaymentRow) => {
  const [command] = await sqlRows<Command>(tx)`
    select c.state as command_state, c.is_open, c.expires_at, c.issued_at, c.answer, k.online, t.transaction_id, t.refused, t.started_at
    from charger_command c
      join charger k on k.customer_id = c.customer_id and k.charger_id = c.charger_id
      left join charger_transaction t on t.customer_id = c.customer_id and t.command_id = c.command_id
    where c.customer_id = ${row.customer_id} and c.command_id = ${row.command_id}
    order by t.started_at limit 1`
  return command
}

const followStart = async (tx: Tx, row: PaymentRow, nowMs: number): Promise<void> => {
  const command = await readCommand(tx, row)
  if (!command) return
  if (command.transaction_id && command.refused === false) {
    await setState(tx, row, 'charging', nowMs, { transaction_id: command.transaction_id })
    return void (await logEvent(tx, row, 'began', nowMs, { atMs: command.started_at?.getTime() ?? nowMs }))
  }
  const sinceMs = nowMs - command.issued_at.getTime()
  const isOver = command.expires_at.getTime() <= nowMs
  const isRefused =
    ['rejected', 'failed', 'offline'].includes(command.command_state) || (command.command_state === 'queued' && isOver)
  const isWaited = sinceMs > (command.online ? pluggedInMs : silentMs)
  if (!isRefused && !isWaited) return
  await logEvent(tx, row, 'no-start', nowMs, { words: isRefused ? command.answer : null })
  await release(tx, row, nowMs)
}

type Session = Pick<RowOf<'charger_transaction'>, 'state' | 'ended_at' | 'consumption_wh'> & {
  is_doubted: boolean
  driver_dkk: string | null
  counted: boolean
}

/** `counted`: the stored cost covers the whole session; due rows do not show that, since the next session flags the same connector and day. */
const readSession = async (tx: Tx, row: PaymentRow) => {
  const [session] = await sqlRows<Session>(tx)`
    select s.state, s.ended_at, s.consumption_wh, k.driver_dkk, ${isDoubted} as is_doubted,
      coalesce((select sum(w) from unnest(k.wh) w) = round(s.consumption_wh), false) as counted
    from charger_transaction s
      left join charging_cost k on k.customer_id = s.customer_id and k.transaction_id = s.transaction_id
    where s.customer_id = ${row.customer_id} and s.transaction_id = ${row.transaction_id}`
  return session
}

const isOver = (session: Session): session is Session & { ended_at: Date } =>
  session.ended_at !== null && ['ended', 'abandoned'].includes(session.state)

const costOf = (session: Session, nowMs: number): { ore: number } | { words: string } | null => {
  if (!isOver(session)) return null
  const isSettled = nowMs - session.ended_at.getTime() > unsureMs
  if (session.is_doubted) return isSettled ? { words: m.paymentEnergyDoubted } : null
  if (session.state === 'abandoned' && !isSettled) return null
  if (session.consumption_wh === null) return isSettled ? { words: m.paymentEnergyUnknown } : null
  if (Number(session.consumption_wh) === 0) return { ore: 0 }
  // A cost that is not calculated within a day needs a user: the reservation expires, and with it the payment.
  if (!session.counted) return isSettled ? { words: m.paymentCostUnknown } : null
  if (session.driver_dkk === null) return { words: m.noPriceAtStart }
  return { ore: oreOf(session.driver_dkk) }
}

const followSession = async (tx: Tx, row: PaymentRow, nowMs: number): Promise<void> => {
  const session = await readSession(tx, row)
  if (!session || !isOver(session)) return
  const failure = session.is_doubted ? m.paymentEnergyDoubted : null
  if (row.state === 'charging') {
    await changeState(tx, row, nowMs, 'ended', { failure }, { atMs: session.ended_at.getTime() })
  } else if (row.failure !== failure) await setState(tx, row, 'ended', nowMs, { failure })
  const cost = costOf(session, nowMs)
  if (!cost) return
  if ('words' in cost) {
    await changeState(tx, row, nowMs, 'capture-failed', { failure: cost.words }, { words: cost.words })
  } else if (cost.ore === 0) await release(tx, row, nowMs)
  else await capture(tx, row, cost.ore, nowMs)
}

export const readCost = async (tx: Tx, row: PaymentRow, nowMs: number) => {
  const session = row.transaction_id ? await readSession(tx, row) : undefined
  return session ? costOf(session, nowMs) : null
}

/** A charger may report a session after its reservation was released: nothing is captured, and users are notified. */
const noteLateSessions = async (tx: Tx, nowMs: number): Promise<void> => {
  await sql`
    insert into payment_event (customer_id, payment_id, at, event, told)
    select p.customer_id, p.payment_id, ${new Date(nowMs)}, 'late-session', 'late-session'
    from payment p join charger_transaction t on t.customer_id = p.customer_id and t.command_id = p.command_id and not t.refused
    where p.state in ('releasing', 'released', 'failed') and p.transaction_id is null and p.changed_at > ${new Date(nowMs - 7 * silentMs)}
    on conflict (customer_id, payment_id, told) do nothing`.execute(tx)
}

export const followPayments = async (app: FollowApp, providerOf: ProviderOf): Promise<void> => {
  const { records, clock, log } = app
  await records.system((tx) => requeue(tx, clock.now()))
  await records.system((tx) => noteLateSessions(tx, clock.now()))
  const payments = await records.system((tx) =>
    tx
      .selectFrom('payment')
      .select(['customer_id', 'payment_id', 'state'])
      .where('state', 'in', ['waiting', 'reserved', 'charging', 'ended'])
      .orderBy('changed_at')
      .limit(5000)
      .execute(),
  )
  for (const { state, ...key } of payments)
    try {
      if (state === 'waiting') await followApproval(app, providerOf, key)
      else
        await records.tenant(key.customer_id, async (tx) => {
          const row = await lockPayment(tx, key.customer_id, key.payment_id)
          if (row?.state === 'reserved') await followStart(tx, row, clock.now())
          else if (row?.state === 'charging' || row?.state === 'ended') await followSession(tx, row, clock.now())
        })
    } catch (error) {
      log.error({ err: error, payment: key.payment_id }, 'payment not updated')
    }
}

export const paymentJobName = 'payments'

export const paymentsJob: Job<App> = {
  name: paymentJobName,
  cron: '* * * * *',
  after: 'charging-costs',
  atStart: true,
  retries: 0,
  run: (app) => followPayments(app, openProviders(app)),
}
