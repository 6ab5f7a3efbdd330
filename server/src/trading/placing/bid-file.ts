import { text } from 'node:stream/consumers'
import type { Gate } from '@gridmast/contract/bid-slots.ts'
import type { LocalDate } from '@gridmast/contract/time.ts'
import * as column from '#platform/files/columns.ts'
import { type Column, tableFile, tableStream } from '#platform/files/table-file.ts'
import type { Bid } from '#trading/requests/expansion.ts'

type SentBid = Bid & { request: { request_id: string; instance_name: string } }

export const bidCsv = (
  gate: Pick<Gate, 'market' | 'auction'>,
  day: LocalDate,
  bids: readonly SentBid[],
): Promise<string> => {
  const columns: Column<SentBid>[] = [
    column.text('Market', () => gate.market),
    column.text('Product', (bid) => bid.product),
    column.text('Auction', () => gate.auction),
    column.text('Day', () => day),
    column.text('Slot', (bid) => bid.slot),
    column.instant('From', (bid) => bid.fromMs),
    column.instant('To', (bid) => bid.toMs),
    column.text('Instance', (bid) => bid.request.instance_name),
    column.decimal('Capacity (MW)', (bid) => bid.capacityMw),
    column.decimal('Price (EUR/MW)', (bid) => bid.priceEur),
    column.decimal('Energy price (EUR/MWh)', (bid) => bid.regulationPriceEur),
    column.text('Request', (bid) => bid.request.request_id),
  ]
  return text(tableStream(tableFile({ fileName: 'bids', sheet: 'Bids' }, columns, bids), 'csv'))
}
