import { type PaymentState, paymentStates } from '@gridmast/contract/choices.ts'
import * as contract from '@gridmast/contract/charging/payments.ts'
import { simulatedOf } from '@gridmast/contract/source.ts'
import { dayBounds } from '@gridmast/contract/time.ts'
import { sql } from 'kysely'
import { sessionWh } from '#charging/ledger/session-energy.ts'
import { getCharger } from '#charging/chargers/fleet.ts'
import { thousandths } from '#charging/costs/session-cost.ts'
import { ownRoute, route } from '#context.ts'
import { notFound } from '#platform/http/errors.ts'
import { byName, orderBy, type Sort } from '#platform/http/list-query.ts'
import type { Tx } from '#platform/records/records.ts'
import { onKey, selectRows } from '#platform/records/rows.ts'
import type { Own } from '#platform/http/route.ts'
import { rowPages, checkFileRows, type Column, tableFile } from '#platform/files/table-file.ts'
import * as column from '#platform/files/columns.ts'
import { readAccount } from './account.ts'
import { dkkOf } from './payment-rows.ts'

type Filter = {
  state?: PaymentState | undefined
  chargerId?: string | undefined
  startDate?: string | undefined
  endDate?: string | undefined
}

const matching = (tx: Tx, customerId: string, { state, chargerId, startDate, endDate }: Filter) =>
  tx
    .selectFrom('payment as p')
    .where('p.customer_id', '=', customerId)
    .$if(state !== undefined, (of) => of.where('p.state', '=', state ?? ''))
    .$if(chargerId !== undefined, (of) => of.where('p.charger_id', '=', chargerId ?? ''))
    .$if(startDate !== undefined, (of) => of.where('p.created_at', '>=', new Date(dayBounds(startDate ?? '').fromMs)))
    .$if(endDate !== undefined, (of) => of.where('p.created_at', '<', new Date(dayBounds(endDate ?? '').toMs)))

const sortColumns = {
  created: sql`p.created_at`,
  state: sql`p.state`,
  charger: byName(sql`c.name`),
  connector: sql`p.evse_no`,
  kwh: sessionWh,
  reserved: sql`p.reserved_ore`,
  captured: sql`p.captured_ore`,
  refunded: sql`p.refunded_ore`,
}

const rowsOf = (tx: Tx, customerId: string, filter: Filter, sort: Sort<keyof typeof sortColumns> = {}) =>
  matching(tx, customerId, filter)
    .innerJoin('charger as c', onKey('c', 'p', 'charger_id'))
    .leftJoin('charger_transaction as s', onKey('s', 'p', 'transaction_id'))
    .leftJoin('payment_operation as o', (join) =>
      join
        .onRef('o.customer_id', '=', 'p.customer_id')
        .onRef('o.payment_id', '=', 'p.payment_id')
        .on('o.state', '=', 'open'),
    )
    .selectAll('p')
    .select(['c.name as charger_name', sessionWh.as('wh'), 'o.operation_id', 'o.error'])
    .orderBy(orderBy(sort, sortColumns, sql`p.created_at desc, p.payment_id desc`))
type PaymentRow = Awaited<ReturnType<ReturnType<typeof rowsOf>['executeTakeFirstOrThrow']>>

const stateOf = (state: string): PaymentState => paymentStates.find((one) => one === state) ?? 'failed'

const toPayment = (row: PaymentRow): contract.Payment => ({
  _id: row.payment_id,
  state: stateOf(row.state),
  chargerId: row.charger_id,
  chargerName: row.charger_name,
  connectorId: row.evse_no,
  transactionId: row.transaction_id,
  kwh: thousandths(row.wh),
  reserved: dkkOf(row.reserved_ore),
  cost: row.cost_ore === null ? null : dkkOf(row.cost_ore),
  captured: row.captured_ore === null ? null : dkkOf(row.captured_ore),
  refunded: dkkOf(row.refunded_ore),
  isOpen: row.operation_id !== null,
  failure: row.failure ?? row.error,
  createdAt: row.created_at.toISOString(),
  changedAt: row.changed_at.toISOString(),
  simulated: row.simulated,
})

const getPaymentRow = (tx: Tx, customerId: string, paymentId: string) =>
  rowsOf(tx, customerId, {}).where('p.payment_id', '=', paymentId).executeTakeFirstOrThrow(notFound)

