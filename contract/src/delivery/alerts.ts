import { z } from 'zod'
import { call, id } from '#call.ts'
import { unconfirmed } from '#people/email-subscriptions.ts'
import { requiredText, shortText, text } from '#fields.ts'
import { limits } from '#limits.ts'
import { m } from '#messages.ts'
import { paged } from '#paging.ts'

export const alertCriteria = ['gt', 'lt'] as const
export type AlertCriteria = (typeof alertCriteria)[number]
export const alertTypes = ['power', 'consumption'] as const
export type AlertType = (typeof alertTypes)[number]
export const minuteOfDay = z.string({ error: m.required }).regex(/^([01]\d|2[0-3]):[0-5]\d$/, m.time)

export const alertForm = z.strictObject({
  name: requiredText(limits.alertNameMax).min(limits.alertNameMin, m.shortest(limits.alertNameMin)),
  criteria: z.enum(alertCriteria),
  value: z.number().min(0).max(limits.alertValueMax),
  email: shortText.pipe(z.email({ error: m.email, pattern: z.regexes.email })),
  properties: z.strictObject({
    notification: z.boolean(),
    group: id('instance'),
    /** Accepted from a loaded alert and ignored. */
    groupName: text(200).optional(),
    type: z.enum(alertTypes),
    startTime: minuteOfDay.default('00:00'),
    endTime: minuteOfDay.default('23:59'),
    /** Minutes until a lasting alert is sent again; 0: once. Integers only: a fraction would be a mail for each sample. */
    alertInterval: z.number().int(m.wholeNumber).min(0).max(limits.alertIntervalMax),
  }),
})
export type AlertForm = z.infer<typeof alertForm>

export const alert = z.object({
  _id: id('alert'),
  name: z.string(),
  criteria: z.enum(alertCriteria),
  /** The threshold: kW of power, kWh of an hour's consumption. */
  value: z.number(),
  email: z.string(),
  unconfirmed,
  properties: z.object({
    notification: z.boolean(),
    group: id('instance'),
    groupName: z.string(),
    type: z.enum(alertTypes),
    startTime: z.string(),
    endTime: z.string(),
    alertInterval: z.number(),
  }),
})
export type Alert = z.infer<typeof alert>

export const alertColumns = [
  'name',
  'instance',
  'criteria',
  'type',
  'value',
  'interval',
  'schedule',
  'email',
  'status',
] as const
const licenceId = z.object({ id: id('licence') })
const alertId = z.object({ id: id('alert') })

export const findAlerts = call({
  method: 'GET',
  path: '/client/data/alert/all/{id}',
  summary: 'List the alerts of a licence; `source` is the name of its licence type',
  may: 'alert.read',
  of: ['alert', 'instance'],
  params: licenceId,
  sorts: alertColumns,
  query: z.strictObject({ source: text(60).optional(), ...paged(alertColumns) }),
  response: z.object({ alerts: z.array(alert), totalCount: z.number() }),
})

export const createAlert = call({
  method: 'POST',
  path: '/client/data/alert/create/{id}',
  summary: 'Create an alert on an instance of a licence',
  may: 'alert.edit',
  touches: ['alert'],
  params: licenceId,
  body: z.strictObject({ alert: alertForm }),
  response: z.object({ alert }),
  ok: m.alertCreated,
})

export const updateAlert = call({
  method: 'PATCH',
  path: '/client/data/alert/update/{id}',
  summary: 'Change an alert; the new rule applies from now on',
  may: 'alert.edit',
  touches: ['alert'],
  params: alertId,
  body: z.strictObject({ alert: alertForm.extend({ _id: id('alert').optional() }) }),
  response: z.object({ alert }),
  ok: m.alertUpdated,
})

export const removeAlert = call({
  method: 'DELETE',
  path: '/client/data/alert/{id}',
  summary: 'Delete an alert; its triggered rows are kept',
  may: 'alert.edit',
  touches: ['alert'],
  params: alertId,
  ok: m.alertDeleted,
})
