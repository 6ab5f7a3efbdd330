import { z } from 'zod'
import { call, id } from './call.ts'
import { text } from './fields.ts'
import { limits } from './limits.ts'
import { fileFormat } from './series.ts'
import { localDate } from './time.ts'

/** Everything that is written on a trail, and what changed something: sign-ins and downloads would bury it. */
export const auditActions = {
  'auth.login': 'other',
  'auth.challenge': 'other',
  'auth.logout': 'other',
  'auth.logout-all': 'other',
  'auth.revoke-session': 'other',
  'auth.login-link': 'other',
  'auth.handoff': 'other',
  'auth.handoff-taken': 'other',
  'auth.reset-code': 'other',
  'auth.reset-password': 'change',
  'profile.update': 'change',
  'profile.email-asked': 'other',
  'profile.email': 'change',
  'profile.email-undone': 'change',
  'profile.language': 'other',
  'profile.password': 'change',
  'profile.current-password': 'other',
  'second-factor.begin': 'other',
  'second-factor.on': 'change',
  'second-factor.off': 'change',
  'customer.details': 'change',
  'customer.second-factor': 'change',
  'customer.dashboard': 'change',
  'customer.demo-ended': 'change',
  'customer.restored': 'change',
  'api-key.add': 'change',
  'api-key.revoke': 'change',
  'webhook.add': 'change',
  'webhook.save': 'change',
  'webhook.remove': 'change',
  'webhook.test': 'other',
  'webhook.retry': 'other',
  'prices.tax': 'change',
  'instance.save': 'change',
  'equipment.control': 'change',
  'equipment.answer': 'change',
  'equipment.late-answer': 'other',
  'charger-tag.create': 'change',
  'charger-tag.update': 'change',
  'charger-tag.delete': 'change',
  'charger-tag.import': 'change',
  'charger-tag-group.create': 'change',
  'charger-tag-group.update': 'change',
  'charger-tag-group.delete': 'change',
  'charger.start': 'change',
  'charger.stop': 'change',
  'charger.answer': 'change',
  'alert.create': 'change',
  'alert.update': 'change',
  'alert.delete': 'change',
  'alert.acknowledge': 'change',
  'alert.mute': 'other',
  'email-subscription.add': 'change',
  'email-subscription.set': 'change',
  'email-subscription.remove': 'change',
  'email-subscription.unsubscribe': 'change',
  'support-note.create': 'change',
  'support-note.update': 'change',
  'bid-request.create': 'change',
  'bid-request.update': 'change',
  'bid-request.delete': 'change',
  'bid-request.place': 'change',
  'data-hub.add-key': 'change',
  'data-hub.new-meters': 'change',
  'data-hub.save-key': 'change',
  'data-hub.remove-key': 'change',
  'data-hub.save-meter': 'change',
  'scope-2.make': 'change',
  'scope-2.remove': 'change',
  'user.provision': 'change',
  'user.password-reset': 'change',
  export: 'other',
} as const satisfies Record<string, 'change' | 'other'>
export type AuditAction = keyof typeof auditActions

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
    /** Changes only: no sign-ins, downloads and tests. */
    changes: z.enum(['only']).optional(),
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