export const getPayment = async (tx: Tx, customerId: string, paymentId: string) =>
  toPayment(await getPaymentRow(tx, customerId, paymentId))

const fileColumns: Column<contract.Payment>[] = [
  column.instant('Created', (one) => one.createdAt),
  column.text('Payment', (one) => one._id),
  column.text('State', (one) => one.state),
  column.text('Charger', (one) => one.chargerName),
  column.text('Connector', (one) => one.connectorId),
  column.text('Session', (one) => one.transactionId),
  column.kwh('Energy', (one) => one.kwh),
  column.dkk('Reserved', (one) => one.reserved),
  column.dkk('Session cost', (one) => one.cost),
  column.dkk('Captured', (one) => one.captured),
  column.dkk('Refunded', (one) => one.refunded),
  column.text('Failure', (one) => one.failure),
]

const checkCharger = async (tx: Tx, customerId: string, chargerId: string | undefined) => {
  if (chargerId !== undefined) await getCharger(tx, customerId, chargerId)
}

const sumUp = (tx: Tx, customerId: string, filter: Filter) =>
  matching(tx, customerId, filter)
    .select([
      sql<number>`count(*)::int`.as('count'),
      sql<number>`coalesce(sum(p.reserved_ore), 0)::bigint`.as('reserved'),
      sql<number>`coalesce(sum(p.captured_ore), 0)::bigint`.as('captured'),
      sql<number>`coalesce(sum(p.refunded_ore), 0)::bigint`.as('refunded'),
      sql<boolean>`coalesce(bool_or(p.simulated), false)`.as('isSimulated'),
      sql<boolean>`coalesce(bool_and(p.simulated), false)`.as('isAllSimulated'),
    ])
    .executeTakeFirstOrThrow()

const fileRows = async function* (own: Own['own'], filter: Filter) {
  const rows = rowPages<PaymentRow>(({ after, limit }) =>
    own((tx, customerId) =>
      rowsOf(tx, customerId, filter)
        .$if(after !== undefined, (of) =>
          of.where(sql<boolean>`(p.created_at, p.payment_id) < (${after?.created_at}, ${after?.payment_id}::uuid)`),
        )
        .limit(limit)
        .execute(),
    ),
  )
  for await (const row of rows) yield toPayment(row)
}

const find = route(contract.findPayments, async ({ own, query }) => {
  const { limit, skip, sort, order, format, ...filter } = query
  if (format) {
    const { count } = await own(async (tx, customerId) => {
      await checkCharger(tx, customerId, filter.chargerId)
      return sumUp(tx, customerId, filter)
    })
    checkFileRows(count, 'endDate')
    return { file: tableFile({ fileName: 'Payments', sheet: 'Payments' }, fileColumns, fileRows(own, filter)) }
  }
  return own(async (tx, customerId) => {
    await checkCharger(tx, customerId, filter.chargerId)
    const all = await sumUp(tx, customerId, filter)
    const rows = await rowsOf(tx, customerId, filter, { sort, order }).limit(limit).offset(skip).execute()
    return {
      payments: rows.map(toPayment),
      totalCount: all.count,
      totals: {
        reserved: dkkOf(all.reserved),
        captured: dkkOf(all.captured),
        refunded: dkkOf(all.refunded),
        net: dkkOf(all.captured - all.refunded),
      },
      simulated: simulatedOf([all.isSimulated, all.isAllSimulated]),
      isReady: (await readAccount(tx, customerId)) !== undefined,
    }
  })
})

const get = ownRoute(contract.getPayment, async (tx, customerId, { params }) => {
  const row = await getPaymentRow(tx, customerId, params.id)
  const history = await selectRows(tx, customerId, 'payment_event', { payment_id: params.id })
    .select(['at', 'event', 'amount_ore', 'who', 'words'])
    .orderBy('no')
    .limit(500)
    .execute()
  return {
    payment: toPayment(row),
    approveUrl: row.state === 'waiting' ? row.redirect_url : null,
    history: history.map(({ at, event, amount_ore, who, words }) => ({
      at: at.toISOString(),
      who,
      words,
      amount: amount_ore === null ? null : dkkOf(amount_ore),
      event: contract.paymentEvents.find((one) => one === event) ?? 'told',
    })),
  }
})

export const lists = [find, get]
