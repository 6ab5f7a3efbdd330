import { dayBounds, hourMs, localDateOf, quarterMs, type LocalDate } from '@gridmast/contract/time.ts'
import { parseJson } from '#platform/http/parse-json.ts'
import { z } from 'zod'

/** Answers of Eloverblik's third-party API. Formats: domain notes, section 2.1. */

export class BadAnswer extends Error {}

const read = <T>(schema: z.ZodType<T>, text: string): T => {
  const parsed = schema.safeParse(readJson(text))
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  throw new BadAnswer(`${issue?.path.join('.') || 'body'}: ${issue?.message ?? 'not as documented'}`)
}

const readJson = (text: string): unknown => {
  try {
    return parseJson(text)
  } catch {
    throw new BadAnswer(/^\s*</.test(text) ? 'a web page instead of data' : 'not JSON')
  }
}

const readList = <T>(schema: z.ZodType<T>, text: string): T[] =>
  read(z.object({ result: z.array(schema).nullable() }), text).result ?? []

/** The text of an error: a JSON string such as "[20010] Relation not found", or an RFC 7807 object. Null for anything else. */
export const errorWords = (text: string): string | null => {
  const problem = z.object({ title: z.string(), detail: z.string().nullish(), traceId: z.string().nullish() })
  try {
    const body: unknown = parseJson(text)
    if (typeof body === 'string') return body.slice(0, 200)
    const { title, detail, traceId } = problem.parse(body)
    return [title, detail, traceId && `trace ${traceId}`].filter(Boolean).join(', ').slice(0, 200)
  } catch {
    return null
  }
}

