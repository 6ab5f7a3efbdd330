import { randomUUID } from 'node:crypto'
import { addDays, dayBounds, dayMs, daysBetween, localDateOf, minuteMs } from '@gridmast/contract/time.ts'
import { readingsOf, simulatedMeters, demoCvrs, laterMeter, type SimulatedMeter } from './meters.ts'

/** Eloverblik's third-party API: tokens, powers of attorney, metering points, time series, limits and error bodies. */

export const simulatedToken = (tokenType: string, endsMs: number): string => {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  return `${part({ alg: 'none', typ: 'JWT' })}.${part({ tokenType, exp: Math.floor(endsMs / 1000) })}.simulated`
}

const claimsOf = (token: string): { tokenType?: unknown; exp?: unknown } => {
  try {
    return JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8')) as object
  } catch {
    return {}
  }
}

export type EloverblikRequest = { method: string; path: string; token: string; body: string }
export type EloverblikAnswer = { status: number; body: unknown }
/**
 * `half`: every second metering point of an answer fails. `corrected`: yesterday's readings have changed. `listFails`: the list of metering points
 * takes too long, their ids do not. `newMeter`: Nordhavn has one more.
 */
export type EloverblikFaults = {
  half: boolean
  empty: boolean
  corrected: boolean
  listFails: boolean
  newMeter: boolean
}

const accessType = 'THIRDPARTYAPI_DataAccess'
const refreshType = 'THIRDPARTYAPI_Refresh'

const said = (status: number, code: number, text: string): EloverblikAnswer => ({ status, body: `[${code}] ${text}` })
const problem = (status: number, title: string): EloverblikAnswer => ({
  status,
  body: {
    type: `https://httpstatuses.io/${status}`,
    title,
    status,
    traceId: `00-${randomUUID().replaceAll('-', '')}-01`,
  },
})
const ok = (result: unknown): EloverblikAnswer => ({ status: 200, body: { result } })
const failed = (id: string, errorCode: number, errorText: string) => ({
  result: null,
  success: false,
  errorCode,
  errorText,
  id,
  stackTrace: null,
})
const fine = (id: string) => ({ success: true, errorCode: 10000, errorText: 'NoError', id, stackTrace: null })

const accessDays = 730

const authorised = [demoCvrs.nordhavn, demoCvrs.nordhavnLogistics, demoCvrs.free, demoCvrs.vestkyst]

const everyMeter = laterMeter ? [...simulatedMeters, laterMeter] : simulatedMeters

const pointOf = (meter: SimulatedMeter, nowMs: number) => ({
  streetCode: '0000',
  streetName: meter.street.replace(/ \d+$/, ''),
  buildingNumber: /\d+$/.exec(meter.street)?.[0] ?? null,
  floorId: null,
  roomId: null,
  citySubDivisionName: null,
  municipalityCode: '000',
  locationDescription: meter.name,
  settlementMethod: 'E02',
  meterReadingOccurrence: meter.fault === 'hourly' ? 'PT1H' : 'PT15M',
  firstConsumerPartyName: 'Simulated',
  secondConsumerPartyName: null,
  meterNumber: meter.id.slice(-8),
  consumerStartDate: '2019-12-31T23:00:00.000Z',
  meteringPointId: meter.id,
  typeOfMP: 'E17',
  postcode: meter.postcode,
  cityName: meter.city,
  accessFrom: new Date(dayBounds(addDays(localDateOf(nowMs), -accessDays)).fromMs).toISOString(),
  accessTo: new Date(dayBounds(addDays(localDateOf(nowMs), 3 * 365)).fromMs).toISOString(),
  consumerCVR: meter.cvr,
  dataAccessCVR: null,
  childMeteringPoints: [],
})

const kwh = (wh: number) => String(wh / 1000)

const documentOf = (meter: SimulatedMeter, from: string, to: string, nowMs: number, corrected: boolean) => {
  const yesterday = addDays(localDateOf(nowMs), -1)
  const periods = Array.from({ length: daysBetween(from, to) }, (_, i) => addDays(from, i)).flatMap((date) => {
    const day = readingsOf(meter, date, nowMs, corrected && date === yesterday)
    if (!day) return []
    const { fromMs, toMs } = dayBounds(date)
    return [
      {
        resolution: day.resolution,
        timeInterval: { start: stamp(fromMs), end: stamp(toMs) },
        Point: day.readings.map(({ wh, quality }, n) => ({
          position: String(n + 1),
          ...(wh === null ? {} : { 'out_Quantity.quantity': kwh(wh) }),
          'out_Quantity.quality': quality,
        })),
      },
    ]
  })
  const series = {
    mRID: meter.id,
    businessType: 'A04',
    curveType: 'A01',
    'measurement_Unit.name': 'KWH',
    MarketEvaluationPoint: { mRID: { codingScheme: 'A10', name: meter.id } },
    Period: periods,
  }
  return {
    MyEnergyData_MarketDocument: {
      mRID: randomUUID().replaceAll('-', ''),
      createdDateTime: stamp(nowMs),
      'sender_MarketParticipant.name': '',
      'sender_MarketParticipant.mRID': { codingScheme: null, name: null },
      'period.timeInterval': { start: stamp(dayBounds(from).fromMs), end: stamp(dayBounds(to).fromMs) },
      TimeSeries: periods.length > 0 ? [series] : [],
    },
    ...fine(meter.id),
  }
}

