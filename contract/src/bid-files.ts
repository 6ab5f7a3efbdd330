import { z } from 'zod'
import { bidWarning } from './bid-requests.ts'
import { call, id } from './call.ts'
import { text } from './fields.ts'
import { fileFormat } from './series.ts'

/** Bid requests as files. The form: server/src/domains/bid-requests/request-file.md. */

/** A cell of a file that cannot be taken. */
const mistake = z.object({
  /** Of the file, counted from 1. */
  row: z.number(),
  /** As the first row names it. */
  column: z.string(),
  /** `K12`; null where the column is missing. */
  cell: z.string().nullable(),
  found: z.string(),
  expected: z.string(),
})
export type Mistake = z.infer<typeof mistake>

export const exportBidRequests = call({
  method: 'GET',
  path: '/client/data/bid-request/export',
  summary:
    'Bid requests in the form that the import takes back: those of a list, one of them, or with `content` template one example of a market',
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
  /** Slots with a capacity, and the most of them in MW; null without custom bidding. */
  offered: z.object({ slots: z.number(), mostMw: z.number() }).nullable(),
  mistakes: z.number(),
  warnings: z.array(bidWarning),
})
export type ImportedRequest = z.infer<typeof importedRequest>

export const importBidRequests = call({
  method: 'POST',
  path: '/client/data/bid-request/import',
  summary:
    'Bid requests from an .xlsx or .csv file: what each row would make and what is wrong with which cell; with `save` all of them are made, or none where one has a mistake',
  may: 'bid-request.edit',
  upload: 'file',
  body: z.strictObject({ save: z.boolean() }),
  response: z.object({
    /** Null of a csv. */
    sheet: z.string().nullable(),
    requests: z.array(importedRequest),
    /** The first 500. */
    mistakes: z.array(mistake),
    mistakeCount: z.number(),
    saved: z.boolean(),
  }),
})
