import { z } from 'zod'
import { bulkResult, ids } from '#bulk.ts'
import { call, id } from '#call.ts'
import { days, inOrder, mostDays } from '#days.ts'
import { optionalText, requiredText, text } from '#fields.ts'
import { limits } from '#limits.ts'
import { watchId } from '#live.ts'
import { m } from '#messages.ts'
import { taxOf } from '#grid/prices.ts'
import { decimalText, fileFormat, graph } from '#series.ts'
import { publishedSource } from '#source.ts'
import { localDate } from '#time.ts'
import { onePeriod, period } from './periods.ts'

/** Qualities of DataHub; `missing` has no value. */
export const qualities = ['measured', 'estimated', 'adjusted', 'incomplete', 'missing'] as const
export type Quality = (typeof qualities)[number]

const priceSignal = z
  .uuid({ error: ({ input }) => (input === undefined || input === '' ? m.priceSignalRequired : m.id) })
  .meta({ ref: 'price-signal' })
const taxValue = taxOf(m.decimalOrInteger)
/** A tariff of the price list: GLN of its owner, and its code. */
const tariffId = z.string().regex(/^\d{13}:[\w. -]{1,20}$/, m.notValid)

const meterName = requiredText(limits.meterNameMax).refine((name) => name.length >= limits.meterNameMin, {
  error: m.shortest(limits.meterNameMin),
})

const meterForm = z.strictObject({
  name: meterName,
  priceSignal,
  /** DKK/MWh, added to the spot price and the tariff, if any. */
  taxValue,
  tariff: tariffId.nullish(),
  address: text(limits.meterAddressMax).optional(),
  enabled: z.boolean().optional(),
})

export const meter = z.object({
  id: id('meter'),
  meteringPointId: z.string(),
  dataHub: z.object({
    name: z.string(),
    priceSignal: id('price-signal').nullable(),
    taxValue: z.number().nullable(),
    tariff: z.string().nullable(),
    address: z.string(),
    enabled: z.boolean(),
  }),
  configured: z.boolean(),
  area: z.string().nullable(),
  resolution: z.enum(['quarter', 'hour']).nullable(),
  gridCompany: z.object({ name: z.string(), gln: z.string().nullable() }).nullable(),
  accessTo: localDate.nullable(),
  lastRead: z.iso.datetime().nullable(),
  problem: z.string().nullable(),
})
export type Meter = z.infer<typeof meter>

export const meterGroup = z.object({
  _id: id('meter-group'),
  key: z.string(),
  name: z.string().nullable(),
  meterIdData: z.array(meter),
})
export type MeterGroup = z.infer<typeof meterGroup>

/** Modulus 11 with weights 2 7 6 5 4 3 2 1; only a warning, because future numbers may not follow it. */
export const isRegularCvr = (cvr: string): boolean =>
  [2, 7, 6, 5, 4, 3, 2, 1].reduce((sum, weight, i) => sum + weight * Number(cvr[i]), 0) % 11 === 0

const ofGroup = z.object({ groupId: id('meter-group') })
const ofGroupAndMeter = z.object({ groupId: id('meter-group'), meterId: id('meter') })
const ofMeter = z.object({ meterId: id('meter') })

export const findMeterGroups = call({
  method: 'GET',
  path: '/client/data-hub/all',
  summary: 'List the keys (CVR) with their meters',
  may: 'data-hub.read',
  of: ['meter', 'tax'],
  response: z.object({ groups: z.array(meterGroup), source: publishedSource }),
})

export const addMeterGroup = call({
  method: 'POST',
  path: '/client/data-hub',
  summary: 'Add a key: the meters that a power of attorney of this CVR covers',
  may: 'data-hub.key',
  touches: ['meter'],
  body: z.strictObject({
    dataHub: z.strictObject({
      key: z
        .string({ error: m.required })
        .trim()
        .min(1, m.required)
        .regex(/^\d{8}$/, m.cvr),
    }),
    watch: watchId,
  }),
  response: z.object({
    group: meterGroup,
    warning: z.string().nullable(),
  }),
  ok: m.keyAdded,
})

export const saveMeterGroup = call({
  method: 'PATCH',
  path: '/client/data-hub/{groupId}',
  summary: 'Name a key',
  may: 'data-hub.edit',
  touches: ['meter'],
  params: ofGroup,
  body: z.strictObject({ dataHub: z.strictObject({ name: optionalText(limits.meterNameMax) }) }),
  ok: m.configurationUpdated,
})

export const removeMeterGroup = call({
  method: 'DELETE',
  path: '/client/data-hub/{groupId}',
  summary: 'Delete a key with its meters and their readings',
  may: 'data-hub.edit',
  touches: ['meter'],
  params: ofGroup,
  ok: m.groupDeleted,
})

