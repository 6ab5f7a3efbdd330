import { sql } from 'kysely'
import * as contract from '@gridmast/contract/settlement/economics.ts'
import { monthRevenue } from '@gridmast/contract/settlement/month-revenue.ts'
import { roundDecimal, sumDecimals } from '@gridmast/contract/numbers.ts'
import { simulatedOf } from '@gridmast/contract/source.ts'
import { addDays, formatDate, localDateOf, monthBounds, today, type LocalDate } from '@gridmast/contract/time.ts'
import { ownRoute, route } from '#context.ts'
import * as column from '#platform/files/columns.ts'
import { checkFileRows, type Column, fileDays, tableFile, rowPages } from '#platform/files/table-file.ts'
import type { FileOrReply, Own } from '#platform/http/route.ts'
import { notFound } from '#platform/http/errors.ts'
import { aboutData } from '#readings/file.ts'
import { comparison } from './compare-months.ts'
import {
  checkInstance,
  checkFilter,
  type RevenueOfDay,
  type Filter,
  findDays,
  findInstances,
  findSettlements,
  getVersions,
  type SettlementOfInstance,
  sumEnablers,
  sumSettlements,
} from './queries.ts'
import { record } from './record.ts'
import { readPriceSources, toFormula, toSettlement } from './to-settlement.ts'
import { selectRows } from '#platform/records/rows.ts'
import { byName } from '#platform/http/list-query.ts'

type Days = { startDate?: LocalDate | undefined; endDate?: LocalDate | undefined }

const daysOf = ({ startDate, endDate }: Days, nowMs: number): { startDate: LocalDate; endDate: LocalDate } => {
  const month = (startDate ?? endDate ?? today(nowMs)).slice(0, 7)
  return {
    startDate: startDate ?? `${month}-01`,
    endDate: endDate ?? addDays(localDateOf(monthBounds(month).toMs), -1),
  }
}

const stateWords = ({ status }: contract.Settlement): string => {
  const { CM } = status
  if (CM.status === 'inactive') return 'Bid not placed'
  if (!CM.result) return 'Settlements not found'
  return CM.won ? 'Won' : 'Lost'
}

const columns: Column<contract.Settlement>[] = [
  column.day('Date', (one) => one.date),
  column.text('Instance', (one) => one.instanceIdName),
  column.text('Type', (one) => one.type),
  column.number('Capacity (MW)', 3, (one) => one.capacity),
  column.eur('Customer revenue', (one) => one.customer),
  column.eur('Partner revenue', (one) => one.partner),
  column.eur('Enablers revenue', ({ enablers }) => enablers && sumDecimals(Object.values(enablers))),
  column.eur('SC revenue', (one) => one.sc),
  column.eur('Energy Revenue', (one) => one.energyPrice),
  column.eur('Gross', (one) => one.gross),
  column.eur('Penalty', (one) => one.penalty),
  column.text('Status', stateWords),
  column.yesNo('Day is over', (one) => one.isClosed),
  column.text('Version', (one) => one.version),
  column.text('Measured by', (one) => (one.simulated ? 'Simulated' : 'Measured')),
]

async function* settlementsOf(own: Own['own'], filter: Filter) {
  const rows = rowPages<SettlementOfInstance>((page) =>
    own((tx, customerId) => findSettlements(tx, customerId, filter, page)),
  )
  for await (const row of rows) yield toSettlement(row)
}

const settlementsFile = async (own: Own['own'], filter: Filter, nowMs: number): Promise<FileOrReply> => {
  const { count, customer, expected } = await own((tx, customerId) =>
    sumSettlements(tx, customerId, filter, today(nowMs)),
  )
  checkFileRows(count, 'endDate')
  const { startDate, endDate } = filter
  const name = {
    fileName: `Settlements ${fileDays(startDate, endDate)}`,
    sheet: 'Settlements',
    about: {
      Period: `${formatDate(startDate)} to ${formatDate(endDate)}`,
      ...(expected !== null && {
        'Customer revenue of days that are over (EUR)': customer ?? '',
        'Expected customer revenue (EUR)': expected,
      }),
    },
  }
  return { file: tableFile(name, columns, settlementsOf(own, filter)) }
}

