import { z } from 'zod'
import { call, id } from '#call.ts'
import { days, inOrder, mostDays } from '#days.ts'
import { limits } from '#limits.ts'
import { m } from '#messages.ts'
import { isPlainDecimal } from '#numbers.ts'
import { taxOf } from '#grid/prices.ts'
import { decimalText, documentFormat } from '#series.ts'
import { publishedSource, simulated } from '#source.ts'
import { localDate } from '#time.ts'

/** Spot prices and tariffs of grid companies are Danish. */
export const chargingAreas = ['DK1', 'DK2'] as const

const chargingPrice = z.object({
  /** A local day; null for the initial price. */
  validFrom: localDate.nullable(),
  area: z.string(),
  /** DKK/MWh, added to the spot price and the tariff, if any. */
  taxValue: decimalText,
  tariff: z.string().nullable(),
  /** DKK/kWh; null when drivers are not billed. */
  driverPrice: decimalText.nullable(),
})
export type ChargingPrice = z.infer<typeof chargingPrice>

export const findChargingPrices = call({
  method: 'GET',
  path: '/client/evc/price',
  summary: 'List the prices of each charger with their first day, and the tariffs it can have',
  may: 'ev-charging.read',
  of: ['charging-price', 'charger'],
  response: z.object({
    chargers: z.array(
      z.object({
        _id: id('charger'),
        name: z.string(),
        prices: z.array(chargingPrice),
        now: chargingPrice.nullable(),
      }),
    ),
    tariffs: z.array(z.object({ _id: z.string(), owner: z.string(), code: z.string(), name: z.string() })),
  }),
})

const driverPrice = z
  .string()
  .max(12, m.number)
  .refine(isPlainDecimal, m.number)
  .refine((text) => Number(text) >= 0, { error: m.atLeast(0) })
  .refine((text) => Number(text) <= 100, { error: m.atMost(100) })
  .refine((text) => (text.split('.')[1] ?? '').length <= 4, m.decimals(4))

export const saveChargingPrice = call({
  method: 'POST',
  path: '/client/evc/price',
  summary: 'Set the prices of chargers from a day on; the costs of later sessions are recalculated',
  may: 'ev-charging.edit',
  touches: ['charging-price'],
  body: z.strictObject({
    chargers: z
      .array(id('charger'))
      .min(1, m.chargerRequired)
      .max(limits.pricedChargers, m.most(limits.pricedChargers)),
    validFrom: localDate,
    area: z.enum(chargingAreas, m.required),
    taxValue: taxOf(m.decimalOrInteger),
    tariff: z
      .string()
      .regex(/^\d{13}:[\w. -]{1,20}$/, m.notValid)
      .nullish(),
    driverPrice: driverPrice.nullish(),
  }),
  ok: m.chargingPriceSaved,
})

export const removeChargingPrice = call({
  method: 'DELETE',
  path: '/client/evc/price/{chargerId}/{validFrom}',
  summary: 'Delete a price of a charger: the previous price applies again',
  may: 'ev-charging.edit',
  touches: ['charging-price'],
  params: z.object({ chargerId: id('charger'), validFrom: localDate }),
  ok: m.chargingPriceDeleted,
})

/** Why a cost is unknown: no price is set, a price is not published yet, no energy was reported, or the reported energy waits for its review. */
export const unknownCosts = ['price', 'spot', 'tariff', 'energy', 'doubted'] as const

const parts = { spot: decimalText, tariff: decimalText, tax: decimalText }

export const chargingCost = z.object({
  total: decimalText.nullable(),
  parts: z.object(parts).nullable(),
  unknown: z.enum(unknownCosts).nullable(),
  /** Driver payment; null when drivers are not billed. */
  driver: decimalText.nullable(),
  kgCo2: z.number().nullable(),
  /** The time of some energy is unknown, so it was spread evenly. */
  spread: z.boolean(),
})
export type ChargingCost = z.infer<typeof chargingCost>

const quarter = z.object({
  from: z.iso.datetime(),
  kwh: decimalText,
  /** DKK/MWh of each part; null when unknown or without energy. */
  dkkPerMwh: z.object(parts).nullable(),
  dkk: decimalText.nullable(),
  unknown: z.enum(unknownCosts).nullable(),
  gramsPerKwh: z.number().nullable(),
})

export const sessionCost = call({
  method: 'GET',
  path: '/client/evc/transaction/{id}/cost',
  summary: 'Explain the cost of a session: each quarter of an hour with its energy, its prices and their sources',
  may: 'ev-charging.read',
  of: ['charging-price', 'charging-session', 'tag', 'charger'],
  params: z.object({ id: id('charger-transaction') }),
  response: z.object({
    cost: chargingCost,
    quarters: z.array(quarter),
    price: chargingPrice.nullable(),
    sources: z.object({
      spot: publishedSource.nullable(),
      tariff: publishedSource.nullable(),
      emission: publishedSource,
    }),
    simulated,
  }),
})

const costSums = {
  sessions: z.number(),
  kwh: z.number(),
  /** Rounded once; only sessions with a cost. */
  dkk: decimalText,
  driverDkk: decimalText,
  /** Driver payments less the cost, over sessions with both; null without any. */
  marginDkk: decimalText.nullable(),
  kgCo2: z.number(),
  /** Part of `kwh` without a cost or without an emission. */
  kwhWithoutCost: z.number(),
  kwhWithoutCo2: z.number(),
}
export const chargingSums = z.object(costSums)
const uncounted = z.object({ sessions: z.number(), kwh: z.number() })
/** Sessions excluded from all sums: energy that waits for its review, and charging with refused tags. */
export const uncountedSessions = z.object({ doubted: uncounted, refused: uncounted })
export type ChargingSums = z.infer<typeof chargingSums>

export const chargingCosts = call({
  method: 'GET',
  path: '/client/evc/cost',
  summary:
    'List the sessions that began on local days, with their energy, cost, income and emission; by charger, tag group or day',
  may: 'ev-charging.read',
  of: ['charging-price', 'charging-session', 'tag', 'charger'],
  query: z
    .strictObject({ ...days, by: z.enum(['charger', 'group', 'day']).default('charger') })
    .refine(...inOrder)
    .refine(...mostDays(limits.exportDays, m.exportTooLong)),
  response: z.object({
    total: chargingSums,
    uncounted: uncountedSessions,
    /** `key` is the id of a charger or group, null for sessions without one, or a day. */
    rows: z.array(z.object({ key: z.string().nullable(), name: z.string().nullable(), ...costSums })),
    simulated,
  }),
})

const localMonth = z
  .string()
  .regex(/^20\d{2}-(0[1-9]|1[0-2])$/, m.notValid)
  .meta({ examples: ['2026-10'] })

export const chargingStatement = call({
  method: 'GET',
  path: '/client/evc/statement',
  summary: 'Export the sessions of a tag group in a month as a file; without a group, of all tags without a group',
  may: 'ev-charging.read',
  query: z.strictObject({
    month: localMonth,
    groupId: id('charger-tag-group').optional(),
    format: documentFormat.default('pdf'),
    language: z.enum(['en', 'da']).default('en'),
  }),
})