export const saveMeter = call({
  method: 'PATCH',
  path: '/client/data-hub/{groupId}/{meterId}',
  summary: 'Change the settings of a meter',
  may: 'data-hub.edit',
  touches: ['meter'],
  params: ofGroupAndMeter,
  body: z.strictObject({ dataHub: meterForm }),
  response: z.object({ meter }),
  ok: m.configurationUpdated,
})

export const saveMeterStatuses = call({
  method: 'PATCH',
  path: '/client/data-hub/meterStatus',
  summary: 'Switch several configured meters on or off',
  may: 'data-hub.edit',
  touches: ['meter'],
  body: z.strictObject({ ids: ids('meter'), enabled: z.boolean() }),
  response: bulkResult,
})

export const saveMeterStatus = call({
  method: 'PATCH',
  path: '/client/data-hub/meterStatus/{groupId}/{meterId}',
  summary: 'Switch a configured meter on or off',
  may: 'data-hub.edit',
  touches: ['meter'],
  params: ofGroupAndMeter,
  /** The meter's current form, of which only `enabled` is applied; a meter that is not configured has empty fields. */
  body: z.strictObject({
    dataHub: z.strictObject({
      name: text(limits.meterNameMax).optional(),
      priceSignal: priceSignal.nullish(),
      taxValue: taxValue.nullish(),
      tariff: tariffId.nullish(),
      address: text(limits.meterAddressMax).optional(),
      enabled: z.boolean(),
    }),
  }),
  response: z.object({ meter }),
  ok: m.configurationUpdated,
})

export const findTariffs = call({
  method: 'GET',
  path: '/client/data-hub/tariffs',
  summary: 'List the tariffs of grid companies for a meter, as published by DatahubPricelist',
  may: 'data-hub.read',
  response: z.object({
    tariffs: z.array(
      z.object({ _id: z.string(), owner: z.string(), code: z.string(), name: z.string(), validFrom: localDate }),
    ),
  }),
})

/**
 * `before`: the same span one day, month or year earlier; for a day by the time of day. `profile`: the mean at each time of day over the
 * previous four weeks.
 */
const compare = z.enum(['before', 'profile'])

const amounts = z.object({ total: decimalText, spot: decimalText, tariff: decimalText, tax: decimalText })

const totals = z.object({
  kwh: decimalText.nullable(),
  /** DKK without VAT; null without an interval that has both a reading and a price. */
  dkk: amounts.nullable(),
  kgCo2: z.number().nullable(),
  coverage: z.object({
    /** Intervals of the span before today, and those with a reading: the finest resolution that was read; quarters for several meters. */
    intervals: z.number(),
    read: z.number(),
    estimated: z.number(),
    priced: z.number(),
    emission: z.number(),
  }),
})
export type MeterTotals = z.infer<typeof totals>

/** DKK/MWh, not negative. */
export const previewTax = z.string().regex(/^\d{1,7}(\.\d{1,6})?$/, m.decimalOrInteger)

/** Temporary settings to show their effect; nothing is saved. */
const preview = {
  priceSignal: id('price-signal').optional(),
  taxValue: previewTax.optional(),
}

const meterReading = z.object({
  from: z.iso.datetime(),
  to: z.iso.datetime(),
  kwh: decimalText.nullable(),
  quality: z.enum(qualities),
  dkk: decimalText.nullable(),
})

const intervalValue = z.object({ kwh: decimalText.nullable(), quality: z.enum(qualities) })
const changedInterval = z.object({
  from: z.iso.datetime(),
  to: z.iso.datetime(),
  before: intervalValue,
  after: intervalValue,
})

export const meterDayVersion = z.object({
  version: z.number(),
  fetchedAt: z.iso.datetime(),
  /** Compared with the previous version: `corrected` changed existing values, `added` only added values. */
  change: z.enum(['first', 'added', 'corrected']),
  kwh: decimalText.nullable(),
  /**
   * Number of changed intervals, and the first of them: changed values before changed qualities. Null for the first version, and when the
   * resolution changed.
   */
  changes: z.object({ count: z.number(), first: z.array(changedInterval) }).nullable(),
})

export const meterGraph = call({
  method: 'GET',
  path: '/client/data-hub/{meterId}',
  summary: `Get the consumption, cost and emission of a meter over a local day (by its own intervals), month (days) or year (months), or from start to end by hour, over more than 7 days by local day (${limits.meterDays} days at most)`,
  may: 'data-hub.read',
  of: ['meter', 'tax'],
  params: ofMeter,
  query: z.strictObject({ ...period, compare: compare.optional(), ...preview }).refine(...onePeriod),
  response: z.object({
    meter,
    graph,
    totals,
    before: totals.nullable(),
    readings: z.array(meterReading).nullable(),
    versions: z.array(meterDayVersion).nullable(),
    preview: z.boolean(),
    lastRead: z.iso.datetime().nullable(),
    sources: z.object({ readings: publishedSource, spot: publishedSource, emission: publishedSource }),
  }),
})