const stamp = (ms: number) => `${new Date(ms).toISOString().slice(0, 19)}Z`

const perMinute = (most: number) => {
  const times: number[] = []
  return (nowMs: number): boolean => {
    while (times.length > 0 && (times[0] ?? 0) <= nowMs - minuteMs) times.shift()
    if (times.length >= most) return false
    times.push(nowMs)
    return true
  }
}

const meteringPoints = (body: string): string[] | null => {
  try {
    const { meteringPoints } = JSON.parse(body) as { meteringPoints?: { meteringPoint?: unknown } }
    const found = meteringPoints?.meteringPoint
    return Array.isArray(found) ? found.map(String) : null
  } catch {
    return null
  }
}

const dateProblem = (from: string, to: string, nowMs: number): EloverblikAnswer | null => {
  const isDate = (text: string) => /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text))
  if (!isDate(from) || !isDate(to)) return said(400, 30004, 'Invalid date format in request')
  if (to === from) return said(400, 30002, 'Period not allowed, ToDate is equal to FromDate')
  if (to < from) return said(400, 30001, 'Period not allowed, ToDate is before FromDate')
  if (to > localDateOf(nowMs)) return said(400, 30003, 'Requested to date is after today')
  if (daysBetween(from, to) > 730) return said(400, 30014, 'Maximum number of days exceeded')
  return null
}

export const openEloverblik = (now: () => number) => {
  const mayAskToken = perMinute(2)
  const mayAsk = perMinute(120)

  const ofPoints = (
    { half, empty }: EloverblikFaults,
    body: string,
    answer: (meter: SimulatedMeter) => unknown,
  ): EloverblikAnswer => {
    const ids = meteringPoints(body)
    if (!ids) return problem(400, 'Bad Request')
    if (ids.length > 10) return said(429, 10004, 'Number of metering points exceeds maximum of 10 per request')
    if (empty) return ok([])
    return ok(
      ids.map((id, i) => {
        const meter = everyMeter.find((one) => one.id === id)
        if (half && i % 2 === 1) return failed(id, 20011, 'UnknownError')
        return meter ? answer(meter) : failed(id, 20008, 'MeteringPointNotFound')
      }),
    )
  }

  return ({ method, path, token, body }: EloverblikRequest, faults: EloverblikFaults): EloverblikAnswer => {
    const nowMs = now()
    const { tokenType, exp } = claimsOf(token)
    const isLive = typeof exp === 'number' && exp * 1000 > nowMs
    if (path === 'isalive') return { status: 200, body: true }
    if (path === 'token') {
      if (!isLive || tokenType !== refreshType) return said(401, 50001, 'Token is not valid')
      if (!mayAskToken(nowMs)) return problem(429, 'Too Many Requests')
      return ok(simulatedToken(accessType, nowMs + dayMs))
    }
    if (!isLive || tokenType !== accessType) return problem(401, 'Unauthorized')
    if (!mayAsk(nowMs)) return problem(429, 'Too Many Requests')

    if (method === 'GET' && path === 'authorization/authorizations')
      return ok(
        authorised.map((cvr) => ({
          id: `00000000-0000-4000-8000-0000${cvr}`,
          thirdPartyName: 'Gridmast (simulated)',
          validFrom: addDays(localDateOf(nowMs), -accessDays),
          validTo: addDays(localDateOf(nowMs), 3 * 365),
          customerName: 'Simulated',
          customerCVR: cvr,
          customerKey: null,
          includeFutureMeteringPoints: true,
          timeStamp: stamp(nowMs - 300 * dayMs),
        })),
      )
    const [, list, cvr = ''] =
      /^authorization\/authorization\/(meteringpoints|meteringpointids)\/customerCVR\/(\w+)$/.exec(path) ?? []
    if (method === 'GET' && list !== undefined) {
      if (!/^\d{8}$/.test(cvr)) return said(400, 40000, 'Invalid CVR')
      const own = (faults.newMeter ? everyMeter : simulatedMeters).filter((one) => one.cvr === cvr)
      if (list === 'meteringpointids') return ok(own.map(({ id }) => id))
      return faults.listFails ? problem(504, 'Gateway Timeout') : ok(own.map((one) => pointOf(one, nowMs)))
    }
    if (method === 'POST' && path === 'meteringpoint/getdetails')
      return ofPoints(faults, body, (meter) => ({
        result: { ...pointOf(meter, nowMs), gridOperatorName: meter.grid.name, gridOperatorID: meter.grid.gln },
        ...fine(meter.id),
      }))
    const [, from, to, step] = /^meterdata\/gettimeseries\/([^/]+)\/([^/]+)\/(\w+)$/.exec(path) ?? []
    if (method === 'POST' && from !== undefined && to !== undefined && step === 'Actual') {
      const wrong = dateProblem(from, to, nowMs)
      if (wrong) return wrong
      return ofPoints(faults, body, (meter) =>
        from < addDays(localDateOf(nowMs), -accessDays)
          ? failed(meter.id, 30010, 'RequestedDateOutsideAuthorization')
          : documentOf(meter, from, to, nowMs, faults.corrected),
      )
    }
    return problem(404, 'Not Found')
  }
}
