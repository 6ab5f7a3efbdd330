import { m } from '@gridmast/contract/messages.ts'
import { dayMs, minuteMs } from '@gridmast/contract/time.ts'
import { sql } from 'kysely'
import { queueCommand } from '#charging/chargers/command-rows.ts'
import { findRunning } from '#charging/chargers/connectors.ts'
import { isDoubted } from '#charging/ledger/plausible.ts'
import type { App } from '#context.ts'
import { writeAudit } from '#platform/records/audit.ts'
import type { Job } from '#platform/jobs/jobs.ts'
import type { Tx } from '#platform/records/records.ts'
import { selectRows } from '#platform/records/rows.ts'
import { openProviders } from './account.ts'
import { oreOf } from './amounts.ts'
import { capture, lockPayment, move, note, release, requeue, type PaymentRow } from './book.ts'
import type { ProviderOf } from './operations.ts'
import type { Standings } from './provider.ts'

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
  const of = { customerId: row.customer_id, chargerId: row.charger_id, evseNo: row.evse_no }
  if (await findRunning(tx, of)) return { words: 'A session is running on this connector' }
  const commandId = await queueCommand(tx, { ...of, action: 'start', userId: row.user_id, nowMs })
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

const applySeen = async (tx: Tx, row: PaymentRow, seen: Standings, nowMs: number): Promise<void> => {
  if (row.state !== 'waiting' || seen.state === 'waiting') return
  if (seen.state === 'declined') {
    await move(tx, row, 'declined', nowMs)
    await note(tx, row, 'declined', nowMs)
    return
  }
  await note(tx, row, 'authorised', nowMs, { amountOre: row.reserved_ore })
  const started = await start(tx, row, nowMs)
  if ('words' in started) {
    await note(tx, row, 'no-start', nowMs, { words: started.words })
    await release(tx, row, nowMs, {})
    return
  }
  await move(tx, row, 'reserved', nowMs, { command_id: started.commandId })
  await note(tx, row, 'start', nowMs)
}

type Key = { customer_id: string; payment_id: string }

const lookAt = async (app: FollowApp, providerOf: ProviderOf, { customer_id, payment_id }: Key) => {
  const provider = await providerOf(customer_id)
  const seen = await provider?.look(payment_id)
  if (seen?.kind !== 'done') return
  await app.records.tenant(customer_id, async (tx) => {
    const row = await lockPayment(tx, customer_id, payment_id)
    if (row) await applySeen(tx, row, seen.value, app.clock.now())
  })
}

type Link = {
  command_state: string
  is_open: boolean
  expires_at: Date
  issued_at: Date
  answer: string | null
  online: boolean
  transaction_id: string | null
  refused: boolean | null
  started_at: Date | null
}

const readLink = async (tx: Tx, row: PaymentRow): Promise<Link | undefined> => {
  const { rows } = await sql<Link>`
    select c.state as command_state, c.is_open, c.expires_at, c.issued_at, c.answer, k.online, t.transaction_id, t.refused, t.started_at
    from charger_command c
      join charger k on k.customer_id = c.customer_id and k.charger_id = c.charger_id
      left join charger_transaction t on t.customer_id = c.customer_id and t.command_id = c.command_id
    where c.customer_id = ${row.customer_id} and c.command_id = ${row.command_id}
    order by t.started_at limit 1`.execute(tx)
  return rows[0]
}

const followStart = async (tx: Tx, row: PaymentRow, nowMs: number): Promise<void> => {
  const link = await readLink(tx, row)
  if (!link) return
  if (link.transaction_id && link.refused === false) {
    await move(tx, row, 'charging', nowMs, { transaction_id: link.transaction_id })
    await note(tx, row, 'began', nowMs, { atMs: link.started_at?.getTime() ?? nowMs })
    return
  }
  const sinceMs = nowMs - link.issued_at.getTime()
  const isOver = link.expires_at.getTime() <= nowMs
  const isNo =
    ['rejected', 'failed', 'offline'].includes(link.command_state) || (link.command_state === 'queued' && isOver)
  const isWaited = sinceMs > (link.online ? pluggedInMs : silentMs)
  if (!isNo && !isWaited) return
  await note(tx, row, 'no-start', nowMs, { words: isNo ? link.answer : null })
  await release(tx, row, nowMs, {})
}

