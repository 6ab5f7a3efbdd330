import { z } from 'zod'
import { alertCriteria, alertTypes } from '#delivery/alerts.ts'
import { budgetScopes } from '#charging/charging-budgets.ts'
import { directions, verdicts } from '#delivery/events.ts'
import { riskSlot } from '#trading/penalty-guard.ts'
import { decimalText } from '#series.ts'
import type { WebhookEvent } from '#people/webhooks.ts'

const at = z.iso.datetime()

/** Shapes of `data` in deliveries of webhooks; a test compares them with docs/webhooks.md. */
export const webhookData = {
  alert: z.strictObject({
    _id: z.uuid().describe('the triggered alert, as `GET /api/client/data/triggered/{id}` has it'),
    name: z.string().describe('of the alert'),
    type: z.enum(alertTypes).describe('what is watched'),
    criteria: z.enum(alertCriteria).describe('above or below the threshold'),
    value: z.number().describe('measured when it triggered'),
    threshold: z.number().describe('of the alert then'),
    unit: z.enum(['kW', 'kWh']).describe('of value and threshold'),
    groupName: z.string().describe('the instance'),
    triggerTime: at.describe('when the value was measured'),
  }),
  activation: z.strictObject({
    _id: z.uuid().describe('the event, as `GET /api/client/data/event` has it'),
    instanceName: z.string().describe('the instance'),
    market: z.string().describe('the product that called it'),
    direction: z.enum(directions).describe('up-regulation is increased'),
    startTime: at.describe('when it began'),
    endTime: at.describe('when it ended'),
    duration: z.number().describe('seconds'),
    difference: z.number().describe('seconds, the same as duration'),
    deltaLoad: z.number().nullable().describe('asked for at most, % of the capacity'),
    processedDeltaLoad: z.number().nullable().describe('delivered at most, % of the capacity'),
    maxFrequency: z
      .number()
      .nullable()
      .describe('Hz: the lowest for increased, the highest for decreased; null where a set point called'),
    maxSetPoint: z.number().nullable().describe('%: null where the frequency called'),
    consumption: z.number().nullable().describe('kWh from start to end'),
    score: z.number().nullable().describe('0 to 100; null where it cannot be judged'),
    verdict: z.enum(verdicts).nullable().describe('the score in words'),
  }),
  'bid-result': z.strictObject({
    groupId: z.uuid().describe('the instance'),
    groupName: z.string().describe('its name'),
    biddingMarket: z.string().describe('what it was bid on'),
    auction: z.string().describe('`D-1 early`, `D-1 late`, or empty where there is one'),
    date: z.iso.date().describe('the local day of delivery'),
    sent: z.number().describe('bids that were sent'),
    won: z.number().describe('of them'),
    wonMw: z.number().describe('MW, summed over the bids won'),
    bidRequests: z.array(z.uuid()).describe('ids of the requests they were made of'),
    corrected: z.boolean().describe('true where it was told otherwise before'),
  }),
  'sold-capacity': z.strictObject({
    _id: z.uuid().describe('the triggered alert, as `GET /api/client/alert/triggered/{id}` has it'),
    groupId: z.uuid().describe('the instance'),
    groupName: z.string().describe('its name'),
    biddingMarket: z.string().describe('what it is sold on'),
    slots: z
      .array(riskSlot)
      .describe(
        'periods to come that are `short` or `unknown`: `product`, `start`, `end`, `state`, and in kW `soldKw`, `expectedKw`, `usualErrorKw`, `shortKw`; `lossEur` is lost of `atStakeEur` if it stays so',
      ),
  }),
  'charging-budget': z.strictObject({
    _id: z.uuid().describe('the tag or the group'),
    scope: z.enum(budgetScopes).describe('which of the two'),
    name: z.string().describe('its name'),
    month: z.string().describe('the calendar month, in Danish time'),
    state: z
      .enum(['warned', 'spent'])
      .describe('near its budget, or all of it is spent: then it is refused and stopped'),
    percent: z.number().describe('of the budget that is used more'),
    budgetDkk: decimalText.nullable().describe('DKK a month; null without one'),
    spentDkk: decimalText.describe('DKK so far, with what runs'),
    budgetKwh: decimalText.nullable().describe('kWh a month; null without one'),
    spentKwh: decimalText.describe('kWh so far, with what runs'),
  }),
} satisfies Record<WebhookEvent, z.ZodObject>

export type WebhookData = { [Event in keyof typeof webhookData]: z.infer<(typeof webhookData)[Event]> }
