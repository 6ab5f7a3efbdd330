import { sumDecimals } from '@gridmast/contract/numbers.ts'
import { formatDate } from '@gridmast/contract/time.ts'
import * as column from '#platform/files/columns.ts'
import { checkFileRows, type Column, tableFile, rowPages } from '#platform/files/table-file.ts'
import type { FileOrReply, Own } from '#platform/http/route.ts'
import { type Filter, findSettlements, type SettlementRow, sumSettlements } from './queries.ts'
import { toSettlement } from './to-settlement.ts'

type Settlement = ReturnType<typeof toSettlement>

const stateWords = ({ status }: Settlement): string => {
  const { CM } = status
  if (CM.status === 'inactive') return 'Bid not placed'
  if (!CM.result) return 'Settlements not found'
  return CM.won ? 'Won' : 'Lost'
}

const columns: Column<Settlement>[] = [
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
  const rows = rowPages<SettlementRow>((page) => own((tx, customerId) => findSettlements(tx, customerId, filter, page)))
  for await (const row of rows) yield toSettlement(row)
}

export const economicsFile = async (own: Own['own'], filter: Filter): Promise<FileOrReply> => {
  const { count } = await own((tx, customerId) => sumSettlements(tx, customerId, filter))
  checkFileRows(count, 'endDate')
  const { startDate, endDate } = filter
  const name = {
    fileName: `Settlements ${startDate} ${endDate}`,
    sheet: 'Settlements',
    about: { Period: `${formatDate(startDate)} to ${formatDate(endDate)}` },
  }
  return { file: tableFile(name, columns, settlementsOf(own, filter)) }
}
