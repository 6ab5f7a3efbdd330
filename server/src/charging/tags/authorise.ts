import { budgetOf, findSpending, isSpent } from './budgets.ts'
import { minuteMs } from '@gridmast/contract/time.ts'
import type { Tx } from '#platform/records/records.ts'
import { onKey, sqlRows } from '#platform/records/rows.ts'
import type { Token, TokenInfo } from '#protocols/ocpp/facts.ts'
import { type ChargerKey, portalTagOf } from '#charging/ledger/directory.ts'

/** Chargers differ in case and padding. */
export const normaliseTag = (id: string): string => id.trim().toUpperCase()

const reserved = /^GM[0-9A-F]{16}$/
export const isReservedTag = (tag: string): boolean => reserved.test(tag)

/** A tag is read from its row each time, so that its active flag applies from the next Authorize on. */

/** Chargers receive a group as a tag of its own, at most 20 characters. */
export const groupKeyOf = (no: number): string => `G${no.toString(36).toUpperCase()}`

export type Decision = {
  info: TokenInfo
  tag: string
  tagId: string | null
  mode: 'tag' | 'remote' | 'adhoc'
}

const findTag = (tx: Tx, customerId: string, tag: string) =>
  tx
    .selectFrom('charger_tag as t')
    .leftJoin('charger_tag_group as g', onKey('g', 't', 'group_id'))
    .select(['t.tag_id', 't.active', 't.expires_at', 'g.no as group_no', 'g.active as group_active'])
    .select(['t.group_id', 't.budget_dkk', 't.budget_kwh', 't.warn_percent'])
    .select(['g.budget_dkk as group_dkk', 'g.budget_kwh as group_kwh', 'g.warn_percent as group_percent'])
    .where('t.customer_id', '=', customerId)
    .where('t.tag', '=', tag)
    .executeTakeFirst()

const noInfo = { groupKey: null, expiresAt: null }

/** A session reported this late is already over: neither a budget spent since nor a session elsewhere refuses it. */
const lateMs = 5 * minuteMs

type TagRow = NonNullable<Awaited<ReturnType<typeof findTag>>>

const hasSpent = async (tx: Tx, customerId: string, row: TagRow, nowMs: number): Promise<boolean> => {
  const tagBudget = budgetOf(row)
  const { group_dkk: budget_dkk, group_kwh: budget_kwh, group_percent } = row
  const groupBudget = budgetOf({ budget_dkk, budget_kwh, warn_percent: group_percent ?? 0 })
  if (!tagBudget && !groupBudget) return false
  const tag = { tagId: row.tag_id, groupId: row.group_id }
  return isSpent(await findSpending(tx, customerId, nowMs, tag), { ...tag, own: tagBudget, group: groupBudget })
}

/** True where the customer allows a tag one session at a time and the tag charges elsewhere; an Authorize has no EVSE. */
const chargesElsewhere = async (tx: Tx, { customerId, chargerId }: ChargerKey, tagId: string, evse: number | null) => {
  const [row] = await sqlRows<{ isCharging: boolean }>(tx)`
    select exists (select from charging_choice where customer_id = ${customerId} and one_session) and exists (
      select from charger_transaction where customer_id = ${customerId} and tag_id = ${tagId} and state in ('starting', 'active')
        and not refused and (charger_id <> ${chargerId} or evse_no <> ${evse}::int)) as "isCharging"`
  return row?.isCharging ?? false
}

type AuthorisationTime = {
  atMs?: number
  /** Set for an Authorize and for a session that begins at an EVSE; later messages do not begin a second session. */
  beginning?: { evse: number | null } | null
}

export const authorise = async (
  tx: Tx,
  charger: ChargerKey,
  token: Token,
  nowMs: number,
  { atMs = nowMs, beginning = null }: AuthorisationTime = {},
): Promise<Decision> => {
  const tag = normaliseTag(token.id)
  const withoutTag = { tag, tagId: null }
  // A charger configured for free charging sends a token of this type.
  if (token.type === 'NoAuthorization') return { ...withoutTag, mode: 'adhoc', info: { status: 'accepted', ...noInfo } }
  if (tag === portalTagOf(charger.customerId))
    return { ...withoutTag, mode: 'remote', info: { status: 'accepted', ...noInfo } }
  const row = await findTag(tx, charger.customerId, tag)
  if (!row) return { ...withoutTag, mode: 'tag', info: { status: 'unknown', ...noInfo } }
  const groupKey = row.group_no === null ? null : groupKeyOf(row.group_no)
  const expiresAt = row.expires_at?.toISOString() ?? null
  const isOverspent = nowMs - atMs <= lateMs && (await hasSpent(tx, charger.customerId, row, nowMs))
  const status = async () => {
    if (!row.active || row.group_active === false || isOverspent) return 'blocked'
    if (row.expires_at && row.expires_at.getTime() <= nowMs) return 'expired'
    const begins = beginning !== null && nowMs - atMs <= lateMs
    return begins && (await chargesElsewhere(tx, charger, row.tag_id, beginning.evse)) ? 'concurrent' : 'accepted'
  }
  return { tag, tagId: row.tag_id, mode: 'tag', info: { status: await status(), groupKey, expiresAt } }
}
