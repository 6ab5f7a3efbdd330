import { addDays, dayMs, today } from '@gridmast/contract/time.ts'
import type { WebhookData } from '@gridmast/contract/notifications/webhook-data.ts'
import { type RawBuilder, sql } from 'kysely'
import { portalAddress } from '#config.ts'
import type { App } from '#context.ts'
import { queueMail } from '#platform/messaging/mail.ts'
import { nothingBought, publishedAs } from '#grid/published/published-prices.ts'
import type { Job } from '#platform/jobs/jobs.ts'
import { addMarks } from '#platform/records/marks.ts'
import type { Tx } from '#platform/records/records.ts'
import { sqlRows, type RowOf, updateRows } from '#platform/records/rows.ts'
import { queueWebhook } from '#platform/messaging/webhook.ts'
import { findBidSubscribers } from '#trading/requests/queries.ts'
import { bidResult } from '#trading/placing/mails.ts'
import { type FileKey, markCorrected } from './result-queries.ts'

type DecidedCount = FileKey & {
  customer_id: string
  decided: number
  instances: string[]
  turned: string[] | null
}

const isWon = sql`(p.is_bought and b.price_eur <= p.price_eur)`

const decide = async (tx: Tx, bids: RawBuilder<unknown>, nowMs: number): Promise<DecidedCount[]> => {
  const rows = await sqlRows<DecidedCount>(tx)`
  with priced as (
    select b.row_id, b.won as was_won, published.price_eur, published.is_bought
    from (${bids}) b
    join instance i on i.customer_id = b.customer_id and i.instance_id = b.instance_id
    -- One read by key per bid, independent of table statistics: a join took seconds in a store that was just filled.
    cross join lateral (
      select p.price_eur, not ${nothingBought} as is_bought
      from ${publishedAs} join market_price p on p.market = b.product and p.area = i.area and p.product = ''
        and p.auction = a.published and p.starts_at = b.starts_at and p.price_eur is not null
      where a.auction = b.auction order by a.place limit 1) published),
  decided as (
    update bid b
    set won = ${isWon}, won_mw = case when ${isWon} then b.capacity_mw end,
      marginal_price_eur = p.price_eur, decided_at = ${new Date(nowMs)}, decided_by = 'price'
    from priced p
    -- By key the join was quadratic without statistics: 180 s for 9,400 bids of a store that was just filled.
    where b.ctid = p.row_id
      and (b.won is null or b.marginal_price_eur <> p.price_eur) and b.decided_by is distinct from 'result-file'
    returning b.customer_id, b.market, b.auction, b.day, b.instance_id, b.won <> p.was_won as turned)
  select customer_id, market, auction, day, count(*)::int as decided, array_agg(distinct instance_id) as instances,
    array_agg(distinct instance_id) filter (where turned) as turned
  from decided group by customer_id, market, auction, day`
  for (const { customer_id, day, instances } of rows)
    addMarks(
      tx,
      'settlement_due',
      instances.map((instance_id) => ({ customer_id, instance_id, day })),
    )
  return rows
}

const keys = sql`b.ctid as row_id, b.customer_id, b.instance_id, b.product, b.auction, b.starts_at, b.won`
const countOf = (files: readonly DecidedCount[]) => files.reduce((sum, { decided }) => sum + decided, 0)

/**
 * Decides bids by the published marginal price: won with the full capacity up to that price; lost where the auction bought nothing (domain
 * notes, section 4.5). Decisions of the operator's file stay. A revised price decides again, found by its revision so that bids of weeks are not
 * read each time, and subscribers of a changed outcome are notified again. Returns the number of decided or changed bids.
 */
export const decideByPrices = async (tx: Tx, nowMs: number, since: Date): Promise<number> => {
  const revised = sql`
    select ${keys} from market_price_revision r join bid b on b.product = r.market and b.starts_at = r.starts_at
    where r.replaced_at >= ${since} and r.product = '' and b.decided_by = 'price'`
  const decided = await decide(tx, revised, nowMs)
  for (const { customer_id, turned, ...file } of decided) if (turned) await markCorrected(tx, customer_id, file, turned)
  return (await decideOpen(tx, nowMs, since)) + countOf(decided)
}

export const decideOpen = async (tx: Tx, nowMs: number, since: Date): Promise<number> => {
  const open = sql`select ${keys} from bid b where b.won is null and b.starts_at >= ${since}`
  return countOf(await decide(tx, open, nowMs))
}

