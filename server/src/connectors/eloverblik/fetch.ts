import { minuteMs } from '@gridmast/contract/time.ts'
import { ask, failure, type AskOptions, type Failure } from '#connectors/fetch-text.ts'
import {
  BadAnswer,
  errorWords,
  parseAuthorizations,
  parseDetails,
  parseMeteringPointIds,
  parseMeteringPoints,
  parseTimeSeries,
  parseToken,
  type Authorization,
  type ItemError,
  type MeterDetails,
  type MeteringPoint,
  type MeterReadings,
} from './parse.ts'

/** Eloverblik's third-party API, one request per call; never throws. Limits and formats: domain notes, section 2.1. */
export const eloverblikSource = 'eloverblik'

/** Metering points per request. */
export const bundleSize = 10
/** Default wait when the source is busy and names no time. */
const busyMs = minuteMs

export type Fetched<T> = ({ ok: true; httpStatus: number; result: T } | Failure) & { url: string }
export type Access = { baseUrl: string; token: string } & AskOptions

const request = async <T>(
  access: Access,
  path: string,
  parse: (text: string) => T,
  body?: object,
): Promise<Fetched<T>> => {
  const { baseUrl, token, ...options } = access
  const url = `${baseUrl.replace(/\/$/, '')}/${path}`
  const answer = await ask(new URL(url), {
    maxBytes: 30_000_000,
    timeoutMs: minuteMs,
    ...options,
    headers: { authorization: `Bearer ${token}`, 'api-version': '1.0' },
    ...(body ? { body } : {}),
    wordsOf: errorWords,
  })
  if (!answer.ok) {
    const detail = answer.detail.replaceAll(token, '***')
    const isBusy = answer.httpStatus === 429 || answer.httpStatus === 503
    return { ...answer, detail, retryAfterMs: isBusy ? (answer.retryAfterMs ?? busyMs) : answer.retryAfterMs, url }
  }
  const { httpStatus, text } = answer
  try {
    return { ok: true, httpStatus, url, result: parse(text) }
  } catch (error) {
    if (!(error instanceof BadAnswer)) throw error
    const kind = /web page/.test(error.message) ? 'html' : error.message === 'not JSON' ? 'not-json' : 'schema'
    return { ...failure(kind, error.message, httpStatus), url }
  }
}

const points = (meteringPoints: readonly string[]) => ({ meteringPoints: { meteringPoint: meteringPoints } })

/** A data access token, valid for 24 hours. */
export const fetchToken = (access: Access): Promise<Fetched<string>> => request(access, 'token', parseToken)

export const fetchAuthorizations = (access: Access): Promise<Fetched<Authorization[]>> =>
  request(access, 'authorization/authorizations', parseAuthorizations)

export const fetchMeteringPoints = (access: Access, cvr: string): Promise<Fetched<MeteringPoint[]>> =>
  request(access, `authorization/authorization/meteringpoints/customerCVR/${cvr}`, parseMeteringPoints)

/** The ids only, which the source has sooner. */
export const fetchMeteringPointIds = (access: Access, cvr: string): Promise<Fetched<string[]>> =>
  request(access, `authorization/authorization/meteringpointids/customerCVR/${cvr}`, parseMeteringPointIds)

export const fetchDetails = (
  access: Access,
  meteringPoints: readonly string[],
): Promise<Fetched<(MeterDetails | ItemError)[]>> =>
  request(access, 'meteringpoint/getdetails', parseDetails, points(meteringPoints))

/** Readings of Danish days [from, to) at each meter's own resolution. */
export const fetchTimeSeries = (
  access: Access,
  meteringPoints: readonly string[],
  { from, to }: { from: string; to: string },
): Promise<Fetched<(MeterReadings | ItemError)[]>> =>
  request(access, `meterdata/gettimeseries/${from}/${to}/Actual`, parseTimeSeries, points(meteringPoints))
