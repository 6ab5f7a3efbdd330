import { z } from 'zod'
import { call, id } from '#call.ts'
import { budgetScopes } from '#charging/charging-budgets.ts'
import { alertCriteria, alertTypes, minuteOfDay } from '#delivery/alerts.ts'
import { text } from '#fields.ts'
import { limits } from '#limits.ts'
import { m } from '#messages.ts'
import { paged } from '#paging.ts'
import { graph } from '#series.ts'
import { simulated } from '#source.ts'
import { localDate } from '#time.ts'
import { riskAbout } from '#trading/penalty-guard.ts'

export const triggeredTypes = [...alertTypes, 'sold-capacity'] as const
export type TriggeredType = (typeof triggeredTypes)[number]

export const triggeredAlert = z.object({
  _id: id('alert-trigger'),
  name: z.string(),
  type: z.enum(triggeredTypes),
  criteria: z.enum(alertCriteria),
  /** `sold-capacity`: kW sold in the period with the largest missing capacity. */
  threshold: z.number(),
  value: z.number().nullable(),
  triggerTime: z.iso.datetime(),
  /** Earlier than triggerTime for a repeated notification of a lasting alert. */
  crossedAt: z.iso.datetime(),
  group: id('instance'),
  groupName: z.string(),
  source: z.string(),
  /** Samples arrived more than 15 minutes late: no notification was sent. */
  late: z.boolean(),
  acknowledgedAt: z.iso.datetime().nullable(),
  acknowledgedBy: z.string().nullable(),
  comment: z.string(),
  about: riskAbout.nullable(),
  closedAt: z.iso.datetime().nullable(),
})
export type TriggeredAlert = z.infer<typeof triggeredAlert>

export const triggeredColumns = ['name', 'instance', 'type', 'time', 'value', 'criteria', 'state'] as const
const licenceId = z.object({ id: id('licence') })
const triggerId = z.object({ id: id('alert-trigger') })

export const findTriggered = call({
  method: 'GET',
  path: '/client/data/triggered/{id}',
  summary: 'List the triggered alerts of a licence on a day, newest first or by `sort`; by default today',
  may: 'alert.read',
  of: ['alert'],
  params: licenceId,
  sorts: triggeredColumns,
  query: z.strictObject({ date: localDate.optional(), ...paged(triggeredColumns) }),
  response: z.object({ triggered: z.array(triggeredAlert), totalCount: z.number() }),
})

export const notifications = call({
  method: 'GET',
  path: '/client/alert/notification',
  summary:
    'List the notifications of the bell: triggered alerts of a day with notification that are neither muted nor acknowledged, and charging budgets; the newest 30 alerts in `latestData`',
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
    /** The newest 30 budget notices that the user may read; included in `totalCount`. */
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
  summary: 'Get a triggered alert and the power of its instance from half an hour before to half an hour after',
  may: 'alert.read',
  of: ['alert'],
  params: triggerId,
  response: z.object({ triggered: triggeredAlert, graph, simulated }),
})

export const acknowledgeTriggered = call({
  method: 'POST',
  path: '/client/alert/triggered/{id}/acknowledge',
  summary:
    'Acknowledge a triggered alert, with or without a comment; later calls change the comment only. With `earlier` also the earlier triggers of that alert on the same Danish day',
  may: 'alert.edit',
  touches: ['alert'],
  params: triggerId,
  body: z.strictObject({ comment: text(limits.alertCommentMax).default(''), earlier: z.boolean().default(false) }),
  response: z.object({ triggered: triggeredAlert }),
  ok: m.alertAcknowledged,
})

/** Daily quiet time of a user's bell; over midnight when the end is before the start. */
const mute = z.strictObject({
  instanceId: id('instance').optional(),
  startTime: minuteOfDay,
  endTime: minuteOfDay,
})
export type Mute = z.infer<typeof mute>

export const findMutes = call({
  method: 'GET',
  path: '/client/alert/mute',
  summary: 'List the times at which your own bell is muted',
  may: 'alert.read',
  of: ['alert'],
  response: z.object({ mutes: z.array(mute) }),
})

export const saveMutes = call({
  method: 'PUT',
  path: '/client/alert/mute',
  summary: 'Set the times at which your own bell is muted; alerts are still triggered and mailed',
  may: 'alert.read',
  touches: ['alert'],
  body: z.strictObject({ mutes: z.array(mute).max(limits.alertMutes) }),
  response: z.object({ mutes: z.array(mute) }),
  ok: m.settingSaved,
})