export const meterReadLast = call({
  method: 'GET',
  path: '/client/data-hub/readLast/{meterId}',
  summary: 'Get the time up to which a meter has readings',
  may: 'data-hub.read',
  of: ['meter', 'tax'],
  params: ofMeter,
  response: z.object({ timestamp: z.iso.datetime().nullable() }),
})

const explained = z.object({
  part: z.enum(['spot', 'tariff', 'tax']),
  dkkPerMwh: decimalText.nullable(),
  dkk: decimalText.nullable(),
  source: publishedSource.nullable(),
  prices: z.array(
    z.object({
      from: z.iso.datetime(),
      to: z.iso.datetime(),
      dkkPerMwh: decimalText,
      fetchedAt: z.iso.datetime().nullable(),
    }),
  ),
})

export const meterFormula = call({
  method: 'GET',
  path: '/client/data-hub/{meterId}/formula',
  summary: 'Explain the cost of one interval: kWh × (spot + tariff + tax), with the source of each',
  may: 'data-hub.read',
  of: ['meter', 'tax'],
  params: ofMeter,
  query: z.strictObject({ at: z.iso.datetime({ error: m.instant }).regex(/^20/, m.instant), ...preview }),
  response: z.object({
    from: z.iso.datetime(),
    to: z.iso.datetime(),
    kwh: decimalText.nullable(),
    quality: z.enum(qualities),
    version: z.number().nullable(),
    readAt: z.iso.datetime().nullable(),
    dkk: decimalText.nullable(),
    unknown: z.enum(['reading', 'spot', 'tariff']).nullable(),
    parts: z.array(explained),
    readings: publishedSource,
  }),
})

export const dearestHours = call({
  method: 'GET',
  path: '/client/data-hub/{meterId}/dearest',
  summary: 'List the ten most expensive hours, and the cost of their energy in the cheapest hour of the same day',
  may: 'data-hub.read',
  of: ['meter', 'tax'],
  params: ofMeter,
  query: z
    .strictObject({ ...days, ...preview })
    .refine(...inOrder)
    .refine(...mostDays(limits.exportDays)),
  response: z.object({
    hours: z.array(
      z.object({
        from: z.iso.datetime(),
        to: z.iso.datetime(),
        kwh: decimalText,
        dkk: decimalText,
        dkkPerMwh: decimalText,
        cheapest: z.object({ from: z.iso.datetime(), dkkPerMwh: decimalText }),
        savedDkk: decimalText,
      }),
    ),
    savedDkk: decimalText,
    totals,
  }),
})

export const downloadMeters = call({
  method: 'POST',
  path: '/client/data-hub/download',
  summary: 'List the consumption and cost of meters over local days; as a file with format, as lists for up to 31 days',
  may: 'data-hub.read',
  touches: [],
  query: z.strictObject({ format: fileFormat.optional(), resolution: z.enum(['own', 'hour', 'day']).optional() }),
  body: z
    .strictObject({
      devices: z.array(id('meter')).min(1, m.meterRequired).max(limits.metersPerFile, m.most(limits.metersPerFile)),
      ...days,
    })
    .refine(...inOrder)
    .refine(...mostDays(limits.exportDays, m.exportTooLong)),
  response: z.object({
    devices: z.array(
      z.object({
        deviceName: z.string(),
        /** DKK and kWh of each interval, as rows of [start, value]; null where unknown. */
        costData: z.array(z.tuple([z.iso.datetime(), decimalText.nullable()])),
        consumptionData: z.array(z.tuple([z.iso.datetime(), decimalText.nullable()])),
      }),
    ),
  }),
})

export const dataHubOverview = call({
  method: 'GET',
  path: '/client/data-hub/overview',
  summary: `Get the consumption, cost and emission of all active meters, in total and each, over a local day, month or year, or from start to end (${limits.meterDays} days at most); the columns of all together as a file with format`,
  may: 'data-hub.overview',
  of: ['meter', 'tax'],
  query: z
    .strictObject({ ...period, groupId: id('meter-group').optional(), format: fileFormat.optional() })
    .refine(...onePeriod),
  response: z.object({
    graph,
    totals,
    meters: z.array(z.object({ id: id('meter'), name: z.string(), key: z.string(), totals })),
    lastRead: z.iso.datetime().nullable(),
    sources: z.object({ readings: publishedSource, spot: publishedSource, emission: publishedSource }),
  }),
})
