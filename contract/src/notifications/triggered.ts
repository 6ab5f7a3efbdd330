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

/** What triggers: an alert of the company's own, or the guard of what is sold. */
export const triggeredTypes = [...alertTypes, 'sold-capacity'] as const
export type TriggeredType = (typeof triggeredTypes)[number]

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

export const triggeredColumns = ['name', 'instance', 'type', 'time', 'value', 'criteria', 'state'] as const
const licenceId = z.object({ id: id('licence') })
const triggerId = z.object({ id: id('alert-trigger') })

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
