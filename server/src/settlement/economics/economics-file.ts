import { addDecimals } from '@gridmast/contract/numbers.ts'
import { limits } from '@gridmast/contract/limits.ts'
import { m } from '@gridmast/contract/messages.ts'
import { formatDate } from '@gridmast/contract/time.ts'
import { invalid } from '#platform/http/errors.ts'
import type { Instead, Own } from '#platform/http/route.ts'
import { rowPages } from '#platform/records/row-pages.ts'
import type { Cell } from '#platform/files/table-file.ts'
import { type Filter, findSettlements, type SettlementRow, sumSettlements } from './queries.ts'
import { toSettlement } from './to-settlement.ts'

const stateWords = ({ status }: ReturnType<typeof toSettlement>): string => {
  const { CM } = status
  if (CM.status === 'inactive') return 'Bid not placed'
  if (!CM.result) return 'Settlements not found'
  return CM.won ? 'Won' : 'Lost'
}

const number = (text: string | null): number | null => (text === null ? null : Number(text))

async function* rowsOf(own: Own['own'], filter: Filter): AsyncGenerator<Cell[]> {
  const rows = rowPages<SettlementRow>((page) => own((tx, customerId) => findSettlements(tx, customerId, filter, page)))
  for await (const row of rows) {
    const one = toSettlement(row)
    const enablers = one.enablers && addDecimals('0', ...Object.values(one.enablers))
    yield [
      one.date,
      one.instanceIdName,
      one.type,
      number(one.capacity),
      ...[one.customer, one.partner, enablers, one.sc, one.energyPrice, one.gross, one.penalty].map(number),
      stateWords(one),
      one.isClosed ? 'Yes' : 'No',
      one.version,
      one.simulated ? 'Simulated' : 'Measured',
    ]
  }
}

/** All settlements of a filter, newest first, in constant memory. */
export const economicsFile = async (own: Own['own'], filter: Filter): Promise<Instead> => {
  const { count } = await own((tx, customerId) => sumSettlements(tx, customerId, filter))
  if (count >= limits.exportRows) throw invalid({ endDate: m.exportTooLarge(limits.exportRows) })
  const euro = (header: string) => ({ header: `${header} (€)`, numberFormat: '#,##0.00' })
  const { startDate, endDate } = filter
  return {
    file: {
      fileName: `Settlements ${startDate} ${endDate}`,
      sheet: 'Settlements',
      about: { Period: `${formatDate(startDate)} to ${formatDate(endDate)}` },
      columns: [
        { header: 'Date', holds: 'days' as const },
        { header: 'Instance' },
        { header: 'Type' },
        { header: 'Capacity (MW)', numberFormat: '#,##0.000' },
        ...['Customer revenue', 'Partner revenue', 'Enablers revenue', 'SC revenue', 'Energy Revenue'].map(euro),
        ...['Gross', 'Penalty'].map(euro),
        { header: 'Status' },
        { header: 'Day is over' },
        { header: 'Version' },
        { header: 'Measured by' },
      ],
      rows: rowsOf(own, filter),
    },
  }
}
