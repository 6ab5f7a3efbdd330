import { minuteMs } from '@gridmast/contract/time.ts'
import { parseJson } from '#platform/http/parse-json.ts'
import { ask, failure, type AskOptions, type Failure } from '#connectors/fetch-text.ts'

export const frequencySource = 'statnett'

type FrequencySample = { atMs: number; hz: number | null }
type FetchedFrequency = (
  | { ok: true; httpStatus: number; stepMs: number; samples: FrequencySample[]; warnings: string[] }
  | Failure
) & { url: string }

/** Outside the range of any synchronous area: a measuring error. */
const [lowestHz, highestHz] = [45, 55]

type FrequencyRequest = { baseUrl: string; fromMs: number; toMs: number } & AskOptions

const urlOf = ({ baseUrl, fromMs, toMs }: FrequencyRequest): URL => {
  const url = new URL(`${baseUrl.replace(/\/$/, '')}/BySecond`)
  const second = (ms: number) => `${new Date(ms).toISOString().slice(0, 19)}Z`
  url.search = new URLSearchParams({ From: second(fromMs), To: second(toMs) }).toString()
  return url
}

/** Frequency of the Nordic grid per second; null without a measurement, and always for the last seconds. */
export const fetchFrequency = async (request: FrequencyRequest): Promise<FetchedFrequency> => {
  const url = urlOf(request)
  const answer = await ask(url, request)
  if (!answer.ok) return { ...answer, url: url.href }
  const { httpStatus } = answer
  const parsed = parseFrequency(answer.text, request)
  return typeof parsed === 'string'
    ? { ...failure(kindOf(answer.text), parsed, httpStatus), url: url.href }
    : { ok: true, httpStatus, url: url.href, ...parsed }
}

const kindOf = (text: string) => (text.trimStart().startsWith('<') ? 'html' : 'schema')

const readJson = (text: string): unknown => {
  try {
    return parseJson(text)
  } catch {
    return null
  }
}

export const parseFrequency = (
  text: string,
  { fromMs, toMs }: { fromMs: number; toMs: number },
): { stepMs: number; samples: FrequencySample[]; warnings: string[] } | string => {
  const body = readJson(text)
  if (typeof body !== 'object' || body === null) return 'expected an object'
  const { StartPointUTC: start, PeriodTickMs: step, Measurements: values } = body as Record<string, unknown> // each is checked below
  if (typeof start !== 'number' || !Number.isSafeInteger(start)) return 'StartPointUTC: expected an instant'
  if (typeof step !== 'number' || !Number.isSafeInteger(step) || step < 100 || step > minuteMs)
    return 'PeriodTickMs: expected 100 to 60000'
  if (!Array.isArray(values)) return 'Measurements: expected a list'
  let impossible = 0
  const samples: FrequencySample[] = []
  for (const [i, value] of (values as unknown[]).entries()) {
    if (value !== null && typeof value !== 'number') return `Measurements ${i}: expected a number or null`
    const atMs = start + i * step
    if (atMs < fromMs || atMs >= toMs) continue
    const isPossible = value === null || (value >= lowestHz && value <= highestHz)
    if (!isPossible) impossible++
    samples.push({ atMs, hz: isPossible ? value : null })
  }
  return { stepMs: step, samples, warnings: impossible > 0 ? [`${impossible} values outside 45 to 55 Hz`] : [] }
}
