import {
  addDays,
  atLocalTime,
  dayBounds,
  dayMs,
  daysBetween,
  type LocalDate,
  localDateOf,
  minuteMs,
  weekday,
} from '@gridmast/contract/time.ts'
import { historyDays, type Source } from './dataset.ts'
import { type Area, dayPrices } from './prices.ts'
import { lastDayFrom } from './spot.ts'
import { bell, seedOf } from '../noise.ts'
import { frequencyHz } from '../world.ts'

const areaOf = new Map<string, Area>(
  Object.entries({
    '10YDK-1--------W': 'DK1',
    '10YDK-2--------M': 'DK2',
    '10Y1001A1001A44P': 'SE1',
    '10Y1001A1001A45N': 'SE2',
    '10Y1001A1001A46L': 'SE3',
    '10Y1001A1001A47J': 'SE4',
  }),
)

const lastDay = lastDayFrom('12:55')
const minute = (ms: number) => `${new Date(ms).toISOString().slice(0, 16)}Z`

/** `202611192300` in UTC. */
const instant = (text: string | null): number =>
  Date.parse((text ?? '').replace(/^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)$/, '$1-$2-$3T$4:$5:00Z'))

/** One day as curve A03: a point equal to the previous one is omitted. */
const series = (id: number, domain: string, contract: string, prices: { fromMs: number; eur: number }[]): string => {
  const points = prices
    .map(({ eur }, i) => ({ position: i + 1, eur }))
    .filter(({ eur }, i) => i === 0 || eur !== prices[i - 1]?.eur)
    .map(({ position, eur }) => `<Point><position>${position}</position><price.amount>${eur}</price.amount></Point>`)
  const [first, last] = [prices[0], prices.at(-1)]
  return `<TimeSeries><mRID>${id}</mRID><businessType>A62</businessType><in_Domain.mRID codingScheme="A01">${domain}</in_Domain.mRID><out_Domain.mRID codingScheme="A01">${domain}</out_Domain.mRID><contract_MarketAgreement.type>${contract}</contract_MarketAgreement.type><currency_Unit.name>EUR</currency_Unit.name><price_Measure_Unit.name>MWH</price_Measure_Unit.name><classificationSequence_AttributeInstanceComponent.position>1</classificationSequence_AttributeInstanceComponent.position><curveType>A03</curveType>
<Period><timeInterval><start>${minute(first?.fromMs ?? 0)}</start><end>${minute((last?.fromMs ?? 0) + 15 * minuteMs)}</end></timeInterval><resolution>PT15M</resolution>
${points.join('')}</Period></TimeSeries>`
}

const nothing = `<?xml version="1.0" encoding="UTF-8"?>
<Acknowledgement_MarketDocument xmlns="urn:iec62325.351:tc57wg16:451-1:acknowledgementdocument:7:0"><mRID>1</mRID><Reason><code>999</code><text>No matching data found</text></Reason></Acknowledgement_MarketDocument>`

/** Day-ahead prices (A44) in the form of ENTSO-E's Transparency Platform; null for an invalid query. */
export const entsoeXml = (source: Source, params: URLSearchParams, atMs: number): string | null => {
  const domain = params.get('in_Domain') ?? ''
  const area = areaOf.get(domain)
  const [fromMs, toMs] = [instant(params.get('periodStart')), instant(params.get('periodEnd'))]
  if (params.get('documentType') !== 'A44' || !area || Number.isNaN(fromMs) || !(toMs > fromMs)) return null
  const last = lastDay(atMs)
  const askedLast = localDateOf(toMs - minuteMs)
  const first = localDateOf(fromMs)
  const end: LocalDate = askedLast < last ? askedLast : last
  const days = Array.from({ length: Math.max(0, daysBetween(first, end) + 1) }, (_, i) => addDays(first, i))
  const found = days.flatMap((date, i) => {
    const prices = dayPrices(source.prices, area, date)
    if (!prices) return []
    const intraday = prices.map((price) => ({ ...price, eur: 999 }))
    return [series(2 * i + 1, domain, 'A01', prices), series(2 * i + 2, domain, 'A07', intraday)]
  })
  if (found.length === 0) return nothing
  const [from, to] = [dayBounds(first).fromMs, dayBounds(end).toMs]
  return `<?xml version="1.0" encoding="utf-8"?>
<Publication_MarketDocument xmlns="urn:iec62325.351:tc57wg16:451-3:publicationdocument:7:3"><mRID>simulated</mRID><type>A44</type><period.timeInterval><start>${minute(from)}</start><end>${minute(to)}</end></period.timeInterval>
${found.join('\n')}
</Publication_MarketDocument>`
}

/** DKK per EUR on a banking day: within a few thousandths of the central rate, as the krone is pegged. Invented. */
const dkkPerEur = (date: LocalDate) =>
  (7.461 + 0.004 * bell(seedOf('dkk'), Math.round(Date.parse(date) / dayMs))).toFixed(4)

/** Reference rates in the form of the European Central Bank: banking days, newest first, today's from 16:00. */
export const exchangeRatesXml = (atMs: number): string => {
  const today = localDateOf(atMs)
  const first = atMs >= atLocalTime(today, '16:00') ? 0 : 1
  const days = Array.from({ length: historyDays + 20 }, (_, back) => addDays(today, -back))
    .slice(first)
    .filter((date) => weekday(date) <= 5)
    .map(
      (date) =>
        `<Cube time="${date}"><Cube currency="USD" rate="1.1600"/><Cube currency="DKK" rate="${dkkPerEur(date)}"/></Cube>`,
    )
  return `<?xml version="1.0" encoding="UTF-8"?>
<gesmes:Envelope xmlns:gesmes="http://www.gesmes.org/xml/2002-08-01" xmlns="http://www.ecb.int/vocabulary/2002-08-01/eurofxref"><gesmes:subject>Reference rates</gesmes:subject><gesmes:Sender><gesmes:name>Simulated</gesmes:name></gesmes:Sender><Cube>
${days.join('\n')}
</Cube></gesmes:Envelope>`
}

const longestMs = dayMs

/** The Nordic frequency per second in Statnett's form; the last two seconds are null. Null for an invalid span. */
export const frequencyJson = (params: URLSearchParams, atMs: number): string | null => {
  const fromMs = Date.parse(params.get('From') ?? '')
  const toMs = Math.min(Date.parse(params.get('To') ?? ''), atMs)
  if (Number.isNaN(fromMs) || Number.isNaN(toMs) || toMs - fromMs > longestMs) return null
  const start = Math.ceil(fromMs / 1000)
  const count = Math.max(0, Math.floor(toMs / 1000) - start)
  const values = Array.from({ length: count }, (_, i) => {
    const second = start + i
    return second * 1000 >= atMs - 2000 ? null : Number(frequencyHz('nordic', second).toFixed(3))
  })
  return JSON.stringify({
    StartPointUTC: start * 1000,
    EndPointUTC: (start + count) * 1000,
    PeriodTickMs: 1000,
    Measurements: values,
  })
}
