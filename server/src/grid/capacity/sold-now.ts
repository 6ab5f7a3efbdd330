import { capacityKind, type MarketId } from '@gridmast/contract/markets.ts'
import { can } from '@gridmast/contract/roles.ts'
import { hourMs, minuteMs } from '@gridmast/contract/time.ts'
import { sql } from 'kysely'
import type { Viewer } from '#access/viewer.ts'
import type { Own } from '#platform/http/route.ts'
import type { Tx } from '#platform/records/records.ts'

type Of = { market: MarketId; instanceId?: string | undefined; minuteMs: number }

const sumSoldNow = async (tx: Tx, customerId: string, { market, instanceId, minuteMs }: Of): Promise<number> => {
  const now = new Date(minuteMs)
  // No period is longer than a day of 25 hours: earlier ones are over.
  const since = new Date(minuteMs - 25 * hourMs)
  const { rows } = await sql<{ kw: number }>`
    select coalesce(sum(b.won_mw) * 1000, 0)::float8 as kw
    from instance i join bid b on b.customer_id = i.customer_id and b.instance_id = i.instance_id
    where i.customer_id = ${customerId} and i.enabled and b.market = ${market} and b.won
      and b.starts_at > ${since} and b.starts_at <= ${now} and b.ends_at > ${now}
      ${capacityKind(market) === 'capacityUp' ? sql`and b.product not like '%-DEC'` : sql``}
      ${instanceId === undefined ? sql`` : sql`and b.instance_id = ${instanceId}`}`.execute(tx)
  return rows[0]?.kw ?? 0
}

export const soldNowOf = async (
  { viewer, readCached, nowMs }: { viewer: Viewer; readCached: Own['readCached']; nowMs: number },
  of: { market: MarketId; instanceId?: string | undefined },
): Promise<number | null> =>
  can(viewer, 'bid-request.read') ? readCached(sumSoldNow, { ...of, minuteMs: nowMs - (nowMs % minuteMs) }) : null
