import { limits } from '@gridmast/contract/limits.ts'
import { minuteMs } from '@gridmast/contract/time.ts'
import type { Failure } from '#connectors/fetch-text.ts'
import { bundleSize, fetchDetails, fetchMeteringPointIds, fetchMeteringPoints } from '#connectors/eloverblik/fetch.ts'
import type { MeterDetails, MeteringPoint } from '#connectors/eloverblik/parse.ts'
import { writeAudit } from '#platform/records/audit.ts'
import { newId } from '#platform/records/ids.ts'
import type { Progress } from '#platform/http/live.ts'
import type { Tx } from '#platform/records/records.ts'
import { sqlRows, insertRow, selectRows } from '#platform/records/rows.ts'
import { listingOf } from './due.ts'
import { requestEloverblik, type EloverblikApp } from './eloverblik.ts'

type ListedPoint = MeteringPoint | MeterDetails
type ListingLimits = { waitMs: number; timeoutMs: number; progress?: Progress }

const isConsumption = ({ type }: ListedPoint): boolean => type === null || type === 'E17'

/** The list is too large for the source at the moment, unlike an outage or a requested wait. */
const isListTooLarge = ({ kind, httpStatus }: Failure): boolean =>
  kind === 'timeout' || kind === 'too-large' || [500, 502, 504].includes(httpStatus ?? 0)

/** Alternative to a slow list (domain notes, 2.1): the ids, then the details of new ones in bundles. */
const listByIds = async (
  app: EloverblikApp,
  { progress, ...patience }: ListingLimits,
  cvr: string,
  stored: ReadonlySet<string>,
): Promise<{ result: ListedPoint[] } | Failure> => {
  const ids = await requestEloverblik(app, patience, (access) => fetchMeteringPointIds(access, cvr))
  if (!('result' in ids)) return ids
  const newIds = ids.result.filter((id) => !stored.has(id))
  const result: ListedPoint[] = []
  for (let first = 0; first < newIds.length; first += bundleSize) {
    progress?.(first, newIds.length)
    const bundle = newIds.slice(first, first + bundleSize)
    const details = await requestEloverblik(app, patience, (access) => fetchDetails(access, bundle))
    if (!('result' in details)) return details
    result.push(...details.result.flatMap((one) => ('error' in one ? [] : [one])))
  }
  return { result }
}

/** Consumption points of a CVR number; without the list, `stored` ones may be missing. */
export const listMeteringPoints = async (
  app: EloverblikApp,
  patience: ListingLimits,
  cvr: string,
  stored: ReadonlySet<string> = new Set(),
): Promise<{ result: ListedPoint[] } | Failure> => {
  const list = await requestEloverblik(app, { ...patience, mayFail: true }, (access) =>
    fetchMeteringPoints(access, cvr),
  )
  const points = 'ok' in list && isListTooLarge(list) ? await listByIds(app, patience, cvr, stored) : list
  return 'result' in points ? { result: points.result.filter(isConsumption) } : points
}

/** Denmark east of the Great Belt has the postcodes 1000 to 4999. */
const areaOf = (postcode: string | null) =>
  postcode === null || !/^\d{4}$/.test(postcode) ? null : postcode < '5000' ? 'DK2' : 'DK1'

/** Adds new points to a group and stores the end of their access, since a power of attorney is renewed; returns the new ones. */
export const saveMeteringPoints = async (
  tx: Tx,
  { customerId, groupId }: { customerId: string; groupId: string },
  points: readonly ListedPoint[],
  nowMs: number,
): Promise<string[]> => {
  const stored = await selectRows(tx, customerId, 'meter').select('metering_point_id').execute()
  const storedIds = new Set(stored.map(({ metering_point_id }) => metering_point_id))
  for (const [i, point] of points.entries()) {
    const access = { access_from: point.accessFrom, access_to: point.accessTo }
    await insertRow(tx, customerId, 'meter', {
      meter_id: newId(nowMs),
      group_id: groupId,
      metering_point_id: point.meteringPointId,
      name: point.address ? point.address.slice(0, limits.meterNameMax) : `Meter ${storedIds.size + i + 1}`,
      address: point.address.slice(0, limits.meterAddressMax),
      area: areaOf(point.postcode),
      ...access,
      ...('gln' in point
        ? { grid_company: point.gridCompany, grid_company_gln: point.gln, details_at: new Date(nowMs) }
        : {}),
      added_at: new Date(nowMs),
    })
      // A point under another key of this customer stays there; details do not contain the end of the access.
      .onConflict((conflict) => {
        const same = conflict.columns(['customer_id', 'metering_point_id'])
        return 'gln' in point ? same.doNothing() : same.doUpdateSet(access).where('meter.group_id', '=', groupId)
      })
      .execute()
  }
  return points.map(({ meteringPointId }) => meteringPointId).filter((id) => !storedIds.has(id))
}

const claimMs = 10 * minuteMs

const claimNextKey = async (tx: Tx, nowMs: number): Promise<string | null> => {
  const now = new Date(nowMs)
  const [row] = await sqlRows<{ cvr: string }>(tx)`
    update meter_group set claimed_until = ${new Date(nowMs + claimMs)} where cvr = (
      select g.cvr from meter_group g join customer c on c.customer_id = g.customer_id and g.cvr = any(c.cvrs)
      where (g.listed_at is null or g.listed_at < ${new Date(listingOf(nowMs))}) and (g.claimed_until is null or g.claimed_until <= ${now})
      order by g.listed_at nulls first, g.cvr limit 1 for update of g skip locked
    ) returning cvr`
  return row?.cvr ?? null
}

const groupsOf = (tx: Tx, cvr: string) => sqlRows<{ customer_id: string; group_id: string }>(tx)`
    select g.customer_id, g.group_id from meter_group g
    join customer c on c.customer_id = g.customer_id and g.cvr = any(c.cvrs) where g.cvr = ${cvr}`

const findStoredPoints = async (tx: Tx, cvr: string): Promise<Set<string>> => {
  const rows = await sqlRows<{ metering_point_id: string }>(tx)`
    select metering_point_id from meter m join meter_group g on g.customer_id = m.customer_id and g.group_id = m.group_id
    where g.cvr = ${cvr} group by 1 having count(*) = (select count(*) from meter_group where cvr = ${cvr})`
  return new Set(rows.map(({ metering_point_id }) => metering_point_id))
}

export const runListing = async (app: EloverblikApp): Promise<{ rowCount: number } | Failure | null> => {
  const cvr = await app.records.system((tx) => claimNextKey(tx, app.clock.now()))
  if (cvr === null) return null
  const stored = await app.records.system((tx) => findStoredPoints(tx, cvr))
  const points = await listMeteringPoints(app, { waitMs: 20_000, timeoutMs: 30_000 }, cvr, stored)
  if (!('result' in points)) return points
  const nowMs = app.clock.now()
  await app.records.system(async (tx) => {
    for (const { customer_id, group_id } of await groupsOf(tx, cvr)) {
      const meters = await saveMeteringPoints(tx, { customerId: customer_id, groupId: group_id }, points.result, nowMs)
      const entry = { who: 'server', action: 'data-hub.new-meters', subject: cvr, after: { meters } } as const
      if (meters.length > 0) await writeAudit(tx, customer_id, nowMs, entry)
    }
    const listed = { listed_at: new Date(nowMs), claimed_until: null }
    await tx.updateTable('meter_group').set(listed).where('cvr', '=', cvr).execute()
  })
  return { rowCount: points.result.length }
}
