import type { Meter, MeterGroup } from '@gridmast/contract/meters/data-hub.ts'
import { m } from '@gridmast/contract/messages.ts'
import { type RawBuilder, sql, type Updateable } from 'kysely'
import type { Meter as MeterTable } from '#platform/records/db-types.ts'
import { notFound, Refusal } from '#platform/http/errors.ts'
import type { Tx } from '#platform/records/records.ts'
import { onKey, getRow, lockRow, selectRows, updateRows } from '#platform/records/rows.ts'
import type { Pricing } from '#grid/published/pricing.ts'
import { byName } from '#platform/http/list-query.ts'

const meters = (tx: Tx, customerId: string) =>
  tx
    .selectFrom('meter as m')
    .innerJoin('meter_group as g', onKey('g', 'm', 'group_id'))
    .leftJoin('price_signal as s', onKey('s', 'm', 'price_signal_id'))
    .selectAll('m')
    .select(['g.cvr', sql<string | null>`coalesce(s.area, m.area)`.as('priced_area')])
    .where('m.customer_id', '=', customerId)

const inOrder = (query: ReturnType<typeof meters>) =>
  query
    .orderBy('g.cvr')
    .orderBy(byName(sql`m.name`))
    .orderBy('m.meter_id')

export type MeterRow = Awaited<ReturnType<typeof findMeters>>[number]

export const findMeters = (tx: Tx, customerId: string, groupId?: string) => {
  const all = meters(tx, customerId)
  return inOrder(groupId ? all.where('m.group_id', '=', groupId) : all).execute()
}

export const getMeter = (tx: Tx, customerId: string, meterId: string): Promise<MeterRow> =>
  meters(tx, customerId).where('m.meter_id', '=', meterId).executeTakeFirstOrThrow(notFound)

export const getMeterAnd = async <T>(tx: Tx, customerId: string, meterId: string, more: RawBuilder<T>) => {
  const { more: column, ...meter } = await meters(tx, customerId)
    .select(more.as('more'))
    .where('m.meter_id', '=', meterId)
    .executeTakeFirstOrThrow(notFound)
  return { meter, more: column }
}

export const getMeters = async (tx: Tx, customerId: string, meterIds: readonly string[]): Promise<MeterRow[]> => {
  const ids = new Set(meterIds)
  const rows = await inOrder(meters(tx, customerId).where('m.meter_id', 'in', [...ids])).execute()
  if (rows.length < ids.size) throw notFound()
  return rows
}

export const lockMeter = async (tx: Tx, customerId: string, ids: { groupId: string; meterId: string }) => {
  await lockRow(tx, customerId, 'meter', { group_id: ids.groupId, meter_id: ids.meterId }, ['meter_id'])
  return getMeter(tx, customerId, ids.meterId)
}

export const saveMeter = (tx: Tx, customerId: string, meterId: string, columns: Updateable<MeterTable>) =>
  updateRows(tx, customerId, 'meter', { meter_id: meterId }).set(columns).execute()

export const findGroups = (tx: Tx, customerId: string) =>
  selectRows(tx, customerId, 'meter_group')
    .select(['group_id', 'cvr', 'name'])
    .orderBy('created_at')
    .orderBy('group_id')
    .execute()

export const getGroup = (tx: Tx, customerId: string, groupId: string) =>
  getRow(tx, customerId, 'meter_group', { group_id: groupId }, ['group_id', 'cvr', 'name'])

export const checkPriceSignal = async (tx: Tx, customerId: string, priceSignalId: string): Promise<string> => {
  const { area } = await getRow(tx, customerId, 'price_signal', { price_signal_id: priceSignalId }, ['area'])
  return area
}

type Preview = { priceSignal?: { area: string }; taxValue?: string | undefined }

export const pricingOf = (meter: MeterRow, preview: Preview = {}): Pricing => {
  const area = preview.priceSignal?.area ?? (meter.price_signal_id === null ? null : meter.priced_area)
  const taxDkkPerMwh = preview.taxValue ?? meter.tax_dkk_per_mwh
  if (area === null || taxDkkPerMwh === null) throw new Refusal(409, m.configurationRequired)
  const tariff =
    meter.tariff_gln !== null && meter.tariff_code !== null ? { gln: meter.tariff_gln, code: meter.tariff_code } : null
  return { area, taxDkkPerMwh, tariff }
}

export const previewOf = async (
  tx: Tx,
  customerId: string,
  { priceSignal, taxValue }: { priceSignal?: string | undefined; taxValue?: string | undefined },
): Promise<Preview> => ({
  ...(priceSignal ? { priceSignal: { area: await checkPriceSignal(tx, customerId, priceSignal) } } : {}),
  taxValue,
})

export const isConfigured = (row: Pick<MeterRow, 'price_signal_id' | 'tax_dkk_per_mwh'>): boolean =>
  row.price_signal_id !== null && row.tax_dkk_per_mwh !== null

export const toMeter = (row: MeterRow): Meter => ({
  id: row.meter_id,
  meteringPointId: row.metering_point_id,
  dataHub: {
    name: row.name,
    priceSignal: row.price_signal_id,
    taxValue: row.tax_dkk_per_mwh === null ? null : Number(row.tax_dkk_per_mwh),
    tariff: row.tariff_gln === null ? null : `${row.tariff_gln}:${row.tariff_code}`,
    address: row.address,
    enabled: row.enabled && isConfigured(row),
  },
  configured: isConfigured(row),
  area: row.priced_area,
  resolution: row.step_s === null ? null : row.step_s === 900 ? 'quarter' : 'hour',
  gridCompany: row.grid_company === null ? null : { name: row.grid_company, gln: row.grid_company_gln },
  accessTo: row.access_to,
  lastRead: row.last_read_at?.toISOString() ?? null,
  problem: row.last_error,
})

export const toGroup = (
  { group_id, cvr, name }: { group_id: string; cvr: string; name: string | null },
  ofGroup: readonly MeterRow[],
): MeterGroup => ({ _id: group_id, key: cvr, name, meterIdData: ofGroup.map(toMeter) })