const find = route(contract.findSettlements, async ({ own, nowMs, query }) => {
  const { limit, skip, sort, order, format, market, licenseId, instanceId } = query
  const products = [market ?? []]
    .flat()
    .flatMap((names) => names.split(','))
    .map((name) => name.trim())
    .filter(Boolean)
  const filter: Filter = { ...daysOf(query, nowMs), products, licenseId, instanceId }
  if (format) {
    await own((tx, customerId) => checkFilter(tx, customerId, filter))
    return settlementsFile(own, filter, nowMs)
  }
  return own(async (tx, customerId) => {
    await checkFilter(tx, customerId, filter)
    const rows = await findSettlements(tx, customerId, filter, { limit, skip, sort, order })
    const sums = await sumSettlements(tx, customerId, filter, today(nowMs))
    const { count, unpublished, unshared, energyUnknown, customer, partner, sc, energy, expected } = sums
    const enablersData = await sumEnablers(tx, customerId, filter, today(nowMs))
    return {
      settlements: rows.map(toSettlement),
      count,
      unpublished,
      unshared,
      energyUnknown,
      enablersData,
      totalRevenue: customer,
      totalRevenuePartner: partner,
      totalRevenueSc: sc,
      totalRevenueEnergy: energy,
      expectedRevenue: expected,
      totalRevenueEnabler: customer && roundDecimal(sumDecimals(Object.values(enablersData)), 2),
      exportData: count > 0 ? ['xlsx' as const, 'csv' as const] : [],
      startDate: filter.startDate,
      endDate: filter.endDate,
    }
  })
})

const licences = ownRoute(contract.economicsLicences, async (tx, customerId) => {
  const of = new Set((await findInstances(tx, customerId)).map(({ licence_id }) => licence_id))
  const rows = await selectRows(tx, customerId, 'licence')
    .select(['licence_id', 'name'])
    .orderBy(byName(sql`name`))
    .execute()
  return {
    licenses: rows
      .filter(({ licence_id }) => of.has(licence_id))
      .map(({ licence_id, name }) => ({ _id: licence_id, name })),
  }
})

const instances = ownRoute(contract.economicsInstances, async (tx, customerId, { query }) => {
  await checkFilter(tx, customerId, query)
  const rows = await findInstances(tx, customerId, query.licenseId)
  return {
    instances: rows.map(({ instance_id, name, licence_id }) => ({ _id: instance_id, name, licenseId: licence_id })),
  }
})

const formula = ownRoute(contract.settlementFormula, async (tx, customerId, { params, query }) => {
  await checkInstance(tx, customerId, params.instanceId)
  const versions = await getVersions(tx, customerId, params)
  const row = query.version === undefined ? versions[0] : versions.find(({ version }) => version === query.version)
  if (!row) throw notFound()
  return toFormula(row, versions, await readPriceSources(tx, customerId, row))
})

const simulatedDays = (days: readonly RevenueOfDay[]) =>
  simulatedOf(days.flatMap(({ isSimulated, isAllSimulated }) => [isSimulated, isAllSimulated]))

type Span = Pick<Filter, 'startDate' | 'endDate'>

const revenueFile = (days: readonly RevenueOfDay[], { startDate, endDate }: Span, date: LocalDate) => {
  const stateOf = ({ day, unpublished, revenue: eur }: RevenueOfDay) =>
    day >= date ? 'Expected' : unpublished > 0 ? 'Results incomplete' : eur === null ? 'Amount unknown' : 'Settled'
  const name = {
    fileName: `Revenue ${fileDays(startDate, endDate)}`,
    sheet: 'Revenue',
    about: { Period: `${formatDate(startDate)} to ${formatDate(endDate)}`, ...aboutData(simulatedDays(days)) },
  }
  const columns: Column<RevenueOfDay>[] = [
    column.day('Date', ({ day }) => day),
    column.eur('Revenue', ({ revenue: eur }) => eur),
    column.text('State', stateOf),
  ]
  return { file: tableFile(name, columns, days) }
}

const revenue = ownRoute(monthRevenue, async (tx, customerId, { nowMs, query }) => {
  const span = daysOf(query, nowMs)
  const days = await findDays(tx, customerId, span)
  if (query.format) return revenueFile(days, span, today(nowMs))
  const isOver = ({ day }: RevenueOfDay) => day < today(nowMs)
  const sumOf = (some: readonly RevenueOfDay[]) => {
    const published = some.flatMap(({ revenue: eur }) => eur ?? [])
    return published.length === 0 ? null : roundDecimal(sumDecimals(published), 2)
  }
  return {
    totalRevenue: days.length === 0 ? '0.00' : sumOf(days.filter(isOver)),
    expectedRevenue: sumOf(days.filter((day) => !isOver(day))),
    revenueData: days.map((day) => ({ date: day.day, revenue: day.revenue, isOver: isOver(day) })),
    unpublished: days.filter((day) => day.unpublished > 0).length,
    simulated: simulatedDays(days),
  }
})

export const economics = [find, licences, instances, formula, record, revenue, comparison]
