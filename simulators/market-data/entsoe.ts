import { addDays, dayBounds, daysBetween, localDateOf, minuteMs, type LocalDate } from '@gridmast/contract/time.ts'
import type { Source } from './dataset.ts'
import { dayPrices, type Area } from './prices.ts'
import { lastDayFrom } from './spot.ts'

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
