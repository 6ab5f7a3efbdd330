import { text } from 'node:stream/consumers'
import type { Gate } from '@gridmast/contract/bid-slots.ts'
import type { LocalDate } from '@gridmast/contract/time.ts'
import { tableStream } from '#platform/files/table-file.ts'
import type { Bid } from '#trading/requests/expansion.ts'

type Sent = Bid & { request: { request_id: string; instance_name: string } }

const number = (decimal: string | null) => (decimal === null ? null : Number(decimal))

/** The operator's bid file of one auction and day: a line for each bid. */
export const bidCsv = (gate: Gate, day: LocalDate, bids: readonly Sent[]): Promise<string> =>
  text(
    tableStream(
      {
        fileName: 'bids',
        sheet: 'Bids',
        columns: [
          ...['Market', 'Product', 'Auction', 'Day', 'Slot'].map((header) => ({ header })),
          ...['From', 'To'].map((header) => ({ header, holds: 'instants' as const })),
          ...['Instance', 'Capacity (MW)', 'Price (EUR/MW)', 'Energy price (EUR/MWh)', 'Request'].map((header) => ({
            header,
          })),
        ],
        rows: bids.map(({ request, ...bid }) => [
          gate.market,
          bid.product,
          gate.auction,
          day,
          bid.slot,
          new Date(bid.fromMs),
          new Date(bid.toMs),
          request.instance_name,
          ...[bid.capacityMw, bid.priceEur, bid.regulationPriceEur].map(number),
          request.request_id,
        ]),
      },
      'csv',
    ),
  )
