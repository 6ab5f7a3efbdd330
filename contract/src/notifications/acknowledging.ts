import { z } from 'zod'
import { bulkResult, ids } from '#bulk.ts'
import { call } from '#call.ts'

export const acknowledgeSeveral = call({
  method: 'POST',
  path: '/client/alert/triggered/acknowledge',
  summary: 'Acknowledge several triggered alerts; a comment of an earlier acknowledgement is kept',
  may: 'alert.edit',
  touches: ['alert'],
  body: z.strictObject({ ids: ids('alert-trigger') }),
  response: bulkResult,
})
