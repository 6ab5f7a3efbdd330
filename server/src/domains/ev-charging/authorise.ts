import { normaliseTag } from '#charging/tag-words.ts'
import type { Tx } from '#platform/records.ts'
import type { Token, TokenInfo } from '#protocols/ocpp/facts.ts'
import { type Charger, portalTagOf } from './directory.ts'

/** Whether a tag may charge: one look at the rows, so that an active flag counts from the next Authorize on. */

/** Chargers know a group by a tag of its own, at most 20 characters. */
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
    .leftJoin('charger_tag_group as g', (join) =>
      join.onRef('g.customer_id', '=', 't.customer_id').onRef('g.group_id', '=', 't.group_id'),
    )
    .select(['t.tag_id', 't.active', 't.expires_at', 'g.no as group_no', 'g.active as group_active'])
    .where('t.customer_id', '=', customerId)
    .where('t.tag', '=', tag)
    .executeTakeFirst()

const said = (status: TokenInfo['status'], more: Partial<TokenInfo> = {}): TokenInfo => ({
  ...{ status, groupKey: null, expiresAt: null },
  ...more,
})

export const authorise = async (tx: Tx, charger: Charger, token: Token, nowMs: number): Promise<Decision> => {
  const tag = normaliseTag(token.id)
  const known = { tag, tagId: null }
  // A charger that is set to charge whoever plugs in says so with a token of this type.
  if (token.type === 'NoAuthorization') return { ...known, mode: 'adhoc', info: said('accepted') }
  if (tag === portalTagOf(charger.customerId)) return { ...known, mode: 'remote', info: said('accepted') }
  const found = await findTag(tx, charger.customerId, tag)
  if (!found) return { ...known, mode: 'tag', info: said('unknown') }
  const groupKey = found.group_no === null ? null : groupKeyOf(found.group_no)
  const expiresAt = found.expires_at?.toISOString() ?? null
  const status = () => {
    if (!found.active || found.group_active === false) return 'blocked'
    return found.expires_at && found.expires_at.getTime() <= nowMs ? 'expired' : 'accepted'
  }
  return { tag, tagId: found.tag_id, mode: 'tag', info: said(status(), { groupKey, expiresAt }) }
}
