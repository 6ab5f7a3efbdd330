import type { ResultColumns } from '@gridmast/contract/trading/bid-files.ts'
import { sql } from 'kysely'
import { notFound } from '#platform/http/errors.ts'
import { sqlRows, insertRows, selectRows, type RowOf } from '#platform/records/rows.ts'
import { byName, orderBy, page, type Paged } from '#platform/http/list-query.ts'
import { addMarks, type Marks } from '#platform/records/marks.ts'
import type { Tx } from '#platform/records/records.ts'
import type { BidOfInstance, Decision } from './result-lines.ts'

export const findBidsBetween = (
  tx: Tx,
  customerId: string,
  { first, last }: { first: string; last: string },
  lock: boolean,
): Promise<BidOfInstance[]> =>
  sqlRows<BidOfInstance>(tx)`
    select b.instance_id, i.name as instance_name, i.area, b.market, b.product, b.auction, b.starts_at, b.day, b.slot, b.request_id,
      trim_scale(b.capacity_mw)::text as capacity_mw, trim_scale(b.price_eur)::text as price_eur, b.won,
      trim_scale(b.won_mw)::text as won_mw, trim_scale(b.marginal_price_eur)::text as marginal_price_eur, b.decided_by
    from bid b join instance i on i.customer_id = b.customer_id and i.instance_id = b.instance_id
    where b.customer_id = ${customerId} and b.day between ${first} and ${last}
    order by b.instance_id, b.product, b.auction, b.starts_at ${lock ? sql`for update of b` : sql``}`

const files = (tx: Tx, customerId: string) => selectRows(tx, customerId, 'bid_result_file').selectAll()

export const findSameFile = (tx: Tx, customerId: string, sha256: Buffer) =>
  files(tx, customerId).where('sha256', '=', sha256).executeTakeFirst()

export const getFile = (tx: Tx, customerId: string, fileId: string) =>
  files(tx, customerId).where('file_id', '=', fileId).executeTakeFirstOrThrow(notFound)

const sortColumns = {
  name: byName(sql`name`),
  at: sql`taken_at`,
  by: sql`lower(taken_by)`,
  bids: sql`bids`,
  changed: sql`changed`,
  against: sql`contradictions`,
}

export const findFiles = (tx: Tx, customerId: string, paged: Paged<keyof typeof sortColumns>) =>
  page(files(tx, customerId).orderBy(orderBy(paged, sortColumns, sql`taken_at desc, file_id`)), paged)

export const findLastColumns = async (tx: Tx, customerId: string): Promise<ResultColumns> => {
  const last = await selectRows(tx, customerId, 'bid_result_file')
    .select((of) => of.ref('columns').$castTo<ResultColumns>().as('columns'))
    .orderBy('taken_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return last?.columns ?? {}
}

type ImportedFile = Omit<RowOf<'bid_result_file'>, 'columns' | 'bids' | 'changed'> & { columns: ResultColumns }

const batch = 1000

export const saveDecisions = async (tx: Tx, file: ImportedFile, decisions: readonly Decision[]): Promise<void> => {
  const { customer_id, file_id } = file
  await tx
    .insertInto('bid_result_file')
    .values({
      ...file,
      columns: JSON.stringify(file.columns),
      bids: decisions.length,
      changed: decisions.filter(({ kind }) => kind === 'changed').length,
    })
    .execute()
  for (let i = 0; i < decisions.length; i += batch) {
    const rows = decisions.slice(i, i + batch).map(({ bid, wonMw, marginalPriceEur }) => ({
      customer_id,
      file_id,
      instance_id: bid.instance_id,
      product: bid.product,
      auction: bid.auction,
      starts_at: bid.starts_at,
      won: Number(wonMw) > 0,
      won_mw: Number(wonMw) > 0 ? wonMw : null,
      marginal_price_eur: marginalPriceEur,
      won_before: bid.won,
      won_mw_before: bid.won_mw,
      marginal_price_eur_before: bid.marginal_price_eur,
      decided_by_before: bid.decided_by,
    }))
    await insertRows('bid_result', rows).execute(tx)
  }
  const days = await sqlRows<Marks['settlement_due']>(tx)`
    with decided as (
      update bid b set won = r.won, won_mw = r.won_mw, marginal_price_eur = r.marginal_price_eur,
        decided_at = ${file.taken_at}, decided_by = 'result-file'
      from bid_result r
      where r.customer_id = ${customer_id} and r.file_id = ${file_id} and b.customer_id = r.customer_id
        and (b.instance_id, b.product, b.auction, b.starts_at) = (r.instance_id, r.product, r.auction, r.starts_at)
      returning b.customer_id, b.instance_id, b.day)
    select distinct customer_id, instance_id, day::text from decided`
  addMarks(tx, 'settlement_due', days)
}

export type FileKey = Pick<RowOf<'bid_file'>, 'market' | 'auction' | 'day'>

export const markCorrected = async (
  tx: Tx,
  customerId: string,
  { market, auction, day }: FileKey,
  instances: readonly string[],
): Promise<void> => {
  await sql`
    update bid_file set results_told_at = null,
      tell_instances = (select array_agg(distinct id) from unnest(coalesce(tell_instances, '{}') || ${instances}::uuid[]) id)
    where customer_id = ${customerId} and market = ${market} and auction = ${auction} and day = ${day}
      and (results_told_at is not null or tell_instances is not null)`.execute(tx)
}

export type HistoryRow = Omit<RowOf<'bid_result'>, 'customer_id' | 'file_id' | 'instance_id' | 'won'> & {
  instance_name: string
}

export const findHistory = (tx: Tx, customerId: string, fileId: string, limit: number, skip: number) =>
  sqlRows<HistoryRow>(tx)`
    select i.name as instance_name, r.product, r.auction, r.starts_at, r.won_mw, r.marginal_price_eur, r.won_before,
      r.won_mw_before, r.marginal_price_eur_before, r.decided_by_before
    from bid_result r join instance i on i.customer_id = r.customer_id and i.instance_id = r.instance_id
    where r.customer_id = ${customerId} and r.file_id = ${fileId}
    order by r.instance_id, r.product, r.auction, r.starts_at limit ${limit} offset ${skip}`
