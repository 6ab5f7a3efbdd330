import { z } from 'zod'
import { call, id } from '#call.ts'
import { budgetScopes } from '#charging/charging-budgets.ts'
import { unconfirmed } from '#people/email-subscriptions.ts'
import { requiredText, shortText, text } from '#fields.ts'
import { limits } from '#limits.ts'
import { m } from '#messages.ts'
import { paged } from '#paging.ts'
import { riskAbout } from '#trading/penalty-guard.ts'
import { graph } from '#series.ts'
import { simulated } from '#source.ts'
import { localDate } from '#time.ts'

export const alertCriteria = ['gt', 'lt'] as const
export type AlertCriteria = (typeof alertCriteria)[number]
export const alertTypes = ['power', 'consumption'] as const
export type AlertType = (typeof alertTypes)[number]
/** What triggers: an alert of the company's own, or the guard of what is sold. */
export const triggeredTypes = [...alertTypes, 'sold-capacity'] as const
export type TriggeredType = (typeof triggeredTypes)[number]

/** A minute of the wall clock in Berlin. */
const minuteOfDay = z.string({ error: m.required }).regex(/^([01]\d|2[0-3]):[0-5]\d$/, m.time)

export const alertForm = z.strictObject({
  name: requiredText(limits.alertNameMax).min(limits.alertNameMin, m.shortest(limits.alertNameMin)),
  criteria: z.enum(alertCriteria),
  value: z.number().min(0).max(limits.alertValueMax),
  email: shortText.pipe(z.email({ error: m.email, pattern: z.regexes.email })),
  properties: z.strictObject({
    notification: z.boolean(),
    /** The instance. */
    group: id('instance'),
    /** Of an alert as it was read; nothing is written from it. */
    groupName: text(200).optional(),
    type: z.enum(alertTypes),
    startTime: minuteOfDay.default('00:00'),
    endTime: minuteOfDay.default('23:59'),
    /** Minutes until a lasting alert is told again; 0: once. Whole ones: a fraction would be a mail for each sample. */
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
    /** 5 where none was ever set. */
    alertInterval: z.number(),
  }),
})
export type Alert = z.infer<typeof alert>

export const triggeredAlert = z.object({
  _id: id('alert-trigger'),
  name: z.string(),
  type: z.enum(triggeredTypes),
  criteria: z.enum(alertCriteria),
  /** Of `sold-capacity`: kW sold in the period of which most is missing. */
  threshold: z.number(),
  /** What was measured, or is expected; null where nothing is known. */
  value: z.number().nullable(),
  triggerTime: z.iso.datetime(),
  /** When the threshold was crossed; earlier than triggerTime where the alert lasted and was told again. */
  crossedAt: z.iso.datetime(),
  group: id('instance'),
  groupName: z.string(),
  /** Licence type. */
  source: z.string(),
  /** The samples came more than 15 minutes after they were measured: nobody was told. */
  late: z.boolean(),
  acknowledgedAt: z.iso.datetime().nullable(),
  acknowledgedBy: z.string().nullable(),
  comment: z.string(),
  /** What is sold and not expected to be there, as it was told. */
  about: riskAbout.nullable(),
  /** When it was whole again; null while it lasts, and where no end is known. */
  closedAt: z.iso.datetime().nullable(),
})
export type TriggeredAlert = z.infer<typeof triggeredAlert>

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
export const triggeredColumns = ['name', 'instance', 'type', 'time', 'value', 'criteria', 'state'] as const
const licenceId = z.object({ id: id('licence') })
const alertId = z.object({ id: id('alert') })
const triggerId = z.object({ id: id('alert-trigger') })

export const findAlerts = call({
  method: 'GET',
  path: '/client/data/alert/all/{id}',
  summary: 'The alerts of a licence; `source`, its licence type name, narrows further',
  may: 'alert.read',
  of: ['alert', 'instance'],
  params: licenceId,
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
  summary: 'Change an alert; the new rule holds from now on',
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

export const findTriggered = call({
  method: 'GET',
  path: '/client/data/triggered/{id}',
  summary: 'Triggered alerts of a licence on a day, newest first or by `sort`; by default today',
  may: 'alert.read',
  of: ['alert'],
  params: licenceId,
  query: z.strictObject({ date: localDate.optional(), ...paged(triggeredColumns) }),
  response: z.object({ triggered: z.array(triggeredAlert), totalCount: z.number() }),
})

export const notifications = call({
  method: 'GET',
  path: '/client/alert/notification',
  summary:
    'The bell: triggered alerts of a day with notification that are neither muted nor acknowledged, and charging budgets; the newest 30 alerts in `latestData`',
  may: 'alert.read',
  of: ['alert'],
  query: z.strictObject({ date: localDate.optional() }),
  response: z.object({
    totalCount: z.number(),
    latestData: z.array(
      z.object({
        _id: id('alert-trigger'),
        name: z.string(),
        type: z.enum(triggeredTypes),
        source: z.string(),
        triggerTime: z.iso.datetime(),
      }),
    ),
    /** Charging budgets that came near their end or reached it, the newest 30, of whoever may read them; in `totalCount` too. */
    budgets: z.array(
      z.object({
        scope: z.enum(budgetScopes),
        name: z.string(),
        state: z.enum(['warned', 'spent']),
        triggerTime: z.iso.datetime(),
      }),
    ),
  }),
})

export const getTriggered = call({
  method: 'GET',
  path: '/client/alert/triggered/{id}',
  summary: 'One triggered alert and the power of its instance from half an hour before to half an hour after',
  may: 'alert.read',
  of: ['alert'],
  params: triggerId,
  response: z.object({ triggered: triggeredAlert, graph, simulated }),
})

export const acknowledgeTriggered = call({
  method: 'POST',
  path: '/client/alert/triggered/{id}/acknowledge',
  summary:
    'Acknowledge a triggered alert, with or without a comment; later ones change the comment only. With `earlier` also the earlier ones of that alert on the same Danish day',
  may: 'alert.edit',
  touches: ['alert'],
  params: triggerId,
  body: z.strictObject({ comment: text(limits.alertCommentMax).default(''), earlier: z.boolean().default(false) }),
  response: z.object({ triggered: triggeredAlert }),
  ok: m.alertAcknowledged,
})

/** A time of each day in which one person's bell stays still; over midnight where the end is before the start. */
const mute = z.strictObject({
  /** Absent: every instance. */
  instanceId: id('instance').optional(),
  startTime: minuteOfDay,
  endTime: minuteOfDay,
})
export type Mute = z.infer<typeof mute>

export const findMutes = call({
  method: 'GET',
  path: '/client/alert/mute',
  summary: 'When your own bell stays still',
  may: 'alert.read',
  of: ['alert'],
  response: z.object({ mutes: z.array(mute) }),
})

export const saveMutes = call({
  method: 'PUT',
  path: '/client/alert/mute',
  summary: 'Set when your own bell stays still; alerts trigger and are mailed all the same',
  may: 'alert.read',
  touches: ['alert'],
  body: z.strictObject({ mutes: z.array(mute).max(limits.alertMutes) }),
  response: z.object({ mutes: z.array(mute) }),
  ok: m.settingSaved,
})