/** The claim `exp` of a JWT in ms, null without one. The signature is not verified: only the issuer could. */
export const tokenEndsMs = (token: string): number | null => {
  try {
    const claims: unknown = parseJson(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8'))
    return z.object({ exp: z.number() }).parse(claims).exp * 1000
  } catch {
    return null
  }
}

export const parseToken = (text: string): string => read(z.object({ result: z.string().min(1) }), text).result

const optional = z.string().nullish()
const authorization = z.object({ id: z.string(), customerCVR: optional, validFrom: optional, validTo: optional })

export type Authorization = { cvr: string | null; validTo: string | null }

export const parseAuthorizations = (text: string): Authorization[] =>
  readList(authorization, text).map(({ customerCVR, validTo }) => ({
    cvr: customerCVR ?? null,
    validTo: validTo ?? null,
  }))

const point = z.object({
  meteringPointId: z.string().regex(/^\d{18}$/),
  typeOfMP: optional,
  accessFrom: optional,
  accessTo: optional,
  streetName: optional,
  buildingNumber: optional,
  postcode: optional,
  cityName: optional,
})

export type MeteringPoint = {
  meteringPointId: string
  /** E17 consumption, E18 production. */
  type: string | null
  accessFrom: LocalDate | null
  accessTo: LocalDate | null
  address: string
  postcode: string | null
}

/** A day, or the instant of its start: `2026-11-19T23:00:00Z` is the 20th. */
const dayOf = (text: string | null | undefined): LocalDate | null => {
  if (!text) return null
  if (/^\d{4}-\d\d-\d\d$/.test(text)) return text
  const ms = Date.parse(text)
  return Number.isNaN(ms) ? null : localDateOf(ms)
}

const toPoint = (one: z.infer<typeof point>): MeteringPoint => ({
  meteringPointId: one.meteringPointId,
  type: one.typeOfMP ?? null,
  accessFrom: dayOf(one.accessFrom),
  accessTo: dayOf(one.accessTo),
  address: [
    [one.streetName, one.buildingNumber].filter(Boolean).join(' '),
    [one.postcode, one.cityName].filter(Boolean).join(' '),
  ]
    .filter(Boolean)
    .join(', '),
  postcode: one.postcode ?? null,
})

export const parseMeteringPoints = (text: string): MeteringPoint[] => readList(point, text).map(toPoint)

export const parseMeteringPointIds = (text: string): string[] => readList(point.shape.meteringPointId, text)

const item = z.object({
  success: z.boolean(),
  errorCode: z.union([z.number(), z.string()]).nullish(),
  errorText: optional,
  id: optional,
})

export type ItemError = { meteringPointId: string; error: string }

const itemError = ({ errorCode, errorText, id }: z.infer<typeof item>): ItemError => ({
  meteringPointId: id ?? '',
  error: `[${errorCode ?? '?'}] ${errorText ?? 'no reason given'}`,
})

const details = item.extend({
  result: point.extend({ gridOperatorName: optional, gridOperatorID: optional }).nullish(),
})

export type MeterDetails = MeteringPoint & { gridCompany: string | null; gln: string | null }

export const parseDetails = (text: string): (MeterDetails | ItemError)[] =>
  readList(details, text).map((one) =>
    one.success && one.result
      ? {
          ...toPoint(one.result),
          gridCompany: one.result.gridOperatorName ?? null,
          gln: /^\d{13}$/.test(one.result.gridOperatorID ?? '') ? (one.result.gridOperatorID ?? null) : null,
        }
      : itemError(one),
  )

/** One letter per quality; without a value `-`. Codes: domain notes, section 2.1. */
const letters = new Map(Object.entries({ A01: 'a', A02: '-', A03: 'e', A04: 'm', A05: 'i' }))

const series = z.object({
  businessType: z.string(),
  'measurement_Unit.name': z.string(),
  Period: z.array(
    z.object({
      resolution: z.string(),
      timeInterval: z.object({ start: z.iso.datetime(), end: z.iso.datetime() }),
      Point: z.array(
        z.object({
          position: z.string().regex(/^\d{1,5}$/),
          'out_Quantity.quantity': optional,
          'out_Quantity.quality': z.string(),
        }),
      ),
    }),
  ),
})
const timeSeries = item.extend({
  MyEnergyData_MarketDocument: z.object({ TimeSeries: z.array(series).nullable() }).nullish(),
})

/** Readings of one local day as stored: whole Wh, null without a value, and a quality letter for each. */
export type DayReadings = { day: LocalDate; stepMs: number; wh: (number | null)[]; quality: string }
export type MeterReadings = { meteringPointId: string; days: DayReadings[] }

const steps = new Map(Object.entries({ PT15M: quarterMs, PT1H: hourMs }))

const whOf = (kwh: string): number => {
  const [, units = '', fraction = ''] = /^(\d{1,6})(?:\.(\d{1,3})0*)?$/.exec(kwh) ?? []
  if (!units) throw new BadAnswer(`not a number of kWh: ${kwh.slice(0, 40)}`)
  return Number(units) * 1000 + Number(fraction.padEnd(3, '0'))
}

type Day = { stepMs: number; fromMs: number; wh: (number | null)[]; quality: string[] }

/** Positions count UTC steps from the start of the period, so days of 23 and 25 hours are right; an omitted position is missing. */
const daysOf = (all: z.infer<typeof series>[]): DayReadings[] => {
  const days = new Map<LocalDate, Day>()
  for (const one of all) {
    if (one.businessType === 'A01') continue // production of the same point
    if (one['measurement_Unit.name'] !== 'KWH') throw new BadAnswer(`the unit is ${one['measurement_Unit.name']}`)
    for (const { resolution, timeInterval, Point } of one.Period) {
      const stepMs = steps.get(resolution)
      if (stepMs === undefined) throw new BadAnswer(`unknown resolution ${resolution}`)
      const startMs = Date.parse(timeInterval.start)
      for (const { position, 'out_Quantity.quantity': kwh, 'out_Quantity.quality': code } of Point) {
        const atMs = startMs + (Number(position) - 1) * stepMs
        const date = localDateOf(atMs)
        const day: Day = days.get(date) ?? emptyDay(date, stepMs)
        if (day.stepMs !== stepMs) throw new BadAnswer(`two resolutions on ${date}`)
        days.set(date, day)
        const letter = letters.get(code)
        if (!letter) throw new BadAnswer(`unknown quality ${code}`)
        const index = (atMs - day.fromMs) / stepMs
        day.wh[index] = letter === '-' || !kwh ? null : whOf(kwh)
        day.quality[index] = day.wh[index] === null ? '-' : letter
      }
    }
  }
  return [...days].map(([day, { stepMs, wh, quality }]) => ({ day, stepMs, wh, quality: quality.join('') }))
}

const emptyDay = (date: LocalDate, stepMs: number): Day => {
  const { fromMs, toMs } = dayBounds(date)
  const length = (toMs - fromMs) / stepMs
  return { stepMs, fromMs, wh: Array(length).fill(null), quality: Array(length).fill('-') }
}

/** Each metering point separately: invalid readings of one do not affect the others. */
export const parseTimeSeries = (text: string): (MeterReadings | ItemError)[] =>
  readList(timeSeries, text).map((one) => {
    if (!one.success) return itemError(one)
    const meteringPointId = one.id ?? ''
    try {
      return { meteringPointId, days: daysOf(one.MyEnergyData_MarketDocument?.TimeSeries ?? []) }
    } catch (error) {
      if (!(error instanceof BadAnswer)) throw error
      return { meteringPointId, error: error.message }
    }
  })
