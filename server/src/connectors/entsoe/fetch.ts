import { ask, failure, type AskOptions, type Failure } from '#connectors/ask.ts'
import { BadXml } from '#connectors/xml.ts'
import { parseDayAhead, type DayAheadRow } from './parse.ts'

export const entsoeSource = 'entsoe'

const domains = {
  DK1: '10YDK-1--------W',
  DK2: '10YDK-2--------M',
  SE1: '10Y1001A1001A44P',
  SE2: '10Y1001A1001A45N',
  SE3: '10Y1001A1001A46L',
  SE4: '10Y1001A1001A47J',
} as const

export type EntsoeArea = keyof typeof domains

type FetchedDayAhead = ({ ok: true; httpStatus: number; rows: DayAheadRow[] } | Failure) & {
  /** Without the token, because it is stored and shown. */
  url: string
}

type EntsoeRequest = {
  baseUrl: string
  token: string
  area: EntsoeArea
  fromMs: number
  toMs: number
} & AskOptions

const stamp = (ms: number) => new Date(ms).toISOString().slice(0, 16).replaceAll(/[-T:]/g, '')

/** Day-ahead prices of one area (document A44). The token is part of the URL; the stored one has `***` instead. */
export const fetchDayAhead = async (request: EntsoeRequest): Promise<FetchedDayAhead> => {
  const domain = domains[request.area]
  const url = new URL(request.baseUrl)
  url.search = new URLSearchParams({
    securityToken: request.token,
    documentType: 'A44',
    in_Domain: domain,
    out_Domain: domain,
    periodStart: stamp(request.fromMs),
    periodEnd: stamp(request.toMs),
  }).toString()
  const masked = new URL(url)
  masked.searchParams.set('securityToken', '***')
  const safe = (text: string) => text.replaceAll(request.token, '***')
  const answer = await ask(url, { ...request, accept: 'application/xml' })
  if (!answer.ok) return { ...answer, detail: safe(answer.detail), url: masked.href }
  const { httpStatus, text } = answer
  try {
    const rows = parseDayAhead(text, request).map((row) => ({ ...row, area: request.area }))
    return { ok: true, httpStatus, url: masked.href, rows }
  } catch (error) {
    if (!(error instanceof BadXml)) throw error
    const kind = /^\s*<(!doctype )?html/i.test(text) ? 'html' : 'schema'
    return { ...failure(kind, safe(error.message), httpStatus), url: masked.href }
  }
}