type Ended = {
  state: string
  is_doubted: boolean
  ended_at: Date | null
  consumption_wh: string | null
  driver_dkk: string | null
  counted: boolean
}

/** `counted`: the stored cost covers the whole session; due rows do not show that, since the next session flags the same connector and day. */
const readEnded = async (tx: Tx, row: PaymentRow): Promise<Ended | undefined> => {
  const { rows } = await sql<Ended>`
    select s.state, s.ended_at, s.consumption_wh, k.driver_dkk, ${isDoubted} as is_doubted,
      coalesce((select sum(w) from unnest(k.wh) w) = round(s.consumption_wh), false) as counted
    from charger_transaction s
      left join charging_cost k on k.customer_id = s.customer_id and k.transaction_id = s.transaction_id
    where s.customer_id = ${row.customer_id} and s.transaction_id = ${row.transaction_id}`.execute(tx)
  return rows[0]
}

const isOver = (ended: Ended): ended is Ended & { ended_at: Date } =>
  ended.ended_at !== null && ['ended', 'abandoned'].includes(ended.state)

const costOf = (ended: Ended, nowMs: number): { ore: number } | { words: string } | null => {
  if (!isOver(ended)) return null
  const isSettled = nowMs - ended.ended_at.getTime() > unsureMs
  if (ended.is_doubted) return isSettled ? { words: m.paymentEnergyDoubted } : null
  if (ended.state === 'abandoned' && !isSettled) return null
  if (ended.consumption_wh === null) return isSettled ? { words: m.paymentEnergyUnknown } : null
  if (Number(ended.consumption_wh) === 0) return { ore: 0 }
  // A cost that is not calculated within a day needs a user: the reservation expires, and with it the payment.
  if (!ended.counted) return isSettled ? { words: m.paymentCostUnknown } : null
  if (ended.driver_dkk === null) return { words: m.noPriceAtStart }
  return { ore: oreOf(ended.driver_dkk) }
}

const followSession = async (tx: Tx, row: PaymentRow, nowMs: number): Promise<void> => {
  const ended = await readEnded(tx, row)
  if (!ended || !isOver(ended)) return
  const failure = ended.is_doubted ? m.paymentEnergyDoubted : null
  if (row.state === 'charging') {
    await move(tx, row, 'ended', nowMs, { failure })
    await note(tx, row, 'ended', nowMs, { atMs: ended.ended_at.getTime() })
  } else if (row.failure !== failure) await move(tx, row, 'ended', nowMs, { failure })
  const cost = costOf(ended, nowMs)
  if (!cost) return
  if ('words' in cost) {
    await move(tx, row, 'capture-failed', nowMs, { failure: cost.words })
    await note(tx, row, 'capture-failed', nowMs, { words: cost.words })
  } else if (cost.ore === 0) await release(tx, row, nowMs, {})
  else await capture(tx, row, nowMs, { costOre: cost.ore })
}

export const costNow = async (tx: Tx, row: PaymentRow, nowMs: number) => {
  const ended = row.transaction_id ? await readEnded(tx, row) : undefined
  return ended ? costOf(ended, nowMs) : null
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
  const found = await records.system((tx) =>
    tx
      .selectFrom('payment')
      .select(['customer_id', 'payment_id', 'state'])
      .where('state', 'in', ['waiting', 'reserved', 'charging', 'ended'])
      .orderBy('changed_at')
      .limit(5000)
      .execute(),
  )
  for (const { state, ...key } of found)
    try {
      if (state === 'waiting') await lookAt(app, providerOf, key)
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
