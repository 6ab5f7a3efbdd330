import { z } from 'zod'
import { call, id } from './call.ts'
import { text } from './fields.ts'
import { limits } from './limits.ts'
import { fileFormat } from './series.ts'
import { localDate } from './time.ts'

export const auditEntry = z.object({
  entryNo: z.number(),
  at: z.iso.datetime(),
  userId: id('user').nullable(),
  who: z.string(),
  action: z.string(),
  subject: z.string(),
  before: z.unknown(),
  after: z.unknown(),
  result: z.string(),
  requestId: z.string().nullable(),
})
export type AuditEntry = z.infer<typeof auditEntry>

export const findAudit = call({
  method: 'GET',
  path: '/client/audit',
  summary: 'Who did what, newest first; with `format` the whole range as a file',
  may: 'audit.read',
  query: z.strictObject({
    limit: z.coerce.number().int().min(1).max(100).default(limits.pageSize),
    skip: z.coerce.number().int().min(0).max(10_000_000).default(0),
    startDate: localDate.optional(),
    endDate: localDate.optional(),
    /** Part of an e-mail or a name. */
    who: text(100).optional(),
    /** `auth` for all of a domain, or one action such as `auth.login`. */
    action: text(60).optional(),
    format: fileFormat.optional(),
  }),
  response: z.object({ entries: z.array(auditEntry), totalCount: z.number(), actions: z.array(z.string()) }),
})

export const verifyAudit = call({
  method: 'GET',
  path: '/client/audit/verify',
  summary: 'Recomputes the hash chain of the customer: whole, or the first entry that does not fit',
  may: 'audit.read',
  response: z.object({ entries: z.number(), whole: z.boolean(), firstBroken: z.number().nullable() }),
})
