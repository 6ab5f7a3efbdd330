import { z } from 'zod'
import { bidWarning } from './bid-requests.ts'
import { call, id } from '#call.ts'
import { text } from '#fields.ts'
import { limits } from '#limits.ts'
import { watchId } from '#live.ts'
import { paged } from '#paging.ts'
import { decimalText, fileFormat } from '#series.ts'
import { mistake } from '#table-mistake.ts'
import { localDate } from '#time.ts'

/** Bid requests as files; format: server/src/trading/requests/request-file.md. */

export const exportBidRequests = call({
  method: 'GET',
  path: '/client/data/bid-request/export',
  summary:
    'Export bid requests in the format of the import: a list of requests, one request, or with `content` template one example of a market',
  may: 'bid-request.read',
  query: z.strictObject({
    content: z.enum(['requests', 'template']).default('requests'),
    filterType: z.enum(['current', 'past']).default('current'),
    licenseId: id('licence').optional(),
    market: text(40).optional(),
    requestId: id('bid-request').optional(),
    format: fileFormat,
  }),
})

const importedRequest = z.object({
  line: z.number(),
  instance: z.string(),
  biddingMarket: z.string(),
  startDate: z.string(),
  endDate: z.string(),
  excludedCount: z.number(),
  customBidding: z.boolean().nullable(),
  offered: z.object({ slots: z.number(), mostMw: z.number() }).nullable(),
  mistakes: z.number(),
  warnings: z.array(bidWarning),
})
export type ImportedRequest = z.infer<typeof importedRequest>

export const importBidRequests = call({
  method: 'POST',
  path: '/client/data/bid-request/import',
  summary:
    'Import bid requests from an .xlsx or .csv file: the request of each row and the errors of each cell; with `save` all are created, or none if a row has an error',
  may: 'bid-request.edit',
  touches: ['bid-request'],
  upload: 'file',
  body: z.strictObject({ save: z.boolean(), watch: watchId }),
  response: z.object({
    sheet: z.string().nullable(),
    requests: z.array(importedRequest),
    mistakes: z.array(mistake),
    mistakeCount: z.number(),
    saved: z.boolean(),
  }),
})

const columnName = text(200).optional()
const resultColumns = z.strictObject({
  request: columnName,
  instance: columnName,
  product: columnName,
  auction: columnName,
  start: columnName,
  day: columnName,
  slot: columnName,
  wonMw: columnName,
  won: columnName,
  marginalPrice: columnName,
})
export type ResultColumns = z.infer<typeof resultColumns>
export type ResultField = keyof ResultColumns

/** Compared with the published price: won above it, lost below it, or another price. */
export const contradictions = ['won-above', 'lost-below', 'other-price'] as const

const resultRow = z.object({
  line: z.number(),
  /** first: not decided before. changed: another outcome or price. confirmed: as decided by the price. same: as in an earlier file. */
  kind: z.enum(['first', 'changed', 'confirmed', 'same', 'no-bid', 'wrong']),
  mistake: mistake.nullable(),
  instance: z.string(),
  product: z.string(),
  auction: z.string(),
  start: z.iso.datetime().nullable(),
  bid: z.object({ capacityMw: decimalText, priceEur: decimalText }).nullable(),
  wonMw: decimalText.nullable(),
  marginalPriceEur: decimalText.nullable(),
  before: z.object({ wonMw: decimalText, marginalPriceEur: decimalText.nullable() }).nullable(),
  publishedEur: decimalText.nullable(),
  contradiction: z.enum(contradictions).nullable(),
})
export type ResultRow = z.infer<typeof resultRow>

const takenFile = z.object({ name: z.string(), takenAt: z.iso.datetime(), takenBy: z.string() })

export const takeBidResults = call({
  method: 'POST',
  path: '/client/data/bid-result',
  summary:
    'Import the grid operator’s result file, .xlsx or .csv: decided bids, changes, and differences from the published price; with `save` it is imported',
  may: 'bid-result.take',
  touches: ['bid-result'],
  upload: 'file',
  body: z.strictObject({
    save: z.boolean(),
    /** Column names by field; guessed, or as in the last file, by default. */
    columns: resultColumns.optional(),
    /** Confirmed number of contradictions, which are imported too. */
    contradictions: z.number().int().min(0).max(limits.bidResultRows).default(0),
    watch: watchId,
  }),
  response: z.object({
    before: takenFile.nullable(),
    names: z.array(z.string()),
    columns: resultColumns,
    missing: z.string().nullable(),
    counts: z.object({
      rows: z.number(),
      first: z.number(),
      changed: z.number(),
      confirmed: z.number(),
      same: z.number(),
      'no-bid': z.number(),
      wrong: z.number(),
      contradictions: z.number(),
    }),
    rows: z.array(resultRow),
    days: z.object({ first: z.string(), last: z.string() }).nullable(),
    saved: z.boolean(),
  }),
})

export const resultFileColumns = ['name', 'at', 'by', 'bids', 'changed', 'against'] as const

export const findBidResultFiles = call({
  method: 'GET',
  path: '/client/data/bid-result',
  summary: 'List the imported result files, the newest first',
  may: 'bid-request.read',
  of: ['bid-result'],
  sorts: resultFileColumns,
  query: z.strictObject(paged(resultFileColumns)),
  response: z.object({
    files: z.array(
      takenFile.extend({
        _id: id('bid-result-file'),
        bids: z.number(),
        changed: z.number(),
        contradictions: z.number(),
      }),
    ),
    totalCount: z.number(),
  }),
})

export const bidResultHistory = call({
  method: 'GET',
  path: '/client/data/bid-result/{id}',
  summary: 'List the result of each bid in a result file, and its previous result',
  may: 'bid-request.read',
  of: ['bid-result'],
  params: z.object({ id: id('bid-result-file') }),
  query: z.strictObject({ format: fileFormat }),
})

export const sentBidFile = call({
  method: 'GET',
  path: '/client/data/bid-request/{id}/sent',
  summary:
    'Export the bid file as it was sent to the grid operator, of the market of a request, for a day and an auction',
  may: 'bid-request.read',
  params: z.object({ id: id('bid-request') }),
  query: z.strictObject({ day: localDate, auction: text(20).default(''), format: z.enum(['csv']) }),
})