/** Prices are revised within days; older bids are decided when their prices are backfilled manually. */
const lookBackMs = 40 * dayMs
/** Results of older days are not notified. */
const notifiedDays = 7

type DecidedFile = FileKey & RowOf<'bid_file', 'customer_id' | 'file_id' | 'tell_instances'>

const findDecidedFiles = (tx: Tx, since: Date): Promise<DecidedFile[]> =>
  sqlRows<DecidedFile>(tx)`
    select f.customer_id, f.file_id, f.market, f.auction, f.day, f.tell_instances from bid_file f
    where f.results_told_at is null and f.sent_at >= ${since} and f.name <> '' and not exists (
      select from bid b where b.customer_id = f.customer_id and b.market = f.market and b.day = f.day and b.auction = f.auction
        and b.won is null)
    order by f.sent_at limit 1000`

/** False when another process has notified, or the file was corrected again in the meantime. */
const claimNotification = async (tx: Tx, file: DecidedFile, at: Date): Promise<boolean> => {
  const claimed = await updateRows(tx, file.customer_id, 'bid_file', { file_id: file.file_id, results_told_at: null })
    .set({ results_told_at: at, tell_instances: null })
    .where(sql<boolean>`tell_instances is not distinct from ${file.tell_instances}::uuid[]`)
    .executeTakeFirst()
  return claimed.numUpdatedRows === 1n
}

type Outcome = {
  instance_id: string
  instance: string
  sent: number
  won: number
  won_mw: string
  most_mw: string | null
  requests: string[]
}

const findOutcomes = (tx: Tx, { customer_id, market, auction, day, tell_instances }: DecidedFile) =>
  sqlRows<Outcome>(tx)`
    select b.instance_id, i.name as instance, count(*)::int as sent, count(*) filter (where b.won)::int as won,
      trim_scale(coalesce(sum(b.won_mw), 0))::text as won_mw, trim_scale(max(b.won_mw))::text as most_mw, array_agg(distinct b.request_id::text) as requests
    from bid b join instance i on i.customer_id = b.customer_id and i.instance_id = b.instance_id
    where b.customer_id = ${customer_id} and b.market = ${market} and b.day = ${day} and b.auction = ${auction}
      and (${tell_instances}::uuid[] is null or b.instance_id = any(${tell_instances}::uuid[]))
    group by b.instance_id, i.name, i.position order by i.position`

/** Mails and webhooks in the transaction of the claim, so that a killed process neither loses nor repeats them. */
const notifyFile = async (tx: Tx, app: Pick<App, 'config'>, file: DecidedFile, nowMs: number): Promise<void> => {
  if (!(await claimNotification(tx, file, new Date(nowMs)))) return
  const { customer_id: customerId, market, auction, day } = file
  if (day < addDays(today(nowMs), -notifiedDays)) return
  for (const { instance_id, instance, sent, won, won_mw, most_mw, requests } of await findOutcomes(tx, file)) {
    const link = portalAddress(app.config, `/demandResponse/${market}?tab=requestBid`)
    const isCorrected = file.tell_instances !== null
    const letter = bidResult({ isCorrected, instance, market, auction, day, sent, won, mostMw: most_mw, link })
    for (const to of await findBidSubscribers(tx, customerId, instance_id, market))
      await queueMail(tx, { customerId, to }, letter, { nowMs })
    const data: WebhookData['bid-result'] = {
      groupId: instance_id,
      groupName: instance,
      biddingMarket: market,
      auction,
      date: day,
      sent,
      won,
      wonMw: Number(won_mw),
      bidRequests: requests,
      corrected: isCorrected,
    }
    await queueWebhook(tx, customerId, 'bid-result', data, nowMs)
  }
}

export const decideAndNotify = async (app: Pick<App, 'records' | 'config' | 'clock' | 'log'>): Promise<void> => {
  const nowMs = app.clock.now()
  const since = new Date(nowMs - lookBackMs)
  await app.records.system((tx) => decideByPrices(tx, nowMs, since))
  for (const file of await app.records.system((tx) => findDecidedFiles(tx, since)))
    await app.records
      .tenant(file.customer_id, (tx) => notifyFile(tx, app, file, nowMs))
      .catch((error: unknown) => app.log.error({ err: error, file }, 'bid result not notified'))
}

export const resultsJob: Job<App> = { name: 'decide-bids', cron: '*/5 * * * *', atStart: true, run: decideAndNotify }
